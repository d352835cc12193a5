import type { TimeBudget } from '../time-budget.ts'
import type { JsonDocument, JsonNode } from './document.ts'
import {
  characterClasses,
  classOf,
  escapeRule,
  escapeRules,
  unitsOf,
  writeString,
  writeUnit,
  type CharacterClass,
  type EscapeRule,
  type StringUnit,
} from './escapes.ts'
import { fill, keptTemplate, layouts, template, type Layout, type Template } from './layouts.ts'
import { libraries, type Library } from './libraries.ts'
import { addedNulls, memberRules, orderRules, type MemberRule } from './members.ts'
import { libraryNumbers, numberRule, typedNumbers } from './numbers.ts'

/** A JSON text that may have been signed. */
export interface Written {
  readonly text: string
  /** How many things differ from the received text, a library being one. */
  readonly choices: number
  /** The library that writes this, if it was tried as one. */
  readonly library: Library | null
}

interface Choice<T> {
  readonly cost: number
  /** Null: as received. */
  readonly rule: T | null
}

/** Of one kind, with those that write something else than the received text. */
type Choices<T> = readonly Choice<T>[]

/** The members of all objects, and their order. */
interface Shape {
  readonly members: Choice<MemberRule>
  readonly order: Choice<MemberRule>
  readonly made: number
}

/** Sets of up to this many classes of characters are tried as well, in addition to those of libraries. */
const maxSubsetClasses = 8
const maxDistinctUnits = 2000
/** With more numbers than that, only rules for all of them are tried. */
const maxTypedNumbers = 2000
const maxNumberNames = 24
const batchSize = 128
/** Above, only whole libraries are tried. */
const freeLength = 1024 * 1024
const maxChoices = 3

/** Writes a document in all ways in which it may have been signed, by what they cost. */
export class Rewriter {
  readonly #document: JsonDocument
  readonly #budget: TimeBudget
  /** By their cost. */
  readonly #shapes: ReadonlyMap<number, readonly Shape[]>
  readonly #escapes: Choices<EscapeRule>
  #layouts: Choices<Layout> | null = null
  #numbers: Choices<readonly string[]> | null = null
  readonly #received: { readonly strings: readonly string[]; readonly numbers: readonly string[] }
  readonly #templates = new Map<JsonNode, Map<Layout, Template>>()
  readonly #strings = new Map<EscapeRule, readonly string[]>()
  readonly #kept: Template
  /** That of the received text; null: none of those known. */
  #ownLayout: Layout | null = null

  constructor(document: JsonDocument, budget: TimeBudget) {
    this.#document = document
    this.#budget = budget
    const { root, strings, numbers } = document
    this.#received = { strings, numbers: numbers.map(({ raw }) => raw) }
    this.#kept = keptTemplate(document)
    const members = effective(root, [...Object.values(memberRules), ...addedNulls(root)])
    this.#shapes = shapesOf(members, effective(root, Object.values(orderRules)))
    this.#escapes = distinctEscapes(strings)
  }

  get free(): boolean {
    return this.#document.tokens.text.length <= freeLength
  }

  /** All texts that cost this much, in batches. */
  async *texts(cost: number): AsyncIterable<readonly Written[]> {
    yield* this.#libraries(cost)
    if (this.free) yield* this.#combinations(cost)
  }

  async *#libraries(cost: number): AsyncIterable<readonly Written[]> {
    const { numbers } = this.#document
    for (const each of libraries) {
      if (each.cost > cost) continue
      const own = { rule: memberRules[each.members], order: each.order && orderRules[each.order] }
      const written = numbers.map(({ raw }) => numberRule(each.numbers)(raw))
      const strings = this.#stringsOf(escapeRules[each.escapes])
      for (const [index, name] of each.layouts.entries()) {
        for (const { members, order, made } of this.#shapes.get(cost - each.cost - index) ?? []) {
          if (made >= maxChoices) continue
          const root = this.#root([own.rule, members.rule, order.rule ?? own.order])
          const from = name === null ? this.#kept : await this.#template(root, layouts[name])
          const text = fill(from, strings, written) + each.end
          yield [{ text, choices: 1 + made, library: each }]
        }
      }
    }
  }

  async *#combinations(cost: number): AsyncIterable<readonly Written[]> {
    const all = await this.#allLayouts()
    const escapes = byCost(this.#escapes)
    const numbers = byCost(this.#allNumbers())
    let batch: Written[] = []
    for (const [spent, shapes] of this.#shapes) {
      for (const layout of all) {
        const rest = cost - spent - layout.cost
        if (rest < 0) continue
        for (const shape of shapes) {
          const made = shape.made + Number(layout.rule !== null)
          if (made > maxChoices) continue
          let from: Template | null | undefined
          for (let first = 0; first <= rest; first += 1) {
            const choices = made + Number(first > 0) + Number(first < rest)
            if (choices === 0 || choices > maxChoices) continue
            const numerals = numbers.get(rest - first) ?? []
            const rules = numerals.length > 0 ? (escapes.get(first) ?? []) : []
            for (const { rule: escape } of rules) {
              from ??= await this.#chosen(shape, layout)
              if (!from) break
              const strings = escape ? this.#stringsOf(escape) : this.#received.strings
              for (const { rule: numeral } of numerals) {
                const text = fill(from, strings, numeral ?? this.#received.numbers)
                batch.push({ text, choices, library: null })
                if (batch.length < batchSize) continue
                yield batch
                batch = []
              }
            }
          }
        }
      }
    }
    if (batch.length > 0) yield batch
  }

  /** Null: the white space of the received text cannot be kept. */
  async #chosen({ members, order }: Shape, layout: Choice<Layout>): Promise<Template | null> {
    const root = this.#root([members.rule, order.rule])
    if (layout.rule) return this.#template(root, layout.rule)
    if (root === this.#document.root) return this.#kept
    return this.#ownLayout && this.#template(root, this.#ownLayout)
  }

  #root(rules: readonly (MemberRule | null)[]): JsonNode {
    let root = this.#document.root
    for (const rule of rules) if (rule) root = this.#rewritten(root, rule)
    return root
  }

  readonly #rewrites = new Map<JsonNode, Map<MemberRule, JsonNode>>()
  #rewritten(root: JsonNode, rule: MemberRule): JsonNode {
    const known = this.#rewrites.get(root) ?? new Map<MemberRule, JsonNode>()
    this.#rewrites.set(root, known)
    const made = known.get(rule) ?? rule.rewrite(root)
    known.set(rule, made)
    return made
  }

  async #template(root: JsonNode, layout: Layout): Promise<Template> {
    const known = this.#templates.get(root) ?? new Map<Layout, Template>()
    if (this.free) this.#templates.set(root, known)
    const made = known.get(layout) ?? (await template(root, layout, this.#budget))
    known.set(layout, made)
    return made
  }

  #stringsOf(rule: EscapeRule): readonly string[] {
    const known = this.#strings.get(rule)
    if (known) return known
    const made = this.#document.strings.map((inside) => writeString(inside, rule))
    this.#strings.set(rule, made)
    return made
  }

  async #allLayouts(): Promise<Choices<Layout>> {
    if (this.#layouts) return this.#layouts
    const { root } = this.#document
    const trimmed = trimTemplate(this.#kept)
    const found = new Map<string, Choice<Layout>>()
    for (const layout of Object.values(layouts).toSorted((a, b) => a.cost - b.cost)) {
      const { texts } = await this.#template(root, layout)
      const key = texts.join('\0')
      if (key === trimmed) this.#ownLayout ??= layout
      else if (!found.has(key)) found.set(key, { cost: layout.cost, rule: layout })
    }
    this.#layouts = [{ cost: 0, rule: null }, ...found.values()]
    return this.#layouts
  }

  #allNumbers(): Choices<readonly string[]> {
    if (this.#numbers) return this.#numbers
    const { numbers } = this.#document
    const found = new Map<string, Choice<readonly string[]>>()
    const add = (cost: number, texts: readonly string[]): void => {
      const key = texts.join(',')
      if (key !== received && !found.has(key)) found.set(key, { cost, rule: texts })
    }
    const received = this.#received.numbers.join(',')
    for (const { cost, write } of libraryNumbers)
      add(
        cost,
        numbers.map(({ raw }) => write(raw)),
      )
    if (numbers.length <= maxTypedNumbers) {
      const names = [...new Set(numbers.map(({ name }) => name))].slice(0, maxNumberNames)
      const groups = [
        { more: 0, chosen: new Set(names) },
        ...names.map((name) => ({ more: 1, chosen: new Set([name]) })),
        ...names.flatMap((name, index) =>
          names.slice(index + 1).map((other) => ({ more: 2, chosen: new Set([name, other]) })),
        ),
      ]
      for (const { cost, write } of typedNumbers) {
        for (const { more, chosen } of groups) {
          const texts = numbers.map(({ raw, name }) => (chosen.has(name) ? write(raw) : raw))
          add(cost + more, texts)
        }
      }
    }
    const sorted = [...found.values()].toSorted((a, b) => a.cost - b.cost)
    this.#numbers = [{ cost: 0, rule: null }, ...sorted]
    return this.#numbers
  }
}

function shapesOf(
  members: Choices<MemberRule>,
  orders: Choices<MemberRule>,
): ReadonlyMap<number, readonly Shape[]> {
  const all = members.flatMap((one) =>
    orders.map((order): Shape => ({
      members: one,
      order,
      made: Number(one.rule !== null) + Number(order.rule !== null),
    })),
  )
  return Map.groupBy(all, ({ members: one, order }) => one.cost + order.cost)
}

function byCost<T>(choices: Choices<T>): ReadonlyMap<number, Choices<T>> {
  return Map.groupBy(choices, ({ cost }) => cost)
}

function trimTemplate({ texts }: Template): string {
  const trimmed = [...texts]
  trimmed[0] = trimmed[0]?.trimStart() ?? ''
  const last = trimmed.length - 1
  trimmed[last] = trimmed[last]?.trimEnd() ?? ''
  return trimmed.join('\0')
}

function effective(root: JsonNode, rules: readonly MemberRule[]): Choices<MemberRule> {
  const changing = rules.filter(({ rewrite }) => rewrite(root) !== root)
  return [{ cost: 0, rule: null }, ...changing.map((rule) => ({ cost: rule.cost, rule }))]
}

interface Special {
  readonly unit: StringUnit
  readonly before: number
}

/** Each special character once for each way in which it is written. */
function specialsIn(strings: readonly string[]): Special[] {
  const found = new Map<string, Special>()
  for (const inside of strings) {
    let before = 0
    for (const unit of unitsOf(inside)) {
      const special = unit.raw.length > 1 || classOf(unit.code, before) !== null
      const key = unit.raw === '/' && before === 0x3c ? '</' : unit.raw
      if (special && !found.has(key)) found.set(key, { unit, before })
      before = unit.code
    }
    if (found.size > maxDistinctUnits) break
  }
  return [...found.values()]
}

/** The rules of libraries, then every set of classes that occur. Only those that write these strings differently. */
function distinctEscapes(strings: readonly string[]): Choices<EscapeRule> {
  const specials = specialsIn(strings)
  const received = specials.map(({ unit }) => unit.raw).join('\0')
  const found = new Map<string, Choice<EscapeRule>>()
  const add = (rule: EscapeRule): void => {
    const key = specials.map(({ unit, before }) => writeUnit(unit, before, rule)).join('\0')
    if (key !== received && !found.has(key)) found.set(key, { cost: rule.cost, rule })
  }
  const library = Object.values<EscapeRule>(escapeRules).toSorted((a, b) => a.cost - b.cost)
  for (const rule of library) add(rule)
  for (const rule of subsets(specials)) add(rule)
  return [{ cost: 0, rule: null }, ...[...found.values()].toSorted((a, b) => a.cost - b.cost)]
}

function* subsets(specials: readonly Special[]): Iterable<EscapeRule> {
  const present = new Set(specials.map(({ unit, before }) => classOf(unit.code, before)))
  const classes = characterClasses.filter((name) => present.has(name)).slice(0, maxSubsetClasses)
  for (const upper of [[], ['ascii'], ['other'], ['ascii', 'other', 'control']] as const) {
    for (let set = 0; set < 1 << classes.length; set += 1) {
      const chosen: CharacterClass[] = classes.filter((_, index) => (set & (1 << index)) !== 0)
      yield escapeRule(chosen, { cost: 5 + Math.min(1, upper.length), upper })
    }
  }
}
