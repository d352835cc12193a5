import { toBytes } from '../../platform/byte-text.ts'
import { EditedText, type Member, type Range, type Style } from '#shared/json/edit.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'
import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'
import { quoteForeign } from '#shared/text/format.ts'

/** Deeper values are not compared as a whole, which would take quadratic time. */
const maxSearchedDepth = 8

/** `body`: as `toBytes` returns it, so that bytes that are not UTF-8 stay. */
export function parseLatin1(body: string): unknown {
  return parseJson(Buffer.from(body, 'latin1').toString().replace('\ufeff', ''))
}

/**
 * JSON of `value`, which a script made of the body. What is equal in both keeps its text: numbers, escapes, members of the same name, white space. So
 * does what the script moved, unless it may come from several places that are written differently.
 */
export function writtenBody(original: string, value: object): string {
  const before = parseLatin1(original)
  if (!isHolder(before)) return toBytes(JSON.stringify(value))
  const to = Math.max(original.lastIndexOf('}'), original.lastIndexOf(']')) + 1
  const range = { from: original.search(/[[{]/), to }
  const root = { range, before, depth: 0 }
  const style = { before: '', close: '', unit: '', colon: ':' }
  const text = new BodyWriter(original, root).like(root, value, true, style)
  if (Array.isArray(before) !== Array.isArray(value)) return text
  return original.slice(0, range.from) + text + original.slice(range.to)
}

/** Numbers that `text` writes otherwise than `original`, and members that it no longer repeats, as parts of a sentence. */
export function lossesIn(original: string, text: string): readonly string[] {
  const [before, after] = [countsOf(original), countsOf(text)]
  const losses = [...before].flatMap(([source, count]) => {
    if (source.startsWith('"')) {
      const isGone = count > (after.get(source) ?? count)
      return isGone ? [`a repeated ${quoteForeign(source.slice(1, -1))} is gone`] : []
    }
    const plain = JSON.stringify(Number(source))
    const isLost = plain !== source && count > (after.get(source) ?? 0)
    const isFound = (after.get(plain) ?? 0) > (before.get(plain) ?? 0)
    return isLost && isFound ? [`${quoteForeign(source)} became ${quoteForeign(plain)}`] : []
  })
  return losses.slice(0, 5)
}

/** How often each number is written, and how many members have the name of another one in the same object. */
function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const open: Set<string>[] = []
  const parser = new JsonParser(text, {}, text.startsWith('\xef\xbb\xbf') ? 3 : 0)
  while (parser.next() < jsonToken.other) {
    const { kind, source } = parser
    const names = open.at(-1)
    const count = counts.get(source) ?? 0
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) open.push(new Set())
    else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) open.pop()
    else if (kind === jsonToken.literal && /^[-\d]/.test(source)) counts.set(source, count + 1)
    else if (kind === jsonToken.key) {
      counts.set(source, names?.has(source) ? count + 1 : count)
      names?.add(source)
    }
  }
  return counts
}

interface Place {
  readonly range: Range
  readonly before: unknown
  readonly depth: number
}

interface Holder extends Place {
  readonly members: readonly Member[]
  readonly style: Style
  /** Whether a script made the value of what is written there, and not of another item of a list. */
  readonly isSure: boolean
}

interface Piece {
  /** Null: it is new. */
  readonly nth: number | null
  readonly text: string
}

class BodyWriter {
  readonly #text: string
  readonly #json: EditedText
  readonly #root: Place
  #moved: ReadonlyMap<string, string | null> | null = null

  constructor(text: string, root: Place) {
    this.#text = text
    this.#json = new EditedText(text)
    this.#root = root
  }

  like(place: Place, value: unknown, isSure: boolean, around: Style): string {
    const { range, before, depth } = place
    const isCertain = isSure || !(isHolder(before) || isRounded(before))
    const isSearched = depth <= maxSearchedDepth || !isHolder(before)
    if (isCertain && isSearched && isSame(before, value)) return this.#json.textOf(range)
    if (!isHolder(before)) return this.#fresh(value)
    const members = this.#json.members(range)
    const style = this.#json.styleOf(range, members, around)
    const holder = { ...place, members, style, isSure }
    if (Array.isArray(before) && Array.isArray(value)) {
      return `[${this.#joined(holder, this.#items(holder, before, value))}]`
    }
    if (!isObject(before) || !isObject(value)) return this.#fresh(value)
    return `{${this.#joined(holder, this.#members(holder, before, value))}}`
  }

  #items(holder: Holder, before: readonly unknown[], items: readonly unknown[]): Piece[] {
    const { members, style, isSure, depth } = holder
    const fieldsOf = (item: unknown): string[] => (depth > maxSearchedDepth ? [] : fieldTexts(item))
    // Items are known by fields that no other one has, since a script may sort, filter and change them.
    const owners = new Map<string, number | null>()
    for (const [nth, item] of before.entries()) {
      for (const field of fieldsOf(item)) owners.set(field, owners.has(field) ? null : nth)
    }
    return items.map((item, place) => {
      const found = new Set(fieldsOf(item).flatMap((field) => owners.get(field) ?? []))
      const [nth = place] = found.size === 1 ? found : []
      const member = found.size === 1 || items.length === before.length ? members[nth] : undefined
      if (!member) return { nth: null, text: this.#fresh(item) }
      const isOwn = found.size === 1 || (depth <= maxSearchedDepth && isSame(before[nth], item))
      const at = { range: member.value, before: before[nth], depth: depth + 1 }
      return { nth, text: this.like(at, item, isSure && isOwn, style) }
    })
  }

  #members(holder: Holder, before: JsonObject, value: JsonObject): Piece[] {
    const { members, style, isSure, depth } = holder
    const named = members.map(({ key, value: range }) => ({ range, name: this.#name(key), key }))
    // Of members with the same name, parsers use the last.
    const last = new Map(named.map(({ name }, nth) => [name, nth]))
    const names = Object.keys(value)
    const kept = named.flatMap(({ name, range, key }, nth) => {
      if (!Object.hasOwn(value, name)) return []
      const at = { range, before: before[name], depth: depth + 1 }
      const isLast = last.get(name) === nth
      const text = isLast ? this.like(at, value[name], isSure, style) : this.#json.textOf(range)
      return [{ nth, name, text: this.#text.slice((key ?? range).from, range.from) + text }]
    })
    const added = names.flatMap((name) => {
      if (last.has(name)) return []
      const text = toBytes(JSON.stringify(name)) + style.colon + this.#fresh(value[name])
      return { nth: null, name, text }
    })
    const all = [...kept, ...added]
    const left = Object.keys(before).filter((name) => Object.hasOwn(value, name))
    const now = names.filter((name) => last.has(name))
    if (left.every((name, nth) => name === now[nth])) return all
    const places = new Map(names.map((name, place) => [name, place]))
    return all.toSorted((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0))
  }

  #name(key: Range | null): string {
    return key ? String(parseLatin1(this.#json.textOf(key))) : ''
  }

  #joined({ range: { from, to }, members, style }: Holder, pieces: readonly Piece[]): string {
    if (pieces.length === 0) return members.length === 0 ? this.#text.slice(from + 1, to - 1) : ''
    const comma = (nth: number): number => this.#text.indexOf(',', members[nth]?.value.to)
    const leads = members.map(({ key, value }, nth) =>
      this.#text.slice((nth === 0 ? from : comma(nth - 1)) + 1, (key ?? value).from),
    )
    const parts = pieces.map(({ nth, text }, place) => {
      const lead = place === 0 ? leads[0] : nth === null || nth === 0 ? style.before : leads[nth]
      const isInside = nth !== null && nth < members.length - 1
      const after = isInside ? this.#text.slice(members[nth]?.value.to, comma(nth)) : ''
      return (lead ?? style.before) + text + after
    })
    return parts.join(',') + style.close
  }

  #fresh(value: unknown): string {
    // A receiver may not take 1.0 for an integer.
    const known = isHolder(value) || isRounded(value) ? this.#movedText(value) : null
    if (known) return known
    if (Array.isArray(value)) return `[${value.map((item) => this.#fresh(item)).join()}]`
    if (!isObject(value)) return toBytes(JSON.stringify(value))
    const fields = Object.entries(value)
    return `{${fields.map(([name, each]) => `${toBytes(JSON.stringify(name))}:${this.#fresh(each)}`).join()}}`
  }

  /** How the value is written in the body; null: in several ways. */
  #movedText(value: unknown): string | null | undefined {
    if (this.#moved) return this.#moved.get(JSON.stringify(value))
    const texts = new Map<string, string | null>()
    const collect = ({ range, before, depth }: Place): void => {
      if (isHolder(before) ? depth <= maxSearchedDepth : isRounded(before)) {
        const key = JSON.stringify(before)
        const source = this.#json.textOf(range)
        texts.set(key, texts.has(key) && texts.get(key) !== source ? null : source)
      }
      if (!isHolder(before)) return
      for (const [nth, { key: name, value: at }] of this.#json.members(range).entries()) {
        const inside = Reflect.get(before, name ? this.#name(name) : nth)
        collect({ range: at, before: inside, depth: depth + 1 })
      }
    }
    collect(this.#root)
    this.#moved = texts
    return texts.get(JSON.stringify(value))
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isRounded(value: unknown): boolean {
  return Number.isFinite(value) && !Number.isSafeInteger(value)
}

function fieldTexts(value: unknown): string[] {
  if (!isObject(value)) return [JSON.stringify(value)]
  return Object.entries(value).map(([name, each]) => `${name} ${JSON.stringify(each)}`)
}
