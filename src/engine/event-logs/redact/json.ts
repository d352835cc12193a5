import { jsonToken, JsonTokenizer, stringEnd } from '#shared/json/tokenizer.ts'
import type { Edit, RemovalKind } from './edits.ts'
import { isCard } from './accounts.ts'
import { isMarked } from './pairs.ts'
import { holdsSecrets, meaningOf } from './names.ts'
import type { PathMatch, PathRules } from './paths.ts'
import { knownNumber } from './contacts.ts'
import type { Place, RedactionSession } from './redaction-session.ts'
import { editsBehind, jsonView, type View } from './views.ts'

/** How the texts inside of JSON are redacted. */
interface InnerRedaction {
  readonly taking: RedactionSession
  readonly handles: { readonly phones: ReadonlySet<string> }
  /** What must be replaced in a text; `depth`: how many texts it is inside of. */
  edits(text: string, place: Place, depth: number): readonly Edit[]
  /** The kind of the value of a key; null: it may stay. */
  kindUnder(name: string, value: string): RemovalKind | null
  isPlain(text: string, id: boolean): boolean
  holdsKnown(text: string): boolean
}

/** Steps of a path that are told; between them the rest is left out. */
const stepsTold = 24
/** Texts of an object that goes as a whole which are looked for elsewhere. */
const mostRepeated = 50

export function looksLikeJson(text: string): boolean {
  const from = text.search(/[^\s\uFEFF]/)
  const first = text.charAt(from)
  if (first !== '"') return first === '{' || first === '['
  const end = stringEnd(text, from)
  return end !== -1 && text.slice(end).trim() === ''
}

interface Frame {
  readonly isObject: boolean
  /** Where it began. */
  readonly from: number
  /** The key that was read last, as it is told and as it reads; for an array the index. */
  step: string
  key: string
  index: number
  /** Of an array, where a rule must know it. */
  readonly length: number
  /** All below stands under a `handle`, a `phone` or `credentials`. */
  readonly within: RemovalKind | null
  /** What the object says of its own value: `{"name":"password","value":"…"}`. */
  readonly says: string[]
  /** Its value, while it has not said what it is. */
  said: SaidValue | null
  readonly match: PathMatch
  /** All of it goes, by a rule. */
  readonly gone: boolean
  want: 'value' | 'key' | 'colon' | 'after'
}

/** Names that an object gives itself, by several members. */
const mostSaid = 4

interface SaidValue {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly isNumber: boolean
  /** The edits that were made before it, and in it. */
  readonly edits: number
  readonly own: number
}

/** Members by which an object says what it is of, and the one that it is. */
const saysName = /^(?:name|key|field|label|header|param|parameter|property|attribute|type|id|k)$/i
const saysValue = /^(?:value|val|content|data|text|string_?value|v)$/i

/**
 * What must go out of a JSON text, token by token: nothing else of it changes. It is read as far as it is JSON (RFC 8259), one value after
 * another; `end` is how far that was. Deep nesting costs a list entry a level.
 */
export function jsonEdits(
  text: string,
  texts: InnerRedaction,
  place: Place,
  depth: number,
  rules: PathRules | null = null,
): { edits: Edit[]; end: number } {
  const reader = new JsonReader(text, texts, place, depth, rules)
  const end = reader.read()
  return { edits: reader.edits, end }
}

class JsonReader {
  readonly edits: Edit[] = []
  readonly #text: string
  readonly #texts: InnerRedaction
  readonly #place: Place
  readonly #depth: number
  readonly #rules: PathRules | null
  readonly #open: Frame[] = []
  /** The opening of what goes as a whole; null: nothing does. */
  #goneFrom: number | null = null
  readonly #lengths: readonly number[]
  /** The whole text holds, as it stands, something that is known; null: not looked for yet. */
  #known: boolean | null = null
  /** Arrays that were opened. */
  #arrays = 0

  constructor(
    text: string,
    texts: InnerRedaction,
    place: Place,
    depth: number,
    rules: PathRules | null,
  ) {
    this.#text = text
    this.#texts = texts
    this.#place = place
    this.#depth = depth
    this.#rules = rules
    this.#lengths = rules?.needsLengths ? arrayLengths(text) : []
  }

  /** How far it is JSON. */
  read(): number {
    const end = this.#readOn()
    if (this.#goneFrom === null) return end
    // What goes as a whole was cut off: all that is left of it goes.
    this.#edit(
      this.#goneFrom,
      this.#text.length,
      `"${this.#takeWhole(this.#text.slice(this.#goneFrom))}"`,
    )
    return this.#text.length
  }

  #readOn(): number {
    const tokens = new JsonTokenizer(this.#text, { marks: true })
    /** Where the last token ended that stands for a value. */
    let top = 0
    for (;;) {
      const kind = tokens.next()
      const { from, to } = tokens
      if (kind === jsonToken.end) return to
      const frame = this.#open.at(-1)
      const want = frame?.want ?? 'value'
      const closes = kind === jsonToken.objectClose || kind === jsonToken.arrayClose
      if (closes) {
        const isObject = kind === jsonToken.objectClose
        if (!frame || frame.isObject !== isObject || want === 'colon') return from
        this.#close(frame, to)
        top = to
      } else if (want === 'after' || want === 'colon') {
        const wanted = want === 'colon' ? jsonToken.colon : jsonToken.comma
        if (kind !== wanted || !frame) return from
        if (want === 'colon') frame.want = 'value'
        else this.#next(frame)
      } else if (kind === jsonToken.string) {
        const inside = tokens.closed ? to - 1 : to
        if (want === 'key' && frame) {
          this.#key(frame, from + 1, inside)
          frame.want = 'colon'
        } else {
          this.#string(from, inside)
          if (frame) frame.want = 'after'
        }
        top = to
      } else if (want === 'key') {
        return from
      } else if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) {
        this.#opens(kind === jsonToken.objectOpen, from)
      } else if (kind === jsonToken.literal) {
        this.#literal(from, tokens.source)
        top = to
        if (frame) frame.want = 'after'
      } else return frame ? from : top
    }
  }

  #next(frame: Frame): void {
    frame.want = frame.isObject ? 'key' : 'value'
    if (!frame.isObject) frame.index += 1
  }

  #opens(isObject: boolean, at: number): void {
    const parent = this.#open.at(-1)
    const match = this.#matchHere()
    const gone = match.hit !== null && this.#goneFrom === null
    if (gone) this.#goneFrom = at
    const length = isObject ? 0 : (this.#lengths[this.#arrays] ?? 0)
    if (!isObject) this.#arrays += 1
    this.#open.push({
      isObject,
      from: at,
      step: '',
      key: isObject ? '' : (parent?.key ?? ''),
      index: 0,
      length,
      within: this.#within(),
      match,
      gone,
      says: [],
      said: null,
      want: isObject ? 'key' : 'value',
    })
  }

  #close(frame: Frame, to: number): void {
    this.#open.pop()
    const parent = this.#open.at(-1)
    if (parent) parent.want = 'after'
    if (!frame.gone) return
    this.#goneFrom = null
    const was = this.#text.slice(frame.from, to)
    if (was.length <= 2) return
    this.#edit(frame.from, to, `"${this.#takeWhole(was)}"`)
  }

  #key(frame: Frame, from: number, to: number): void {
    const raw = this.#text.slice(from, to)
    const view = jsonView(raw)
    frame.key = view?.text ?? raw
    frame.step = frame.key
    if (this.#goneFrom !== null || this.#passes(raw, view !== null, false)) return
    const place: Place = { say: () => this.#say(), id: false }
    frame.step = '*'
    const edits = this.#texts.edits(frame.key, place, this.#depth + 1)
    if (edits.length === 0) frame.step = frame.key
    else this.#push(from, view ? editsBehind(view, edits) : edits)
  }

  /** From the quote before it. */
  #string(at: number, to: number): void {
    if (this.#goneFrom !== null) return
    const from = at + 1
    const raw = this.#text.slice(from, to)
    if (raw === '') return
    const match = this.#matchHere()
    const view = jsonView(raw)
    const value = view?.text ?? raw
    const before = this.edits.length
    const kind = this.#kindOf(value) ?? this.#kindSaid(value) ?? match.hit
    if (kind) {
      if (isMarked(value)) return
      this.#repeat(kind, value)
      this.#edit(from, to, this.#take(kind, value))
      return
    }
    this.#lookInto(from, raw, view)
    this.#note({ from, to, value, isNumber: false, edits: before, own: this.edits.length - before })
  }

  #lookInto(from: number, raw: string, view: View | null): void {
    const value = view?.text ?? raw
    const id = this.#isId()
    if (this.#passes(raw, view !== null, id)) return
    const place: Place = { say: () => this.#say(), id }
    const edits = this.#texts.edits(value, place, this.#depth + 1)
    if (edits.length > 0) this.#push(from, view ? editsBehind(view, edits) : edits)
  }

  /** Why the value of this object goes, by what the object has said of it. */
  #kindSaid(value: string): RemovalKind | null {
    const frame = this.#open.at(-1)
    if (!frame?.isObject || frame.says.length === 0 || !saysValue.test(frame.key)) return null
    return this.#kindOfSaid(frame.says, value)
  }

  #kindOfSaid(names: readonly string[], value: string): RemovalKind | null {
    for (const name of names) {
      const kind = this.#texts.kindUnder(name, value)
      if (kind) return kind
    }
    return null
  }

  /** A value that says of what its object is, or is its value. */
  #note(said: SaidValue): void {
    const frame = this.#open.at(-1)
    if (!frame?.isObject || frame.key.length > 20) return
    if (saysValue.test(frame.key)) {
      frame.said ??= said
      return
    }
    if (said.isNumber || said.value.length > 100 || !saysName.test(frame.key)) return
    if (frame.says.length < mostSaid) frame.says.push(said.value)
    const earlier = frame.said
    const kind = earlier && this.#kindOfSaid(frame.says, earlier.value)
    if (!kind || isMarked(earlier.value)) return
    frame.said = null
    this.#repeat(kind, earlier.value)
    const name = this.#take(kind, earlier.value)
    const { from, to, edits, own } = earlier
    const text = earlier.isNumber ? `"${name}"` : name
    this.edits.splice(edits, own, { from, to, text })
  }

  #literal(at: number, written: string): void {
    if (this.#goneFrom !== null) return
    const isNumber = /\d/.test(written)
    const kind =
      this.#matchHere().hit ??
      (isNumber ? (this.#kindOfNumber(written) ?? this.#kindSaid(written)) : null)
    if (!kind) {
      if (!isNumber) return
      const edits = this.edits.length
      const to = at + written.length
      this.#note({ from: at, to, value: written, isNumber: true, edits, own: 0 })
      return
    }
    const number = kind === 'phone' ? knownNumber(written, this.#texts.handles.phones) : null
    const value = number === null ? written : `+${number}`
    this.#edit(at, at + written.length, `"${this.#take(kind, value)}"`)
  }

  /** Nothing in this piece of the text can have to go. */
  #passes(raw: string, escaped: boolean, id: boolean): boolean {
    if (raw.length < 4) return true
    if (escaped || !this.#texts.isPlain(raw, id)) return false
    this.#known ??= this.#texts.holdsKnown(this.#text)
    return !this.#known
  }

  #kindOf(value: string): RemovalKind | null {
    const within = this.#within()
    if (within && (within !== 'phone' || /(?:\d.*){5}/s.test(value.slice(0, 100)))) return within
    const key = this.#open.at(-1)?.key ?? ''
    const kind = this.#texts.kindUnder(key, value)
    if (kind || key.toLowerCase() !== 'name') return kind
    // `{"guest":{"name":"…"}}` says as much as `guestName`.
    const above = this.#open.at(-2)?.key ?? ''
    return above === '' ? null : this.#texts.kindUnder(`${above} name`, value)
  }

  #kindOfNumber(written: string): RemovalKind | null {
    const kind = this.#kindOf(written)
    if (kind) return kind === 'signature' || kind === 'name' ? null : kind
    const { known, repeated } = this.#texts.taking
    const again = written.length >= 4 ? (known.kindOf(written) ?? repeated.get(written)) : null
    if (again) return again
    if (this.#isId() || written.length < 6 || !/^\d+$/.test(written)) return null
    if (isCard(written) && this.#texts.taking.takes('card')) return 'card'
    if (!this.#texts.taking.takes('phone')) return null
    return knownNumber(written, this.#texts.handles.phones) === null ? null : 'phone'
  }

  #within(): RemovalKind | null {
    const frame = this.#open.at(-1)
    if (!frame) return null
    if (frame.within) return frame.within
    if (holdsSecrets(frame.key)) return 'credential'
    const { kind } = meaningOf(frame.key)
    return (kind === 'handle' || kind === 'phone') && this.#texts.taking.takes(kind) ? kind : null
  }

  #isId(): boolean {
    return meaningOf(this.#open.at(-1)?.key ?? '').id
  }

  #matchHere(): PathMatch {
    const rules = this.#rules
    if (!rules) return noMatch
    const frame = this.#open.at(-1)
    if (!frame) return rules.root()
    return rules.child(frame.match, frame.isObject ? frame.key : frame.index, frame.length)
  }

  /** What goes by its name is not repeated elsewhere in the delivery either. */
  #repeat(kind: RemovalKind, value: string): void {
    const shortest = kind === 'name' ? 1 : kind === 'rule' ? 3 : kind === 'handle' ? 4 : 8
    this.#texts.taking.repeat(kind, value, shortest)
  }

  /** An object or array, with all texts in it. */
  #takeWhole(was: string): string {
    let texts = 0
    for (const raw of stringValues(was)) {
      if (texts > mostRepeated) break
      texts += 1
      this.#repeat('rule', jsonView(raw)?.text ?? raw)
    }
    const shown = was.startsWith('{') ? '{…}' : '[…]'
    const place: Place = { say: () => this.#say(), id: false }
    return this.#texts.taking.take('rule', was, place, shown)
  }

  #take(kind: RemovalKind, value: string): string {
    return this.#texts.taking.take(kind, value, { say: () => this.#say(), id: false })
  }

  #edit(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text })
  }

  #push(offset: number, edits: readonly Edit[]): void {
    for (const { from, to, text } of edits) this.#edit(from + offset, to + offset, text)
  }

  #say(): string {
    const open = this.#open
    const told =
      open.length <= stepsTold
        ? open
        : [...open.slice(0, stepsTold / 2), null, ...open.slice(-stepsTold / 2)]
    let path = ''
    for (const frame of told) {
      if (!frame) path += '…'
      else if (!frame.isObject) path += '[*]'
      else path += `${path === '' ? '' : '.'}${frame.step.slice(0, 60)}`
    }
    const place = this.#place.say()
    return path === '' ? place : `${place} ${path}`
  }
}

const noMatch: PathMatch = { hit: null, states: [] }

/** The insides of the strings of a JSON text that are no keys. */
function* stringValues(text: string): Generator<string, void, undefined> {
  const tokens = new JsonTokenizer(text, { marks: true })
  let inside: string | null = null
  for (let kind = tokens.next(); tokens.closed; kind = tokens.next()) {
    if (inside !== null && kind !== jsonToken.colon) yield inside
    if (kind === jsonToken.end) return
    inside = kind === jsonToken.string ? text.slice(tokens.from + 1, tokens.to - 1) : null
  }
}

/**
 * How many elements each array of a JSON text has, in the order in which they open, read without regard to whether it is good JSON: a
 * path that counts from the end must know before it comes there.
 */
function arrayLengths(text: string): number[] {
  const lengths: number[] = []
  /** The arrays that are open, by their number; -1: an object. */
  const open: number[] = []
  const tokens = new JsonTokenizer(text, { marks: true })
  let filled = false
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.arrayOpen || kind === jsonToken.objectOpen) {
      open.push(kind === jsonToken.arrayOpen ? lengths.push(0) - 1 : -1)
      filled = false
      continue
    }
    const top = open.at(-1) ?? -1
    if (kind === jsonToken.arrayClose || kind === jsonToken.objectClose) {
      open.pop()
      if (filled && top >= 0) lengths[top] = (lengths[top] ?? 0) + 1
      filled = true
    } else if (kind === jsonToken.comma) {
      if (top >= 0) lengths[top] = (lengths[top] ?? 0) + 1
    } else filled = true
  }
  return lengths
}
