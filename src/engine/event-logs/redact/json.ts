import { jsonToken, JsonTokenizer, stringEnd } from '#shared/json/tokenizer.ts'
import type { Edit, RemovalKind } from './edits.ts'
import { isCard } from './accounts.ts'
import { isMarked } from './name-value-pairs.ts'
import { fieldMeaning, type FieldMeaning } from './field-names.ts'
import type { PathMatch, PathRules } from './path-rules.ts'
import { knownNumber } from './contacts.ts'
import type { Place, RedactionSession } from './redaction-session.ts'
import { mapEdits, jsonView, type DecodedView } from './decoded-views.ts'

interface InnerRedaction {
  readonly session: RedactionSession
  readonly handles: { readonly phones: ReadonlySet<string> }
  /** `depth`: how many texts enclose it. */
  edits(text: string, place: Place, depth: number): readonly Edit[]
  /** Null: the name is no reason to redact. */
  kindUnder(name: string, value: string): RemovalKind | null
  isSafe(text: string, id: boolean): boolean
  mayContainKnown(text: string): boolean
}

/** Longer paths are abbreviated in the middle of the preview. */
const maxSteps = 24
/** Of a redacted object or array: texts that are also redacted elsewhere. */
const maxRepeatedTexts = 50

export function looksLikeJson(text: string): boolean {
  const from = text.search(/[^\s\uFEFF]/)
  const first = text.charAt(from)
  if (first !== '"') return first === '{' || first === '['
  const end = stringEnd(text, from)
  return end !== -1 && text.slice(end).trim() === ''
}

interface Frame {
  readonly isObject: boolean
  readonly from: number
  /** As shown in the preview. */
  step: string
  /** Decoded. For an array: the key of the array. */
  key: string
  meaning: KeyMeaning
  index: number
  /** Only if a rule needs it. */
  readonly length: number
  /** From an enclosing `handle`, `phone` or `credentials`. */
  readonly inheritedKind: RemovalKind | null
  /** `password` in `{"name":"password","value":"…"}`. */
  readonly labels: string[]
  /** As long as no label is known. */
  pendingValue: MemberValue | null
  readonly match: PathMatch
  readonly isRemoved: boolean
  expects: 'value' | 'key' | 'colon' | 'after'
}

interface KeyMeaning extends FieldMeaning {
  /** In any case. */
  readonly isName: boolean
  readonly isLabel: boolean
  readonly isValue: boolean
}

const keyCacheSize = 10_000
const maxCachedKey = 100
const keyCache = new Map<string, KeyMeaning>()

function keyMeaning(key: string): KeyMeaning {
  const cached = keyCache.get(key)
  if (cached) return cached
  const meaning = {
    ...fieldMeaning(key),
    isName: key.toLowerCase() === 'name',
    isLabel: labelKey.test(key),
    isValue: valueKey.test(key),
  }
  if (keyCache.size >= keyCacheSize) keyCache.clear()
  if (key.length <= maxCachedKey) keyCache.set(key, meaning)
  return meaning
}

const maxLabels = 4

interface MemberValue {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly isNumber: boolean
  /** Before the value, and within it. */
  readonly edits: number
  readonly ownEdits: number
}

/** Members that label an object, and the member with its value. */
const labelKey = /^(?:name|key|field|label|header|param|parameter|property|attribute|type|id|k)$/i
const valueKey = /^(?:value|val|content|data|text|string_?value|v)$/i

/**
 * Reads token by token, so that everything else stays unchanged. The text may contain several values (RFC 8259) and other text after `end`. Nesting
 * needs one list entry per level, no recursion.
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
  readonly #frames: Frame[] = []
  #frame: Frame | undefined
  /** Of the object or array that is redacted completely. */
  #removedFrom: number | null = null
  readonly #lengths: readonly number[]
  /** Null: not checked yet. */
  #mayContainKnown: boolean | null = null
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

  /** Returns where the JSON ends. */
  read(): number {
    const end = this.#readTokens()
    if (this.#removedFrom === null) return end
    // The redacted object or array is truncated.
    this.#edit(
      this.#removedFrom,
      this.#text.length,
      `"${this.#replaceContainer(this.#text.slice(this.#removedFrom))}"`,
    )
    return this.#text.length
  }

  #readTokens(): number {
    const tokens = new JsonTokenizer(this.#text, { marks: true })
    let valueEnd = 0
    for (;;) {
      const kind = tokens.next()
      const { from, to } = tokens
      if (kind === jsonToken.end) return to
      const frame = this.#frame
      const expects = frame?.expects ?? 'value'
      const closes = kind === jsonToken.objectClose || kind === jsonToken.arrayClose
      if (closes) {
        const isObject = kind === jsonToken.objectClose
        if (!frame || frame.isObject !== isObject || expects === 'colon') return from
        this.#closeContainer(frame, to)
        valueEnd = to
      } else if (expects === 'after' || expects === 'colon') {
        const expectedToken = expects === 'colon' ? jsonToken.colon : jsonToken.comma
        if (kind !== expectedToken || !frame) return from
        if (expects === 'colon') frame.expects = 'value'
        else this.#nextElement(frame)
      } else if (kind === jsonToken.string) {
        const inside = tokens.closed ? to - 1 : to
        if (expects === 'key' && frame) {
          this.#readKey(frame, from + 1, inside)
          frame.expects = 'colon'
        } else {
          this.#readString(from, inside)
          if (frame) frame.expects = 'after'
        }
        valueEnd = to
      } else if (expects === 'key') {
        return from
      } else if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) {
        this.#openContainer(kind === jsonToken.objectOpen, from)
      } else if (kind === jsonToken.literal) {
        this.#readLiteral(from, tokens.source)
        valueEnd = to
        if (frame) frame.expects = 'after'
      } else return frame ? from : valueEnd
    }
  }

  #nextElement(frame: Frame): void {
    frame.expects = frame.isObject ? 'key' : 'value'
    if (!frame.isObject) frame.index += 1
  }

  #openContainer(isObject: boolean, at: number): void {
    const parent = this.#frame
    const match = this.#matchHere()
    const isRemoved = match.hit !== null && this.#removedFrom === null
    if (isRemoved) this.#removedFrom = at
    const length = isObject ? 0 : (this.#lengths[this.#arrays] ?? 0)
    if (!isObject) this.#arrays += 1
    this.#frame = {
      isObject,
      from: at,
      step: '',
      key: isObject ? '' : (parent?.key ?? ''),
      meaning: isObject ? noKey : (parent?.meaning ?? noKey),
      index: 0,
      length,
      inheritedKind: this.#inheritedKind(),
      match,
      isRemoved,
      labels: [],
      pendingValue: null,
      expects: isObject ? 'key' : 'value',
    }
    this.#frames.push(this.#frame)
  }

  #closeContainer(frame: Frame, to: number): void {
    this.#frames.pop()
    const parent = this.#frames.at(-1)
    this.#frame = parent
    if (parent) parent.expects = 'after'
    if (!frame.isRemoved) return
    this.#removedFrom = null
    const original = this.#text.slice(frame.from, to)
    if (original.length <= 2) return
    this.#edit(frame.from, to, `"${this.#replaceContainer(original)}"`)
  }

  #readKey(frame: Frame, from: number, to: number): void {
    const raw = this.#text.slice(from, to)
    const view = jsonView(raw)
    frame.key = view?.text ?? raw
    frame.meaning = keyMeaning(frame.key)
    frame.step = frame.key
    if (this.#removedFrom !== null || this.#isSafe(raw, view !== null, false)) return
    const place: Place = { describe: () => this.#describePlace(), id: false }
    frame.step = '*'
    const edits = this.#texts.edits(frame.key, place, this.#depth + 1)
    if (edits.length === 0) frame.step = frame.key
    else this.#push(from, view ? mapEdits(view, edits) : edits)
  }

  /** `at`: index of its opening quote. */
  #readString(at: number, to: number): void {
    if (this.#removedFrom !== null) return
    const from = at + 1
    const raw = this.#text.slice(from, to)
    if (raw === '') return
    const match = this.#matchHere()
    const view = jsonView(raw)
    const value = view?.text ?? raw
    const before = this.edits.length
    const kind = this.#kindOf(value) ?? this.#kindFromLabels(value) ?? match.hit
    if (kind) {
      if (isMarked(value)) return
      this.#addRepeated(kind, value)
      this.#edit(from, to, this.#replace(kind, value))
      return
    }
    this.#redactInside(from, raw, view)
    this.#noteMember(from, to, value, false, before)
  }

  #redactInside(from: number, raw: string, view: DecodedView | null): void {
    const value = view?.text ?? raw
    const id = this.#isId()
    if (this.#isSafe(raw, view !== null, id)) return
    const place: Place = { describe: () => this.#describePlace(), id }
    const edits = this.#texts.edits(value, place, this.#depth + 1)
    if (edits.length > 0) this.#push(from, view ? mapEdits(view, edits) : edits)
  }

  /** By the labels read so far. */
  #kindFromLabels(value: string): RemovalKind | null {
    const frame = this.#frame
    if (!frame?.isObject || frame.labels.length === 0 || !frame.meaning.isValue) return null
    return this.#kindFromNames(frame.labels, value)
  }

  #kindFromNames(names: readonly string[], value: string): RemovalKind | null {
    for (const name of names) {
      const kind = this.#texts.kindUnder(name, value)
      if (kind) return kind
    }
    return null
  }

  /** The member may be a label of its object, or its value. */
  #noteMember(from: number, to: number, value: string, isNumber: boolean, edits: number): void {
    const frame = this.#frame
    if (!frame?.isObject) return
    if (frame.meaning.isValue) {
      const ownEdits = this.edits.length - edits
      frame.pendingValue ??= { from, to, value, isNumber, edits, ownEdits }
      return
    }
    if (isNumber || value.length > 100 || !frame.meaning.isLabel) return
    if (frame.labels.length < maxLabels) frame.labels.push(value)
    const earlier = frame.pendingValue
    const kind = earlier && this.#kindFromNames(frame.labels, earlier.value)
    if (!kind || isMarked(earlier.value)) return
    frame.pendingValue = null
    this.#addRepeated(kind, earlier.value)
    const pseudonym = this.#replace(kind, earlier.value)
    const text = earlier.isNumber ? `"${pseudonym}"` : pseudonym
    this.edits.splice(earlier.edits, earlier.ownEdits, { from: earlier.from, to: earlier.to, text })
  }

  #readLiteral(at: number, literal: string): void {
    if (this.#removedFrom !== null) return
    const isNumber = /\d/.test(literal)
    const kind =
      this.#matchHere().hit ??
      (isNumber ? (this.#kindOfNumber(literal) ?? this.#kindFromLabels(literal)) : null)
    if (!kind) {
      if (isNumber) this.#noteMember(at, at + literal.length, literal, true, this.edits.length)
      return
    }
    const number = kind === 'phone' ? knownNumber(literal, this.#texts.handles.phones) : null
    const value = number === null ? literal : `+${number}`
    this.#edit(at, at + literal.length, `"${this.#replace(kind, value)}"`)
  }

  #isSafe(raw: string, escaped: boolean, id: boolean): boolean {
    if (raw.length < 4) return true
    if (escaped || !this.#texts.isSafe(raw, id)) return false
    this.#mayContainKnown ??= this.#texts.mayContainKnown(this.#text)
    return !this.#mayContainKnown
  }

  #kindOf(value: string): RemovalKind | null {
    const frame = this.#frame
    if (!frame) return null
    const inheritedKind = this.#inheritedKind()
    if (inheritedKind && (inheritedKind !== 'phone' || /(?:\d.*){5}/s.test(value.slice(0, 100))))
      return inheritedKind
    const { meaning } = frame
    const kind = meaning.kind && this.#texts.kindUnder(frame.key, value)
    if (kind || !meaning.isName) return kind
    // `{"guest":{"name":"…"}}` means the same as `guestName`.
    const parentKey = this.#frames.at(-2)?.key ?? ''
    return parentKey === '' ? null : this.#texts.kindUnder(`${parentKey} name`, value)
  }

  #kindOfNumber(literal: string): RemovalKind | null {
    const kind = this.#kindOf(literal)
    if (kind) return kind === 'signature' || kind === 'name' ? null : kind
    const { known, repeated } = this.#texts.session
    const knownKind = literal.length >= 4 ? (known.kindOf(literal) ?? repeated.get(literal)) : null
    if (knownKind) return knownKind
    if (this.#isId() || literal.length < 6 || !/^\d+$/.test(literal)) return null
    if (isCard(literal) && this.#texts.session.redacts('card')) return 'card'
    if (!this.#texts.session.redacts('phone')) return null
    return knownNumber(literal, this.#texts.handles.phones) === null ? null : 'phone'
  }

  #inheritedKind(): RemovalKind | null {
    const frame = this.#frame
    if (!frame) return null
    if (frame.inheritedKind) return frame.inheritedKind
    const { kind, holdsSecrets } = frame.meaning
    if (holdsSecrets) return 'credential'
    return (kind === 'handle' || kind === 'phone') && this.#texts.session.redacts(kind)
      ? kind
      : null
  }

  #isId(): boolean {
    return this.#frame?.meaning.id ?? false
  }

  #matchHere(): PathMatch {
    const rules = this.#rules
    if (!rules) return noMatch
    const frame = this.#frame
    if (!frame) return rules.root()
    return rules.child(frame.match, frame.isObject ? frame.key : frame.index, frame.length)
  }

  #addRepeated(kind: RemovalKind, value: string): void {
    const minLength = kind === 'name' ? 1 : kind === 'rule' ? 3 : kind === 'handle' ? 4 : 8
    this.#texts.session.addRepeated(kind, value, minLength)
  }

  /** The texts in it are redacted elsewhere too. */
  #replaceContainer(original: string): string {
    let texts = 0
    for (const raw of stringValues(original)) {
      if (texts > maxRepeatedTexts) break
      texts += 1
      this.#addRepeated('rule', jsonView(raw)?.text ?? raw)
    }
    const example = original.startsWith('{') ? '{…}' : '[…]'
    const place: Place = { describe: () => this.#describePlace(), id: false }
    return this.#texts.session.replace('rule', original, place, example)
  }

  #replace(kind: RemovalKind, value: string): string {
    return this.#texts.session.replace(kind, value, {
      describe: () => this.#describePlace(),
      id: false,
    })
  }

  #edit(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text })
  }

  #push(offset: number, edits: readonly Edit[]): void {
    for (const { from, to, text } of edits) this.#edit(from + offset, to + offset, text)
  }

  #describePlace(): string {
    const open = this.#frames
    const shownFrames =
      open.length <= maxSteps
        ? open
        : [...open.slice(0, maxSteps / 2), null, ...open.slice(-maxSteps / 2)]
    let path = ''
    for (const frame of shownFrames) {
      if (!frame) path += '…'
      else if (!frame.isObject) path += '[*]'
      else path += `${path === '' ? '' : '.'}${frame.step.slice(0, 60)}`
    }
    const place = this.#place.describe()
    return path === '' ? place : `${place} ${path}`
  }
}

const noMatch: PathMatch = { hit: null, states: [] }
const noKey = keyMeaning('')

/** Raw, without keys. */
function* stringValues(text: string): Generator<string, void, undefined> {
  const tokens = new JsonTokenizer(text, { marks: true })
  let inside: string | null = null
  for (let kind = tokens.next(); tokens.closed; kind = tokens.next()) {
    if (inside !== null && kind !== jsonToken.colon) yield inside
    if (kind === jsonToken.end) return
    inside = kind === jsonToken.string ? text.slice(tokens.from + 1, tokens.to - 1) : null
  }
}

/** In the order of their opening brackets. Path rules that count from the end need it in advance. Does not validate the JSON. */
function arrayLengths(text: string): number[] {
  const lengths: number[] = []
  /** By position in `lengths`; -1 for an open object. */
  const open: number[] = []
  const tokens = new JsonTokenizer(text, { marks: true })
  let hasElement = false
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.arrayOpen || kind === jsonToken.objectOpen) {
      open.push(kind === jsonToken.arrayOpen ? lengths.push(0) - 1 : -1)
      hasElement = false
      continue
    }
    const innermost = open.at(-1) ?? -1
    if (kind === jsonToken.arrayClose || kind === jsonToken.objectClose) {
      open.pop()
      if (hasElement && innermost >= 0) lengths[innermost] = (lengths[innermost] ?? 0) + 1
      hasElement = true
    } else if (kind === jsonToken.comma) {
      if (innermost >= 0) lengths[innermost] = (lengths[innermost] ?? 0) + 1
    } else hasElement = true
  }
  return lengths
}
