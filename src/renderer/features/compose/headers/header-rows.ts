import { deliveryHeaders } from '#catalogue/headers.ts'
import type { DraftHeader, DraftProblem, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'

/** How a row stands to the delivery that the draft comes from. `off`: it came, and does not go out. */
export type RowChange = 'same' | 'changed' | 'case' | 'added' | 'off'

export interface HeaderRow {
  /** Place in the draft. */
  readonly index: number
  readonly header: DraftHeader
  /** The value as it goes out: of a header that follows something, what it comes to now. */
  readonly value: string
  /** What the value is made from; null: it is as written. */
  readonly follows: 'body' | 'endpoint' | 'address' | 'length' | 'signature' | null
  /** It is on, and does not go out all the same, since what it depends on is not there. */
  readonly leftOut: boolean
  /** It could follow, and was written by hand instead. */
  readonly canFollow: boolean
  readonly problems: readonly DraftProblem[]
  /** Null: there is nothing to hold it against. */
  readonly change: RowChange | null
  /** It stands in another place among the others. */
  readonly moved: boolean
  /** As it came; null: it did not. */
  readonly before: Header | null
}

export interface HeaderRows {
  readonly rows: readonly HeaderRow[]
  /** Headers that came and are not in the draft, with the place in it where they would be as they were. */
  readonly removed: readonly { readonly header: Header; readonly place: number }[]
  /** Headers that go out although they are not in the draft, since no request does without. */
  readonly added: readonly { readonly name: string; readonly value: string }[]
  /** How many differ from what came. `Host` follows the address and counts as the same. */
  readonly differing: number
}

interface Known {
  readonly preview: Pick<Preview, 'headers' | 'leftOut' | 'problems'> | null
  /** As they came; null: the draft comes from no delivery. */
  readonly original: readonly Header[] | null
  readonly brand: string
}

const followed = {
  draft: null,
  body: 'body',
  endpoint: 'endpoint',
  url: 'address',
  length: 'length',
  signature: 'signature',
} as const

/** The headers of a draft as a list to edit. */
export function headerRows(headers: readonly DraftHeader[], known: Known): HeaderRows {
  const { preview, original, brand } = known
  const dependent = new Set([
    ...deliveryHeaders(brand).map(({ lowerName }) => lowerName),
    'content-length',
    'host',
  ])
  const pairs = original === null ? null : pairUp(headers, original)
  const inOrder = new Set(pairs === null ? [] : longestRising(pairs))
  const rows = headers.map((header, index): HeaderRow => {
    const prepared = preview?.headers.find(({ draft }) => draft === index)
    const at = pairs?.[index] ?? null
    const before = at === null ? null : (original?.[at] ?? null)
    const value = prepared?.value ?? header.value
    const follows = prepared ? followed[prepared.from] : null
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

function changeOf(goesOut: boolean, name: string, value: string, before: Header | null): RowChange {
  if (before === null) return 'added'
  if (!goesOut) return 'off'
  const [cameAs, came] = before
  if (value !== came && name.toLowerCase() !== 'host') return 'changed'
  return name === cameAs ? 'same' : 'case'
}

/** For each header of the draft the place of the one that it was, by name and then by order; null: it was none. */
function pairUp(headers: readonly DraftHeader[], original: readonly Header[]): (number | null)[] {
  const free = new Map<string, number[]>()
  for (const [at, [name]] of original.entries()) {
    const lower = name.toLowerCase()
    free.set(lower, [...(free.get(lower) ?? []), at])
  }
  return headers.map(({ name }) => free.get(name.toLowerCase())?.shift() ?? null)
}

/** The longest run of places that grow: all others were moved. */
function longestRising(places: readonly (number | null)[]): number[] {
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
