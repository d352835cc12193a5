import { deliveryHeaders } from '#catalogue/headers.ts'
import type { DraftHeader, DraftProblem, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'

/** How a row differs from the original delivery. `off`: received, but not sent. */
export type RowChange = 'same' | 'changed' | 'case' | 'added' | 'off'

export interface HeaderRow {
  /** Index in the draft. */
  readonly index: number
  readonly header: DraftHeader
  /** The value to send. For a computed header, its current value. */
  readonly value: string
  /** What the value is computed from; null if written by hand. */
  readonly follows: 'body' | 'endpoint' | 'address' | 'length' | 'signature' | null
  /** It is on, but not sent, because the value it depends on is missing. */
  readonly leftOut: boolean
  /** It could be computed, but was written by hand. */
  readonly canFollow: boolean
  readonly problems: readonly DraftProblem[]
  /** Null if there is no original. */
  readonly change: RowChange | null
  /** Its position changed. */
  readonly moved: boolean
  /** The received header; null if it was not received. */
  readonly before: Header | null
}

export interface HeaderRows {
  readonly rows: readonly HeaderRow[]
  /** Received headers that are not in the draft, with the index at which to restore them. */
  readonly removed: readonly { readonly header: Header; readonly place: number }[]
  /** Required headers that are sent although they are not in the draft. */
  readonly added: readonly { readonly name: string; readonly value: string }[]
  /** The number of headers that differ from the original. `Host` follows the address and counts as unchanged. */
  readonly differing: number
}

interface Known {
  readonly preview: Pick<Preview, 'headers' | 'leftOut' | 'problems'> | null
  /** The received headers; null if the draft is not based on a delivery. */
  readonly original: readonly Header[] | null
  readonly brand: string
}

const followsBySource = {
  draft: null,
  body: 'body',
  endpoint: 'endpoint',
  url: 'address',
  length: 'length',
  signature: 'signature',
} as const

export function headerRows(headers: readonly DraftHeader[], known: Known): HeaderRows {
  const { preview, original, brand } = known
  const dependent = new Set([
    ...deliveryHeaders(brand).map(({ lowerName }) => lowerName),
    'content-length',
    'host',
  ])
  const pairs = original === null ? null : pairUp(headers, original)
  const inOrder = new Set(pairs === null ? [] : longestIncreasing(pairs))
  const rows = headers.map((header, index): HeaderRow => {
    const prepared = preview?.headers.find(({ draft }) => draft === index)
    const at = pairs?.[index] ?? null
    const before = at === null ? null : (original?.[at] ?? null)
    const value = prepared?.value ?? header.value
    const follows = prepared ? followsBySource[prepared.from] : null
    const leftOut = preview?.leftOut.includes(index) ?? false
    return {
      index,
      header,
      value,
      follows,
      leftOut,
      canFollow: header.byHand && dependent.has(header.name.toLowerCase()),
      problems: preview?.problems.filter((problem) => problem.header === index) ?? [],
      change: pairs === null ? null : changeOf(header.on && !leftOut, header.name, value, before),
      moved: at !== null && !inOrder.has(at),
      before,
    }
  })
  const taken = new Set(pairs)
  const removed = (original ?? []).flatMap((header, at) => {
    if (taken.has(at)) return []
    const next = (pairs ?? []).findIndex((place) => place !== null && place > at)
    return [{ header, place: next < 0 ? headers.length : next }]
  })
  return {
    rows,
    removed,
    added: preview?.headers.filter(({ draft }) => draft === null) ?? [],
    differing: removed.length + rows.filter(({ change, moved }) => differs(change) || moved).length,
  }
}

function differs(change: RowChange | null): boolean {
  return change !== null && change !== 'same'
}

function changeOf(isSent: boolean, name: string, value: string, before: Header | null): RowChange {
  if (before === null) return 'added'
  if (!isSent) return 'off'
  const [receivedName, receivedValue] = before
  if (value !== receivedValue && name.toLowerCase() !== 'host') return 'changed'
  return name === receivedName ? 'same' : 'case'
}

/** For each header of the draft, the index of its original, matched by name and order; null if there is none. */
function pairUp(headers: readonly DraftHeader[], original: readonly Header[]): (number | null)[] {
  const free = new Map<string, number[]>()
  for (const [at, [name]] of original.entries()) {
    const lower = name.toLowerCase()
    free.set(lower, [...(free.get(lower) ?? []), at])
  }
  return headers.map(({ name }) => free.get(name.toLowerCase())?.shift() ?? null)
}

/** Returns the longest increasing subsequence of the indexes. All others were moved. */
function longestIncreasing(places: readonly (number | null)[]): number[] {
  const known = places.filter((place) => place !== null)
  const best: number[][] = []
  for (const place of known) {
    let longest: number[] = []
    for (const run of best) {
      if ((run.at(-1) ?? 0) < place && run.length > longest.length) longest = run
    }
    best.push([...longest, place])
  }
  return best.reduce<number[]>((most, run) => (run.length > most.length ? run : most), [])
}
