import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'

/** A change since the selected day. */
export type Change =
  | { readonly kind: 'type'; readonly of: TypeConformance }
  | { readonly kind: 'finding'; readonly of: TypeConformance; readonly finding: FindingKind }
  /** Found before, but not in later deliveries of the type. */
  | { readonly kind: 'gone'; readonly of: TypeConformance; readonly finding: FindingKind }

export interface Changes {
  /** False if no earlier deliveries are stored to compare with. */
  readonly comparable: boolean
  /** Newest first, with removed findings last. */
  readonly list: readonly Change[]
}

/** Returns the changes since `since` (milliseconds since the epoch): types and findings first seen since then, and findings not seen again. */
export function changesSince(types: readonly TypeConformance[], since: number): Changes {
  if (!types.some(({ firstAt }) => firstAt < since)) return { comparable: false, list: [] }
  const fresh: Change[] = []
  const gone: Change[] = []
  for (const of of types) {
    if (isNew(of, since)) {
      // The findings of a new type are all new as well.
      fresh.push({ kind: 'type', of })
      continue
    }
    for (const finding of of.findings) {
      if (isNew(finding, since)) fresh.push({ kind: 'finding', of, finding })
      else if (finding.lastAt < since && of.lastAt >= since)
        gone.push({ kind: 'gone', of, finding })
    }
  }
  fresh.sort((first, second) => firstOf(second) - firstOf(first))
  gone.sort((first, second) => lastOf(second) - lastOf(first))
  return { comparable: true, list: [...fresh, ...gone] }
}

/** Whether something was first seen at `since` or later. False if `since` is null. */
export function isNew({ firstAt }: { readonly firstAt: number }, since: number | null): boolean {
  return since !== null && firstAt >= since
}

function firstOf(change: Change): number {
  return change.kind === 'type' ? change.of.firstAt : change.finding.firstAt
}

function lastOf(change: Change): number {
  return change.kind === 'type' ? change.of.lastAt : change.finding.lastAt
}
