import { isProxyHeader } from '#contract/forwarded.ts'
import type { Header } from '#contract/models.ts'

export interface HeaderRow {
  /** In lower case. */
  readonly name: string
  readonly kind: 'same' | 'added' | 'removed' | 'changed' | 'case'
  /** As they came, in their order; a name that came twice has two. */
  readonly before: readonly Header[]
  readonly after: readonly Header[]
}

export interface HeaderDiff {
  /** What differs first, in the order of the one after; then what is the same. */
  readonly rows: readonly HeaderRow[]
  /** Those that both have came in another order. */
  readonly reordered: boolean
}

/** Two lists of headers. Names are compared as HTTP does, letter case aside; that it differs is said. */
export function diffHeaders(before: readonly Header[], after: readonly Header[]): HeaderDiff {
  const old = grouped(before)
  const fresh = grouped(after)
  const names = [...new Set([...fresh.keys(), ...old.keys()])]
  const rows = names.map((name): HeaderRow => {
    const left = old.get(name) ?? []
    const right = fresh.get(name) ?? []
    return { name, kind: kindOf(left, right), before: left, after: right }
  })
  const common = (list: ReadonlyMap<string, readonly Header[]>): string[] =>
    [...list.keys()].filter((name) => old.has(name) && fresh.has(name))
  return {
    rows: [
      ...rows.filter(({ kind }) => kind !== 'same'),
      ...rows.filter(({ kind }) => kind === 'same'),
    ],
    reordered: common(old).join('\n') !== common(fresh).join('\n'),
  }
}

/**
 * Whether two deliveries differ here by the way that they took, and not by what was sent: a header that tunnels and proxies add; where only one of
 * them came through a tunnel, also the name that was addressed, and the letter case of names.
 */
export function differsByRoute({ name, kind }: HeaderRow, oneThroughTunnel: boolean): boolean {
  if (kind === 'same') return false
  return isProxyHeader(name) || (oneThroughTunnel && (kind === 'case' || name === 'host'))
}

function kindOf(before: readonly Header[], after: readonly Header[]): HeaderRow['kind'] {
  if (before.length === 0) return 'added'
  if (after.length === 0) return 'removed'
  const equal = (part: 0 | 1): boolean =>
    before.length === after.length &&
    before.every((header, at) => header[part] === after[at]?.[part])
  if (!equal(1)) return 'changed'
  return equal(0) ? 'same' : 'case'
}

function grouped(headers: readonly Header[]): Map<string, Header[]> {
  const groups = new Map<string, Header[]>()
  for (const header of headers) {
    const name = header[0].toLowerCase()
    const group = groups.get(name)
    if (group) group.push(header)
    else groups.set(name, [header])
  }
  return groups
}
