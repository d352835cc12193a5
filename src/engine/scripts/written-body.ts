import { EditedText, type Member, type Range, type Style } from '#shared/json/edit.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'
import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'

/**
 * JSON of `value` in the notation of `original`, of which a script made it. What is equal in both keeps its text: numbers that JavaScript rounds or writes
 * otherwise, escapes, members of the same name. So do integers that JavaScript rounds where the script moved them.
 */
export function writtenBody(original: string, value: object): string {
  const before = parseJson(original.replace('\ufeff', ''))
  if (!isObject(before)) return JSON.stringify(value)
  const json = new EditedText(original)
  const style = { before: '', close: '', unit: '', colon: ':' }
  return new BodyWriter(json, largeIntegers(original)).like(json.root(), before, value, style)
}

/** What the text, which a script made itself, rounds. */
export function roundedIn(original: string, text: string): readonly string[] {
  const now = largeIntegers(text)
  return [...largeIntegers(original)]
    .filter(([value, source]) => source !== String(value) && now.get(value) === String(value))
    .map(([value, source]) => `${source} became ${value}`)
    .slice(0, 5)
}

/** As written, by the values that JavaScript gives them. */
function largeIntegers(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const parser = new JsonParser(text)
  while (parser.next() < jsonToken.other) {
    const { kind, source } = parser
    const isLarge = source.length > 15 && /^-?\d+$/.test(source)
    if (kind === jsonToken.literal && isLarge) found.set(Number(source), source)
  }
  return found
}

class BodyWriter {
  readonly #json: EditedText
  readonly #integers: ReadonlyMap<number, string>

  constructor(json: EditedText, integers: ReadonlyMap<number, string>) {
    this.#json = json
    this.#integers = integers
  }

  like(range: Range, before: unknown, value: unknown, around: Style): string {
    const json = this.#json
    if (JSON.stringify(before) === JSON.stringify(value)) return json.textOf(range)
    const members = json.members(range)
    const style = json.styleOf(range, members, around)
    const joined = (items: readonly string[]): string =>
      items.map((item) => style.before + item).join(',') + style.close
    if (Array.isArray(before) && Array.isArray(value))
      return `[${joined(this.#items(members, before, value, style))}]`
    if (!isObject(before) || !isObject(value)) return this.#fresh(value)
    return `{${joined(this.#members(members, before, value, style))}}`
  }

  #items(
    members: readonly Member[],
    before: readonly unknown[],
    value: readonly unknown[],
    style: Style,
  ): string[] {
    const texts = new Map(
      members.map((one, nth) => [JSON.stringify(before[nth]), this.#json.textOf(one.value)]),
    )
    return value.map((item, nth) => {
      const same = members.length === value.length ? members[nth] : undefined
      if (same) return this.like(same.value, before[nth], item, style)
      return texts.get(JSON.stringify(item)) ?? this.#fresh(item)
    })
  }

  #members(
    members: readonly Member[],
    before: JsonObject,
    value: JsonObject,
    style: Style,
  ): string[] {
    const json = this.#json
    const named = members.flatMap(({ key, value: own }) =>
      key ? [{ key, own, name: String(json.string(key)) }] : [],
    )
    // Of members with the same name, parsers use the last.
    const last = new Map(named.map((one) => [one.name, one]))
    const names = Object.keys(value)
    const kept = named
      .filter(({ name }) => Object.hasOwn(value, name))
      .map((one) => {
        const { key, own, name } = one
        const isLast = last.get(name) === one
        const text = isLast ? this.like(own, before[name], value[name], style) : json.textOf(own)
        return { name, text: json.textOf({ from: key.from, to: own.from }) + text }
      })
    const added = names
      .filter((name) => !last.has(name))
      .map((name) => ({
        name,
        text: JSON.stringify(name) + style.colon + this.#fresh(value[name]),
      }))
    const all = [...kept, ...added]
    const old = Object.keys(before).filter((name) => Object.hasOwn(value, name))
    const now = names.filter((name) => last.has(name))
    const places = new Map(names.map((name, nth) => [name, nth]))
    const place = ({ name }: { name: string }): number => places.get(name) ?? 0
    const isMoved = old.some((name, nth) => name !== now[nth])
    return (isMoved ? all.toSorted((a, b) => place(a) - place(b)) : all).map(({ text }) => text)
  }

  #fresh(value: unknown): string {
    if (typeof value === 'number') return this.#integers.get(value) ?? JSON.stringify(value)
    if (Array.isArray(value)) return `[${value.map((item) => this.#fresh(item)).join()}]`
    if (!isObject(value)) return JSON.stringify(value)
    const fields = Object.entries(value)
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${this.#fresh(each)}`).join()}}`
  }
}
