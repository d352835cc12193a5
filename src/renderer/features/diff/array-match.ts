import { diffArrays } from 'diff'
import { type JsonIndex, kindOf } from '../body/index.ts'
import { childrenOf, decodedKey } from './same-value.ts'

/** The indexes in both arrays; null if the element is missing in one. */
export interface Pair {
  readonly before: number | null
  readonly after: number | null
  readonly moved: boolean
}

/** Limits in edit steps and milliseconds for finding the shortest edit. Beyond them, elements are compared by position. */
const maxSteps = 4000
const timeoutMs = 400

/**
 * Pairs the elements of two arrays, in the order of the later one. Elements with equal numbers in `same` have the same value. Elements with
 * equal `ids` are the same object, whatever they contain.
 */
export function matchArrays(
  same: { readonly before: readonly number[]; readonly after: readonly number[] },
  ids: { readonly before: readonly string[]; readonly after: readonly string[] } | null,
  alike: (before: number, after: number) => boolean,
): Pair[] {
  if (ids) return byId(ids.before, ids.after)
  const pairs = byContent(same.before, same.after)
  return inGaps(withMoves(pairs, same), alike)
}

function byId(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map(before.map((id, place) => [id, place]))
  const found = after.map((id) => places.get(id) ?? null)
  const kept = new Set(longestIncreasing(found.filter((place) => place !== null)))
  const matched = new Set(found)
  const pairs: Pair[] = []
  let next = 0
  const removedBefore = (place: number): void => {
    for (; next < place; next++) {
      if (!matched.has(next)) pairs.push({ before: next, after: null, moved: false })
    }
  }
  for (const [at, place] of found.entries()) {
    const stays = place !== null && kept.has(place)
    if (stays) removedBefore(place)
    pairs.push({ before: place, after: at, moved: place !== null && !stays })
  }
  removedBefore(before.length)
  return pairs
}

/** Returns the longest increasing subsequence: the elements that keep their order while others move. */
export function longestIncreasing(values: readonly number[]): number[] {
  /** For each length, the index of the smallest last value of an increasing subsequence of that length. */
  const ends: number[] = []
  const before = new Int32Array(values.length).fill(-1)
  for (const [at, value] of values.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1
    ends[low] = at
  }
  const increasing: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) increasing.push(values[at] ?? 0)
  return increasing.toReversed()
}

function byContent(before: readonly number[], after: readonly number[]): Pair[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1
  }
  const inner = {
    before: before.slice(head, before.length - tail),
    after: after.slice(head, after.length - tail),
  }
  const changes =
    inner.before.length === 0 || inner.after.length === 0
      ? undefined
      : diffArrays(inner.before, inner.after, { maxEditLength: maxSteps, timeout: timeoutMs })
  const pairs: Pair[] = []
  let a = 0
  let b = 0
  const pushPairs = (count: number): void => {
    for (let n = 0; n < count; n++) pairs.push({ before: a++, after: b++, moved: false })
  }
  const pushUnpaired = (removed: number, added: number): void => {
    for (let n = 0; n < removed; n++) pairs.push({ before: a++, after: null, moved: false })
    for (let n = 0; n < added; n++) pairs.push({ before: null, after: b++, moved: false })
  }
  pushPairs(head)
  if (changes) {
    for (const { count, added, removed } of changes) {
      if (!added && !removed) pushPairs(count)
      else pushUnpaired(removed ? count : 0, added ? count : 0)
    }
  } else pushUnpaired(inner.before.length, inner.after.length)
  pushPairs(tail)
  return pairs
}

/** Turns an element that was removed in one position and added in another into a move. */
function withMoves(
  pairs: readonly Pair[],
  same: { readonly before: readonly number[]; readonly after: readonly number[] },
): Pair[] {
  const removedAt = new Map<number, number[]>()
  for (const { before, after } of pairs) {
    if (before === null || after !== null) continue
    const value = same.before[before] ?? -1
    const places = removedAt.get(value)
    if (places) places.push(before)
    else removedAt.set(value, [before])
  }
  const moved = new Set<number>()
  const joined = pairs.map((pair): Pair => {
    if (pair.before !== null || pair.after === null) return pair
    const from = removedAt.get(same.after[pair.after] ?? -1)?.shift()
    if (from === undefined) return pair
    moved.add(from)
    return { before: from, after: pair.after, moved: true }
  })
  return joined.filter(
    ({ before, after }) => before === null || after !== null || !moved.has(before),
  )
}

/** Pairs removed and added elements between unchanged ones, so that they are compared with each other. */
function inGaps(pairs: readonly Pair[], alike: (before: number, after: number) => boolean): Pair[] {
  const result: Pair[] = []
  let removed: number[] = []
  let added: number[] = []
  const close = (): void => {
    for (const after of added) {
      const before = removed[0]
      if (before !== undefined && alike(before, after)) {
        removed.shift()
        result.push({ before, after, moved: false })
      } else result.push({ before: null, after, moved: false })
    }
    for (const before of removed) result.push({ before, after: null, moved: false })
    removed = []
    added = []
  }
  for (const pair of pairs) {
    if (pair.before !== null && pair.after === null) removed.push(pair.before)
    else if (pair.before === null && pair.after !== null) added.push(pair.after)
    else {
      close()
      result.push(pair)
    }
  }
  close()
  return result
}

/** Keys that look like an ID. */
const idKeys = /^(?:id|uuid|.+(?:Id|Uuid|UUID|_id|_uuid))$/

/** Returns the IDs of the elements of both arrays: the values of a key that all elements have, each with a unique scalar. Null if there is none. */
export function idsOf(
  sides: readonly [JsonIndex, readonly number[], numbers: Int32Array][],
): { before: string[]; after: string[] } | null {
  const [first] = sides
  const [json, elements] = first ?? []
  const sample = elements?.[0]
  if (!json || sample === undefined || sides.some(([, list]) => list.length === 0)) return null
  if (kindOf(json, sample) !== 'object') return null
  const keys = childrenOf(json, sample)
    .map((child) => decodedKey(json, child))
    .filter((key) => idKeys.test(key))
    .toSorted((a, b) => a.length - b.length)
  for (const key of keys) {
    const [before, after] = sides.map((side) => namesBy(key, ...side))
    if (before && after) return { before, after }
  }
  return null
}

function namesBy(
  key: string,
  json: JsonIndex,
  elements: readonly number[],
  numbers: Int32Array,
): string[] | null {
  const names: string[] = []
  for (const element of elements) {
    if (kindOf(json, element) !== 'object') return null
    const field = childrenOf(json, element).find((child) => decodedKey(json, child) === key)
    if (field === undefined || (json.children[field] ?? 0) > 0) return null
    names.push(String(numbers[field]))
  }
  return new Set(names).size === names.length ? names : null
}
