import { readPath, type Segment } from './path-syntax.ts'

/** How far the rules have come at one place of a JSON text. */
export interface PathMatch {
  /** A rule means exactly this place. */
  readonly hit: boolean
  /** Of each rule that may still come to something below: its number and the segment that is next. */
  readonly states: readonly State[]
}

interface State {
  readonly rule: number
  readonly next: number
}

const nowhere: PathMatch = { hit: false, states: [] }

/** Rules by path, followed all at once while a JSON text is read from front to back. */
export class PathRules {
  readonly #rules: readonly (readonly Segment[])[]

  /** Throws `bad_input` for a path that cannot be read. */
  constructor(paths: readonly string[]) {
    this.#rules = paths.map((path) => readPath(path))
  }

  get empty(): boolean {
    return this.#rules.length === 0
  }

  root(): PathMatch {
    return {
      hit: this.#rules.some((segments) => segments.length === 0),
      states: this.#rules.flatMap((segments, rule) =>
        segments.length > 0 ? [{ rule, next: 0 }] : [],
      ),
    }
  }

  /** What holds for a member of the object, or an element of the array, where `parent` holds. `length`: of the array. */
  child(parent: PathMatch, step: string | number, length: number): PathMatch {
    if (parent.states.length === 0) return nowhere
    let hit = false
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
        if (next + 1 === segments.length) hit = true
        else add(rule, next + 1)
      }
      if (segment.descends) add(rule, next)
    }
    return hit || states.length > 0 ? { hit, states } : nowhere
  }

  /** Some element is counted from the end: the length of every array must be known. */
  get needsLengths(): boolean {
    return this.#rules.some((segments) => segments.some(({ fromEnd }) => fromEnd))
  }
}
