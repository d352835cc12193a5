import { readPath, type Segment } from './path-syntax.ts'

/** The state of all rules at one place of a JSON text. */
export interface PathMatch {
  /** Null: no rule matches exactly this place. */
  readonly hit: PathRuleKind | null
  /** Rule number and next segment of rules that may match something below. */
  readonly states: readonly State[]
}

type PathRuleKind = 'rule' | 'name'

interface State {
  readonly rule: number
  readonly next: number
}

const noMatch: PathMatch = { hit: null, states: [] }

/** All rules are matched in one pass while a JSON text is read. */
export class PathRules {
  readonly #rules: readonly (readonly Segment[])[]
  /** The paths to names follow them. */
  readonly #userRuleCount: number
  readonly #root: PathMatch
  /** A rule counts elements from the end. */
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

  /** `length`: of the array. */
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
