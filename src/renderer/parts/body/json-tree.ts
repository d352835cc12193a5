import { type JsonIndex, type JsonKind, ancestors, keyOf, kindOf, sourceOf } from './json-index.ts'
import { lastUpTo } from './search.ts'

const maxTextLength = 500
/** Up to this many values, a document starts expanded to `initialDepth`; a larger one to `initialDepthOfLarge`. */
const smallDocument = 400
const initialDepth = 40
const initialDepthOfLarge = 2

export interface TreeRow {
  readonly index: number
  readonly depth: number
  readonly key: string | number | null
  readonly kind: JsonKind
  /** The source text of a scalar, truncated if long; empty for an object or array. */
  readonly text: string
  readonly children: number
  readonly folded: boolean
}

/** A collapsible tree that computes its visible lines. */
export class JsonTree {
  readonly #json: JsonIndex
  /** Branches at this depth or deeper are collapsed, except for those in `#turned`. Branches above are expanded, except for those. */
  #deepest: number
  #turned = new Set<number>()
  #revealed: readonly number[] = []
  #seen: Int32Array | null = null

  constructor(json: JsonIndex) {
    this.#json = json
    this.#deepest = json.count <= smallDocument ? initialDepth : initialDepthOfLarge
  }

  get count(): number {
    return this.#lines().length
  }

  row(line: number): TreeRow | null {
    const json = this.#json
    const index = this.#lines()[line]
    if (index === undefined) return null
    const kind = kindOf(json, index)
    const scalar = kind !== 'object' && kind !== 'array'
    return {
      index,
      depth: json.depths[index] ?? 0,
      key: shortKey(keyOf(json, index)),
      kind,
      text: scalar ? sourceOf(json, index, maxTextLength + 1) : '',
      children: json.children[index] ?? 0,
      folded: this.isFolded(index),
    }
  }

  /** The line of a value, or of the collapsed branch that hides it. */
  lineOf(index: number): number {
    return lastUpTo(this.#lines(), index)
  }

  parentOf(index: number): number {
    return ancestors(this.#json, index).at(-1) ?? 0
  }

  isFolded(index: number): boolean {
    const { children, depths } = this.#json
    if ((children[index] ?? 0) === 0) return false
    return (depths[index] ?? 0) >= this.#deepest !== this.#turned.has(index)
  }

  fold(index: number, folded: boolean): void {
    // Branches that a search expanded stay expanded once the user collapses or expands one.
    this.#revealed = []
    this.#turn(index, folded)
    this.#seen = null
  }

  /** Collapses everything below the root, or expands everything. */
  foldAll(folded: boolean): void {
    this.#deepest = folded ? 1 : Infinity
    this.#turned = new Set()
    this.#revealed = []
    this.#seen = null
  }

  /** Expands the ancestors of a value until another value is revealed. */
  reveal(index: number | null): void {
    for (const turned of this.#revealed) this.#turn(turned, true)
    const folded =
      index === null ? [] : ancestors(this.#json, index).filter((above) => this.isFolded(above))
    for (const above of folded) this.#turn(above, false)
    if (folded.length > 0 || this.#revealed.length > 0) this.#seen = null
    this.#revealed = folded
  }

  #turn(index: number, folded: boolean): void {
    if ((this.#json.children[index] ?? 0) === 0 || this.isFolded(index) === folded) return
    if (!this.#turned.delete(index)) this.#turned.add(index)
  }

  #lines(): Int32Array {
    if (this.#seen) return this.#seen
    const { count, ends } = this.#json
    const seen = new Int32Array(count)
    let lines = 0
    for (let index = 0; index < count; lines++) {
      seen[lines] = index
      index = this.isFolded(index) ? (ends[index] ?? index + 1) : index + 1
    }
    // A short copy: a collapsed document shows only a few of up to two million values.
    this.#seen = lines === count ? seen : seen.slice(0, lines)
    return this.#seen
  }
}

function shortKey(key: string | number | null): string | number | null {
  return typeof key === 'string' && key.length > maxTextLength
    ? key.slice(0, maxTextLength + 1)
    : key
}

/** Returns the values whose key or scalar contains `query`, ignoring case. */
export function valuesWith(json: JsonIndex, query: string): number[] {
  const hits: number[] = []
  if (query === '') return hits
  const low = query.toLowerCase()
  for (let index = 0; index < json.count; index++) {
    const key = keyOf(json, index)
    const scalar = (json.kinds[index] ?? 0) > 1
    if (
      (typeof key === 'string' && key.toLowerCase().includes(low)) ||
      (scalar && sourceOf(json, index).toLowerCase().includes(low))
    ) {
      hits.push(index)
    }
  }
  return hits
}
