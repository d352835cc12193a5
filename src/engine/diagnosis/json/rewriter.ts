import type { TimeBudget } from '../time-budget.ts'
import { textOf, type JsonDocument, type JsonNode, type Member } from './document.ts'
import {
  characterClasses,
  classOf,
  escapeRule,
  specialUnits,
  writeString,
  writeUnit,
  type EscapeRule,
  type PlacedUnit,
} from './escapes.ts'
import { fill, keptTemplate, layouts, template, type Layout, type Template } from './layouts.ts'
import { libraries, type Library } from './libraries.ts'
import { addedNulls, memberRules, orderRules, type MemberRule } from './members.ts'
import {
  hasExponent,
  isRounded,
  numberRules,
  originalsOf,
  typedNumbers,
  type NumberRuleName,
} from './numbers.ts'

/** A JSON text that may have been signed. */
export interface Written {
  readonly text: string
  /** How many things differ from the received text, a library being one. */
  readonly choices: number
  /** The library that writes this, if it was tried as one. */
  readonly library: Library | null
  /** Grows with how unlikely the text of a library is. */
  readonly cost?: number
}

interface Choice<T> {
  readonly cost: number
  /** Null: as received. */
  readonly rule: T | null
}

type Choices<T> = readonly Choice<T>[]

const received = { cost: 0, rule: null } as const

interface Shape {
  readonly members: Choice<MemberRule>
  readonly order: Choice<MemberRule>
  readonly made: number
}

/** From this cost, notations are prepared that are rare or many. */
const furtherCost = 4
/** Sets of up to this many classes of characters are tried as well, in addition to those of libraries. */
const maxSubsetClasses = 8
const maxDistinctUnits = 2000
/** With more numbers than that, only rules for all of them are tried. */
const maxTypedNumbers = 2000
const maxNumberNames = 24
/** In characters. Large texts come one by one, so that the caller can pause between them. */
const batchLength = 32 * 1024
/** Above, only whole libraries are tried. */
const freeLength = 1024 * 1024
/** Above, the texts of libraries are tried by their cost alone, and no orders of keys. */
const shortLength = 64 * 1024
const maxChoices = 3
const maxZeroNames = 5
/** JavaScript leaves out the zeros of whole numbers, which most others write. */
const zeroCosts = [1, 0]
const manyNumbers = 50
/** Five keys, and as many in `data`. */
const maxOrders = 15_000

/** Writes a document in all ways in which it may have been signed, by what they cost. */
export class Rewriter {
  readonly #document: JsonDocument
  readonly #specials: readonly PlacedUnit[]
  readonly #budget: TimeBudget
  #shapes: ReadonlyMap<number, readonly Shape[]>
  #escapes: ReadonlyMap<number, Choices<EscapeRule>> = new Map()
  #isFurther = false
  #layouts: Choices<Layout> | null = null
  #numbers: Choices<readonly string[]> | null = null
  readonly #received: { readonly strings: readonly string[]; readonly numbers: readonly string[] }
  readonly #templates = new Map<JsonNode, Map<Layout, Template>>()
  readonly #strings = new Map<EscapeRule, readonly string[]>()
  readonly #kept: Template
  #ownLayout: Layout | null = null

  private constructor(document: JsonDocument, budget: TimeBudget, specials: readonly PlacedUnit[]) {
    this.#document = document
    this.#budget = budget
    this.#specials = specials
    const { strings, numbers } = document
    this.#received = { strings, numbers: numbers.map(({ raw }) => raw) }
    this.#kept = keptTemplate(document)
    this.#shapes = shapesOf([received], [received])
  }

  static async create(document: JsonDocument, budget: TimeBudget): Promise<Rewriter> {
    const rewriter = new Rewriter(document, budget, await specialsIn(document.strings, budget))
    if (rewriter.free) await rewriter.#addShapes([])
    await rewriter.#addEscapes(false)
    return rewriter
  }

  get free(): boolean {
    return this.#document.tokens.text.length <= freeLength
  }

  get #isShort(): boolean {
    return this.#document.tokens.text.length <= shortLength
  }

  /** As each library writes the JSON: as received, then with zeros at the end of numbers that may have been lost on the way. */
  async *rewritings(): AsyncIterable<readonly Written[]> {
    if (!this.#isShort) return
    const { text: received } = this.#document.tokens
    const batchSize = batchLength / (received.length + 1)
    let batch: Written[] = []
    const byNumbers = Map.groupBy(libraries, ({ numbers }) => numbers)
    const numerals = new Set<string>()
    for (const [nth, originals] of [...this.#originals()].entries()) {
      const seen = new Set([received])
      const written = new Map<NumberRuleName, readonly string[]>()
      for (const name of byNumbers.keys()) {
        const numbers = await this.#writtenNumbers(name, originals)
        const key = `${name} ${numbers.join()}`
        if (!numerals.has(key)) written.set(name, numbers)
        numerals.add(key)
      }
      for (const each of libraries) {
        const numbers = written.get(each.numbers)
        if (!numbers || each.isUnordered) continue
        const strings = await this.#stringsOf(each.escapes)
        const root = this.#root([memberRules[each.members], each.order && orderRules[each.order]])
        for (const [index, name] of each.layouts.entries()) {
          const from = name === null ? this.#kept : await this.#template(root, layouts[name])
          const text = each.start + fill(from, strings, numbers) + each.end
          if (seen.has(text)) continue
          seen.add(text)
          const cost = each.cost + 2 * index + (zeroCosts[nth] ?? 3)
          batch.push({ text, choices: 1, library: each, cost })
          if (batch.length < batchSize) continue
          yield batch
          batch = []
        }
      }
    }
    if (batch.length > 0) yield batch
  }

  /** False: there are too many orders of the keys of the JSON and of `data` to try them. */
  get canBeReordered(): boolean {
    const [all, data] = this.#ownKeys
    return factorial(all.length) * factorial(data.length) <= maxOrders
  }

  /** A whole number that JavaScript may have rounded. */
  get rounded(): JsonDocument['numbers'][number] | undefined {
    return this.#document.numbers.find(({ raw }) => isRounded(raw))
  }

  get #ownKeys(): readonly [all: readonly Member[], data: readonly Member[]] {
    const { root } = this.#document
    const all = root.kind === 'object' ? root.members : []
    const data = all.find(({ key }) => textOf(key) === 'data')?.value
    return [all, data?.kind === 'object' ? data.members : []]
  }

  /** Compact, with the keys of the JSON and of `data` in any order, as maps of some languages write them. */
  async *orders(): AsyncIterable<readonly Written[]> {
    const [all, data] = this.#ownKeys
    if (!this.#isShort || all.length === 0) return
    const place = all.findIndex(({ value }) => value.kind === 'object' && value.members === data)
    const outer = ordersOf(all, maxOrders)
    const inner = ordersOf(data, maxOrders / factorial(all.length))
    const { numbers: raws } = this.#received
    const zeros = raws.map((raw) => originalsOf(raw)[1] ?? raw)
    const seen = new Set<string>()
    for (const library of libraries.filter(({ isUnordered }) => isUnordered)) {
      const strings = await this.#stringsOf(library.escapes)
      for (const originals of [raws, zeros]) {
        const numbers = await this.#writtenNumbers(library.numbers, originals)
        const write = async (node: JsonNode): Promise<string> =>
          fill(await this.#template(node, layouts.compact), strings, numbers)
        const texts = new Map<Member, string>()
        for (const member of [...all, ...data])
          texts.set(member, `${await write(member.key)}:${await write(member.value)}`)
        const key = [...texts.values()].join()
        if (seen.has(key)) continue
        seen.add(key)
        const joined = (members: readonly Member[]): string =>
          `{${members.map((member) => texts.get(member)).join()}}`
        for (const ordered of inner) {
          const own = all[place]
          if (own) texts.set(own, `"data":${joined(ordered)}`)
          for (const members of outer) yield [{ text: joined(members), choices: 1, library }]
        }
      }
    }
  }

  /** The numbers as received, then with zeros: of all, of one name, of several. */
  *#originals(): Iterable<readonly string[]> {
    const { numbers } = this.#document
    yield this.#received.numbers
    const most = numbers.length > manyNumbers ? 2 : maxZeroNames
    const changed = numbers.filter(({ raw }) => originalsOf(raw).length > 1)
    const axis = ({ name, raw }: (typeof numbers)[number]): string =>
      hasExponent(raw) ? 'e' : name
    const names = [...new Set(changed.map(axis))].slice(0, most)
    let sets: readonly (readonly number[])[] = [[]]
    for (const _ of names) sets = sets.flatMap((set) => [0, 1, 2].map((nth) => [...set, nth]))
    for (const set of sets.toSorted((a, b) => zerosIn(a) - zerosIn(b)).slice(1)) {
      yield numbers.map((each) => {
        const { raw } = each
        return originalsOf(raw)[set[names.indexOf(axis(each))] ?? 0] ?? raw
      })
    }
  }

  /** All texts that cost this much, in batches: as libraries write them, or any other. */
  async *texts(by: 'library' | 'choice', cost: number): AsyncIterable<readonly Written[]> {
    if (this.free && cost >= furtherCost && !this.#isFurther) await this.#addFurther()
    if (by === 'library') yield* this.#libraries(cost)
    else if (this.free) yield* this.#combinations(cost)
  }

  async #addFurther(): Promise<void> {
    this.#isFurther = true
    await this.#addShapes(addedNulls(this.#document.root))
    await this.#addEscapes(true)
  }

  async #addShapes(further: readonly MemberRule[]): Promise<void> {
    const members = await this.#effective([...Object.values(memberRules), ...further])
    this.#shapes = shapesOf(members, await this.#effective(Object.values(orderRules)))
  }

  /** The rules of libraries, and with `sets` every set of classes that occur. Only those that write these strings differently. */
  async #addEscapes(sets: boolean): Promise<void> {
    const specials = this.#specials
    const own = specials.map(({ raw }) => raw).join('\0')
    const found = new Map<string, Choice<EscapeRule>>()
    const rules = new Set(libraries.map(({ escapes }) => escapes))
    for (const rule of [...rules, ...(sets ? subsets(specials) : [])]) {
      const key = specials.map((unit) => writeUnit(unit, unit.before, rule)).join('\0')
      if (key !== own && !found.has(key)) found.set(key, { cost: rule.cost, rule })
      if (this.#budget.due) await this.#budget.yield()
    }
    const sorted = [...found.values()].toSorted((a, b) => a.cost - b.cost)
    this.#escapes = byCost<EscapeRule>([received, ...sorted])
  }

  async #effective(rules: readonly MemberRule[]): Promise<Choices<MemberRule>> {
    const { root } = this.#document
    const found: Choice<MemberRule>[] = [received]
    for (const rule of rules) {
      if (this.#rewritten(root, rule) !== root) found.push({ cost: rule.cost, rule })
      if (this.#budget.due) await this.#budget.yield()
    }
    return found
  }

  async *#libraries(cost: number): AsyncIterable<readonly Written[]> {
    for (const each of libraries) {
      // The members of a large body are not rewritten, which would take too long.
      const isLarge = !this.free && (each.order === 'sorted' || each.members !== 'lastOfEqual')
      if (each.cost > cost || isLarge || each.isUnordered) continue
      const order = each.order && orderRules[each.order]
      const written = await this.#writtenNumbers(each.numbers, this.#received.numbers)
      const strings = await this.#stringsOf(each.escapes)
      for (const [index, name] of each.layouts.entries()) {
        for (const shape of this.#shapes.get(cost - each.cost - index) ?? []) {
          if (shape.made >= maxChoices) continue
          const rules = [memberRules[each.members], shape.members.rule, shape.order.rule ?? order]
          const root = this.free ? this.#root(rules) : this.#document.root
          const from = name === null ? this.#kept : await this.#template(root, layouts[name])
          const text = fill(from, strings, written) + each.end
          yield [{ text, choices: 1 + shape.made, library: each }]
        }
      }
    }
  }

  async *#combinations(cost: number): AsyncIterable<readonly Written[]> {
    const all = await this.#allLayouts()
    const batchSize = batchLength / (this.#document.tokens.text.length + 1)
    const escapes = this.#escapes
    const numbers = byCost(await this.#allNumbers())
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
              const strings = escape
                ? (this.#strings.get(escape) ?? (await this.#stringsOf(escape)))
                : this.#received.strings
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

  async #stringsOf(rule: EscapeRule): Promise<readonly string[]> {
    const known = this.#strings.get(rule)
    if (known) return known
    const made: string[] = []
    for (const inside of this.#document.strings) {
      made.push(writeString(inside, rule))
      if (made.length % 256 === 0 && this.#budget.due) await this.#budget.yield()
    }
    this.#strings.set(rule, made)
    return made
  }

  readonly #writtenBy = new Map<NumberRuleName, Map<string, string>>()
  async #writtenNumbers(name: NumberRuleName, raws: readonly string[]): Promise<readonly string[]> {
    const known = this.#writtenBy.get(name) ?? new Map<string, string>()
    this.#writtenBy.set(name, known)
    for (const [index, raw] of raws.entries()) {
      if (!known.has(raw)) known.set(raw, numberRules[name](raw))
      if (index % 256 === 0 && this.#budget.due) await this.#budget.yield()
    }
    return raws.map((raw) => known.get(raw) ?? raw)
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
    this.#layouts = [received, ...found.values()]
    return this.#layouts
  }

  async #allNumbers(): Promise<Choices<readonly string[]>> {
    if (this.#numbers) return this.#numbers
    const { numbers } = this.#document
    const found = new Map<string, Choice<readonly string[]>>()
    const add = (cost: number, texts: readonly string[]): void => {
      const key = texts.join(',')
      if (key !== own && !found.has(key)) found.set(key, { cost, rule: texts })
    }
    const own = this.#received.numbers.join(',')
    for (const [name, [library]] of Map.groupBy(libraries, (each) => each.numbers)) {
      const cost = Math.max(2, (library?.cost ?? 0) - 1)
      add(cost, await this.#writtenNumbers(name, this.#received.numbers))
    }
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
          if (this.#budget.due) await this.#budget.yield()
        }
      }
    }
    const sorted = [...found.values()].toSorted((a, b) => a.cost - b.cost)
    this.#numbers = [received, ...sorted]
    return this.#numbers
  }
}

/** As doubles or decimals, all are more likely than some. */
const zerosIn = (set: readonly number[]): number =>
  set.every((nth) => nth === 1) ? 0.5 : set.filter(Boolean).length

function factorial(count: number): number {
  return count < 2 ? 1 : count * factorial(count - 1)
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}

/** All, or if these are too many, sorted, and from each key on: a small map of Go begins anywhere, and goes on in the order in which it was filled. */
function ordersOf(members: readonly Member[], most: number): readonly (readonly Member[])[] {
  if (factorial(members.length) <= most) return permutations(members)
  const sorted = orderRules.sortedFirstLevel.rewrite({ kind: 'object', members })
  const turned = members.map((_, at) => [...members.slice(at), ...members.slice(0, at)])
  return sorted.kind === 'object' ? [sorted.members, ...turned] : turned
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

async function specialsIn(strings: readonly string[], budget: TimeBudget): Promise<PlacedUnit[]> {
  const found = new Map<string, PlacedUnit>()
  for (const [index, inside] of strings.entries()) {
    for (const unit of specialUnits(inside)) {
      const key = unit.raw === '/' && unit.before === 0x3c ? '</' : unit.raw
      if (!found.has(key)) found.set(key, unit)
    }
    if (found.size > maxDistinctUnits) break
    if (index % 256 === 0 && budget.due) await budget.yield()
  }
  return [...found.values()]
}

function* subsets(specials: readonly PlacedUnit[]): Iterable<EscapeRule> {
  const present = new Set(specials.map(({ code, before }) => classOf(code, before)))
  const classes = characterClasses.filter((name) => present.has(name)).slice(0, maxSubsetClasses)
  for (const upper of ['', '^ascii', '^other', '^']) {
    for (let set = 0; set < 1 << classes.length; set += 1) {
      const chosen = classes.filter((_, index) => (set & (1 << index)) !== 0)
      yield escapeRule(chosen, 5 + Number(upper !== ''), upper)
    }
  }
}
