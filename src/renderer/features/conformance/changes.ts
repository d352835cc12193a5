import type { FindingKind, TypeConformance } from '#contract/deliveries.ts'

/** Something that is otherwise than before. */
export type Change =
  | { readonly kind: 'type'; readonly of: TypeConformance }
  | { readonly kind: 'finding'; readonly of: TypeConformance; readonly finding: FindingKind }
  /** Found before, and not since, though the type came again. */
  | { readonly kind: 'gone'; readonly of: TypeConformance; readonly finding: FindingKind }

export interface Changes {
  /** False: nothing from before is kept, so that nothing can be called new. */
  readonly comparable: boolean
  /** Newest first; those that are gone last. */
  readonly list: readonly Change[]
}

/** What changed at `since`, in milliseconds since the epoch: types and kinds of findings first seen from then on, and those not seen again. */
export function changesSince(types: readonly TypeConformance[], since: number): Changes {
  if (!types.some(({ firstAt }) => firstAt < since)) return { comparable: false, list: [] }
  const fresh: Change[] = []
  const gone: Change[] = []
  for (const of of types) {
    if (isNew(of, since)) {
      // All that was found in it is as new as itself.
      fresh.push({ kind: 'type', of })
      continue
    }
    for (const finding of of.findings) {
      if (isNew(finding, since)) fresh.push({ kind: 'finding', of, finding })
      else if (finding.lastAt < since && of.lastAt >= since)
        gone.push({ kind: 'gone', of, finding })
    }
  }
  fresh.sort((one, other) => firstOf(other) - firstOf(one))
  gone.sort((one, other) => lastOf(other) - lastOf(one))
  return { comparable: true, list: [...fresh, ...gone] }
}

/** Whether it was first seen at `since` or later; null: no moment is chosen, so nothing is new. */
export function isNew({ firstAt }: { readonly firstAt: number }, since: number | null): boolean {
  return since !== null && firstAt >= since
}

function firstOf(change: Change): number {
  return change.kind === 'type' ? change.of.firstAt : change.finding.firstAt
}

function lastOf(change: Change): number {
  return change.kind === 'type' ? change.of.lastAt : change.finding.lastAt
}
