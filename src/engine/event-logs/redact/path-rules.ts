import { readPath, type Segment } from './path-syntax.ts'

/** State of all rules at one place of a JSON text. */
export interface PathMatch {
  /** Why exactly this place is redacted. Null: no rule matches it. */
  readonly hit: PathRuleKind | null
  /** Rules that may match something below: rule number and next segment. */
  readonly states: readonly State[]
}

/** A rule of the user, or a path to a person's name from the catalogue. */
type PathRuleKind = 'rule' | 'name'

interface State {
  readonly rule: number
  readonly next: number
}

const noMatch: PathMatch = { hit: null, states: [] }

/** Path rules. All of them are matched in one pass while a JSON text is read. */
export class PathRules {
  readonly #rules: readonly (readonly Segment[])[]
  /** Number of rules of the user. The paths to names follow them. */
  readonly #userRuleCount: number
  readonly #root: PathMatch
  /** A rule counts elements from the end, so array lengths must be known in advance. */
  readonly needsLengths: boolean

  /** `names`: paths to names of people. Throws `bad_input` for an invalid path. */
  constructor(paths: readonly string[], names: readonly string[] = []) {
    this.#rules = [...paths, ...names].map((path) => readPath(path))
    this.#userRuleCount = paths.length
    this.#root = {
      hit: this.#kindOf(this.#rules.findIndex((segments) => segments.length === 0)),
      states: this.#rules.flatMap((segments, rule) =>
        segments.length > 0 ? [{ rule, next: 0 }] : [],
      ),
    }
    this.needsLengths = this.#rules.some((segments) => segments.some(({ fromEnd }) => fromEnd))
  }

  get empty(): boolean {
    return this.#rules.length === 0
  }

  root(): PathMatch {
    return this.#root
  }

  /** Returns the match of a member of an object or an element of an array. `parent`: the match of that object or array. `length`: of the array. */
  child(parent: PathMatch, step: string | number, length: number): PathMatch {
    if (parent.states.length === 0) return noMatch
    let hit: PathRuleKind | null = null
    let states: State[] | null = null
    for (const state of parent.states) {
      const { rule, next } = state
      const segments = this.#rules[rule] ?? []
      const segment = segments[next]
      if (!segment) continue
      if (selectsStep(segment, step, length)) {
        if (next + 1 === segments.length) hit ??= this.#kindOf(rule)
        else addState((states ??= []), { rule, next: next + 1 })
      }
      if (segment.descends) addState((states ??= []), state)
    }
    return hit === null && states === null ? noMatch : { hit, states: states ?? [] }
  }

  #kindOf(rule: number): PathRuleKind | null {
    if (rule === -1) return null
    return rule < this.#userRuleCount ? 'rule' : 'name'
  }
}

function selectsStep({ selectors }: Segment, step: string | number, length: number): boolean {
  for (const selects of selectors) if (selects(step, length)) return true
  return false
}

function addState(states: State[], added: State): void {
  for (const { rule, next } of states) if (rule === added.rule && next === added.next) return
  states.push(added)
}
