import { childPath } from '#shared/json/path.ts'
import { type JsonIndex, kindOf, sourceOf } from '../body/index.ts'
import { idsOf, matchArrays } from './array-match.ts'
import { childrenOf, decodedKey, SameValues } from './same-value.ts'

/**
 * `same`: unchanged neighbors; `open`: contains differences; `retyped`: the type of the value changed; `moved`: unchanged, but at another
 * position in its array.
 */
export type DiffKind = 'same' | 'open' | 'added' | 'removed' | 'changed' | 'retyped' | 'moved'

/** One line of a comparison. */
export interface DiffRow {
  readonly kind: DiffKind
  readonly depth: number
  /** The key or array index, from the later document if present there; null for the root or several values. */
  readonly key: string | number | null
  /** `data.items[3].price` */
  readonly path: string
  /** The source text of the value, truncated; null if there is none. */
  readonly before: string | null
  readonly after: string | null
  /** The earlier array index, if it changed. */
  readonly from: number | null
  /** The number of values in this line: unchanged neighbors, or the values in an added or removed one. */
  readonly count: number
  /** The value indexes in both documents, of the first of several; -1 if none. */
  readonly indexes: readonly [before: number, after: number]
}

export interface JsonDiff {
  readonly rows: readonly DiffRow[]
  /** The number of lines of each kind, including those beyond `rows`. */
  readonly counts: Readonly<Record<DiffKind, number>>
  readonly equal: boolean
}

const maxRows = 5000
const maxValueLength = 300
/** Deeper differences are reported as a whole. */
const maxDepth = 200
const maxNamesLength = 120

/** Compares two JSON documents by value, ignoring key order, escapes, white space and number format. */
export function diffJson(before: JsonIndex, after: JsonIndex): JsonDiff {
  return new Comparison(before, after).run()
}

class Comparison {
  readonly #before: JsonIndex
  readonly #after: JsonIndex
  readonly #same: readonly [before: Int32Array, after: Int32Array]
  readonly #rows: DiffRow[] = []
  readonly #counts: Record<DiffKind, number> = {
    same: 0,
    open: 0,
    added: 0,
    removed: 0,
    changed: 0,
    retyped: 0,
    moved: 0,
  }

  constructor(before: JsonIndex, after: JsonIndex) {
    this.#before = before
    this.#after = after
    const values = new SameValues()
    this.#same = [values.of(before), values.of(after)]
  }

  run(): JsonDiff {
    this.#compare(0, 0, { depth: 0, key: null, path: '', from: null })
    const { same, ...rest } = this.#counts
    const equal = Object.values(rest).every((n) => n === 0)
    return { rows: this.#rows, counts: { same, ...rest }, equal }
  }

  #isSame(before: number, after: number): boolean {
    return this.#same[0][before] === this.#same[1][after]
  }

  #compare(before: number, after: number, place: Place): void {
    const [a, b] = [kindOf(this.#before, before), kindOf(this.#after, after)]
    const container = (a === 'object' || a === 'array') && a === b
    if (this.#isSame(before, after)) this.#add('same', before, after, place)
    else if (container && place.depth < maxDepth) {
      this.#add('open', before, after, place)
      if (a === 'object') this.#compareObjects(before, after, place)
      else this.#compareArrays(before, after, place)
    } else {
      const flags = areBothBooleans(this.#before, before, this.#after, after)
      const alike = a === b && (a !== 'word' || flags)
      this.#add(alike ? 'changed' : 'retyped', before, after, place)
    }
  }

  #compareObjects(before: number, after: number, above: Place): void {
    const old = fieldsByKey(this.#before, before)
    const fresh = fieldsByKey(this.#after, after)
    const same: number[] = []
    for (const [name, index] of old) {
      const place = below(above, decodedKey(this.#before, index))
      const other = fresh.get(name)
      if (other === undefined) this.#add('removed', index, -1, place)
      else if (this.#isSame(index, other)) same.push(index)
      else this.#compare(index, other, place)
    }
    for (const [name, index] of fresh) {
      if (!old.has(name))
        this.#add('added', -1, index, below(above, decodedKey(this.#after, index)))
    }
    if (same.length === 0) return
    const names = same.slice(0, 12).map((index) => decodedKey(this.#before, index).slice(0, 40))
    const text = `${names.join(', ')}${same.length > 12 ? ', …' : ''}`
    const place = { ...above, depth: above.depth + 1, key: null, from: null }
    this.#add('same', same[0] ?? -1, -1, place, same.length, text.slice(0, maxNamesLength))
  }

  #compareArrays(before: number, after: number, above: Place): void {
    const old = childrenOf(this.#before, before)
    const fresh = childrenOf(this.#after, after)
    const numbers = {
      before: old.map((index) => this.#same[0][index] ?? -1),
      after: fresh.map((index) => this.#same[1][index] ?? -1),
    }
    const ids = idsOf([
      [this.#before, old, this.#same[0]],
      [this.#after, fresh, this.#same[1]],
    ])
    const alike = (a: number, b: number): boolean =>
      kindOf(this.#before, old[a] ?? 0) === kindOf(this.#after, fresh[b] ?? 0)
    let run: { from: number; to: number; count: number } | null = null
    const close = (): void => {
      if (!run) return
      const place = { ...above, depth: above.depth + 1, key: null, from: null }
      this.#add('same', old[run.from] ?? -1, fresh[run.to] ?? -1, place, run.count)
      run = null
    }
    for (const pair of matchArrays(numbers, ids, alike)) {
      const a = pair.before === null ? -1 : (old[pair.before] ?? -1)
      const b = pair.after === null ? -1 : (fresh[pair.after] ?? -1)
      if (pair.before !== null && pair.after !== null && !pair.moved && this.#isSame(a, b)) {
        const next: boolean = run?.from !== undefined && run.from + run.count === pair.before
        if (run && next) run.count += 1
        else {
          close()
          run = { from: pair.before, to: pair.after, count: 1 }
        }
        continue
      }
      close()
      const at = pair.after ?? pair.before ?? 0
      const from = pair.before === pair.after ? null : pair.before
      const place = { ...below(above, at), from: pair.after === null ? null : from }
      if (pair.before === null) this.#add('added', -1, b, place)
      else if (pair.after === null) this.#add('removed', a, -1, place)
      else if (this.#isSame(a, b)) this.#add('moved', a, b, place)
      else this.#compare(a, b, place)
    }
    close()
  }

  #add(
    kind: DiffKind,
    before: number,
    after: number,
    place: Place,
    count = 1,
    names?: string,
  ): void {
    this.#counts[kind] += kind === 'same' ? count : 1
    if (this.#rows.length >= maxRows) return
    const isSubtree = kind === 'added' || kind === 'removed' || kind === 'moved'
    this.#rows.push({
      kind,
      ...place,
      before: names ?? (before < 0 || kind === 'open' ? null : valueText(this.#before, before)),
      after:
        after < 0 || kind === 'open' || names !== undefined ? null : valueText(this.#after, after),
      count: isSubtree ? this.#valuesIn(before, after) : count,
      indexes: [before, after],
    })
  }

  #valuesIn(before: number, after: number): number {
    return after < 0
      ? (this.#before.ends[before] ?? 0) - before
      : (this.#after.ends[after] ?? 0) - after
  }
}

interface Place {
  readonly depth: number
  readonly key: string | number | null
  readonly path: string
  readonly from: number | null
}

function below(above: Place, key: string | number): Place {
  const path = childPath(above.path, typeof key === 'string' ? key.slice(0, 60) : key)
  const shown = typeof key === 'string' ? key.slice(0, maxValueLength) : key
  return { depth: above.depth + 1, key: shown, path: path.slice(-1000), from: null }
}

/** Fields by their key and the number of earlier fields with the same key. */
function fieldsByKey(json: JsonIndex, index: number): Map<string, number> {
  const fields = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const child of childrenOf(json, index)) {
    const key = decodedKey(json, child)
    const occurrence = seen.get(key) ?? 0
    seen.set(key, occurrence + 1)
    fields.set(JSON.stringify([key, occurrence]), child)
  }
  return fields
}

/** `true` and `false` have the same type, `null` a different one. */
function areBothBooleans(a: JsonIndex, before: number, b: JsonIndex, after: number): boolean {
  return [sourceOf(a, before, 5), sourceOf(b, after, 5)].every(
    (word) => word === 'true' || word === 'false',
  )
}

function valueText(json: JsonIndex, index: number): string {
  return sourceOf(json, index, maxValueLength + 1)
}
