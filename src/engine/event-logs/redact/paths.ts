import { readPath, type Segment } from './path-syntax.ts'

/** How far the rules have come at one place of a JSON text. */
export interface PathMatch {
  /** Why exactly this place goes; null: no rule means it. */
  readonly hit: PathKind | null
  /** Of each rule that may still come to something below: its number and the segment that is next. */
  readonly states: readonly State[]
}

/** The user's rule, or the name of somebody by our own catalogue. */
type PathKind = 'rule' | 'name'

interface State {
  readonly rule: number
  readonly next: number
}

const nowhere: PathMatch = { hit: null, states: [] }

/** Rules by path, followed all at once while a JSON text is read from front to back. */
export class PathRules {
  readonly #rules: readonly (readonly Segment[])[]
  /** Behind so many rules of the user come the paths to names. */
  readonly #own: number

  /** `names`: paths to names of people. Throws `bad_input` for a path that cannot be read. */
  constructor(paths: readonly string[], names: readonly string[] = []) {
    this.#rules = [...paths, ...names].map((path) => readPath(path))
    this.#own = paths.length
  }

  get empty(): boolean {
    return this.#rules.length === 0
  }

  root(): PathMatch {
    return {
      hit: this.#kindOf(this.#rules.findIndex((segments) => segments.length === 0)),
      states: this.#rules.flatMap((segments, rule) =>
        segments.length > 0 ? [{ rule, next: 0 }] : [],
      ),
    }
  }

  /** What holds for a member of the object, or an element of the array, where `parent` holds. `length`: of the array. */
  child(parent: PathMatch, step: string | number, length: number): PathMatch {
    if (parent.states.length === 0) return nowhere
    let hit: PathKind | null = null
    const states: State[] = []
    const add = (rule: number, next: number): void => {
      if (!states.some((state) => state.rule === rule && state.next === next)) {
        states.push({ rule, next })
      }
    }
    for (const { rule, next } of parent.states) {
      const segments = this.#rules[rule] ?? []
      const segment = segments[next]
      if (!segment) continue
      if (segment.selectors.some((selects) => selects(step, length))) {
        if (next + 1 === segments.length) hit ??= this.#kindOf(rule)
        else add(rule, next + 1)
      }
      if (segment.descends) add(rule, next)
    }
    return hit !== null || states.length > 0 ? { hit, states } : nowhere
  }

  #kindOf(rule: number): PathKind | null {
    if (rule === -1) return null
    return rule < this.#own ? 'rule' : 'name'
  }

  /** Some element is counted from the end: the length of every array must be known. */
  get needsLengths(): boolean {
    return this.#rules.some((segments) => segments.some(({ fromEnd }) => fromEnd))
  }
}
