import { maskPattern } from '#contract/masks.ts'
import { applyEdits, noEdits, Scan, type Edit, type RemovalKind } from './edits.ts'
import { emailsIn, type Span, phonesIn } from './contacts.ts'
import { encodedEdits } from './encoded.ts'
import { jsonEdits, looksLikeJson } from './json.ts'
import { Matcher } from '../../platform/masking/matcher.ts'
import { kindUnder, takePairs } from './pairs.ts'
import type { PathRules } from './paths.ts'
import { isPlainForm, PlainTexts, foldWide, isWide } from './plain.ts'
import { isPseudonym, pseudonymPattern } from './pseudonyms.ts'
import type { Place, RedactionSession } from './redaction-session.ts'
import { cardsIn, ibansIn } from './accounts.ts'
import { privateKeysIn, secretsIn } from './secret-formats.ts'
import { editsBehind, looseView, percentView, type View } from './views.ts'

/** So often a text within a text is opened: escapes of escapes, Base64 of Base64, JSON in JSON. */
const deepest = 8

/**
 * So many characters are looked through for each character of a text, beside those of a short one: what is written in escapes within
 * escapes could be read in ever more ways.
 */
const readingsLimit = 12
const readForAny = 256 * 1024

/** A text that would take too long to look through. `message` says why, as the end of a sentence. */
export class TooCostly extends Error {}

/** Handles that the source is known to hold. */
export interface KnownHandles {
  /** As digits. */
  readonly phones: ReadonlySet<string>
  readonly words: readonly string[]
}

/** Finds in a text what must go out of it. */
export class TextRedaction {
  readonly taking: RedactionSession
  readonly handles: KnownHandles
  readonly #words: Matcher
  readonly #plain = new PlainTexts()
  /** Characters that may still be looked through for the text at hand. */
  #left = 0

  constructor(taking: RedactionSession, handles: KnownHandles) {
    this.taking = taking
    this.handles = handles
    this.#words = new Matcher(handles.words)
  }

  /** The very same text where nothing must go; all of it goes where it cannot be looked through. */
  redact(text: string, place: Place): string {
    try {
      return applyEdits(text, this.edits(text, place))
    } catch {
      // One text must not end an export.
      return this.taking.take('unreadable', text, place)
    }
  }

  /** `rules`: of paths in this text, if it is JSON. Throws `TooCostly`, or what a fault of ours throws: then all of it must go. */
  edits(text: string, place: Place, depth = 0, rules: PathRules | null = null): readonly Edit[] {
    if (depth === 0) this.#left = readForAny + readingsLimit * text.length
    this.#left -= text.length
    if (this.#left < 0) throw new TooCostly('it is written in too many escapes within escapes')
    if (!rules && this.isPlain(text, place.id) && !this.holdsKnown(text)) return noEdits
    const flags = flagsOf(text)
    const scan = new Scan(text)
    if (text.includes('redacted-')) scan.hideAll(pseudonymPattern)
    if (text.includes('«')) scan.hideAll(maskPattern)
    const structured =
      rules !== null || (depth < deepest && (flags & Flag.json) !== 0 && looksLikeJson(text))
    if (structured) {
      const { edits, end } = jsonEdits(text, this, place, depth, rules)
      scan.takeAll(edits)
      const rest = end < text.length ? text.slice(end) : ''
      if (rest.trim() !== '') {
        const behind = this.#unstructured(rest, place, depth)
        scan.takeAll(behind.map((edit) => ({ ...edit, from: edit.from + end, to: edit.to + end })))
      }
      // What is left spans several tokens. A number is one token, and was looked at.
      this.#takeStatic(scan, place, (value) => !/^\d+$/.test(value))
      return scan.edits
    }
    const sealed = this.#take(scan, flags, place, depth)
    if (scan.edits.length === 0 && sealed) this.#plain.add(text, place.id)
    return scan.edits
  }

  /** Why the value under this name goes; null: it need not, for its name. */
  kindUnder(name: string, value: string): RemovalKind | null {
    const kind = kindUnder(name, value)
    return kind && this.taking.takes(kind) ? kind : null
  }

  /** By its form alone there is nothing in it that must go. */
  isPlain(text: string, id: boolean): boolean {
    return text.length < 4 || isPlainForm(text) || this.#plain.has(text, id) || isPseudonym(text)
  }

  /** Something in it, as it stands, may be a known value, or one that the delivery at hand must not repeat. */
  holdsKnown(text: string): boolean {
    const { taking } = this
    if (taking.known.in(text) || this.#words.in(text)) return true
    for (const value of taking.repeated.keys()) if (text.includes(value)) return true
    return false
  }

  #unstructured(text: string, place: Place, depth: number): readonly Edit[] {
    const scan = new Scan(text)
    if (text.includes('redacted-')) scan.hideAll(pseudonymPattern)
    if (text.includes('«')) scan.hideAll(maskPattern)
    this.#take(scan, flagsOf(text), place, depth)
    return scan.edits
  }

  /** True: whatever is in the text can be seen, in no other writing. */
  #take(scan: Scan, flags: number, place: Place, depth: number): boolean {
    const { taking } = this
    if ((flags & Flag.pairs) !== 0) {
      const flag = (one: number): boolean => (flags & one) !== 0
      takePairs(
        scan,
        {
          equals: flag(Flag.equals),
          colon: flag(Flag.colon),
          quote: flag(Flag.quote),
          angle: flag(Flag.angle),
          eyJ: scan.text.includes('eyJ'),
          scheme: flag(Flag.space) && /bearer|basic|token|apikey/i.test(scan.text),
        },
        (kind, value) => taking.take(kind, value, place),
        (name, value) => this.kindUnder(name, value),
      )
    }
    const mayHoldDigests = (flags & (Flag.run | Flag.colon | Flag.space)) !== 0
    const digests = mayHoldDigests && this.#takeDigests(scan, place)
    const view = (flags & Flag.escape) === 0 ? null : viewAt(depth, scan.rest)
    if (view) scan.takeAll(editsBehind(view, this.edits(view.text, place, depth + 1)))
    if ((flags & Flag.wide) !== 0) {
      const folded = foldWide(scan.rest)
      const edits = folded === scan.rest ? noEdits : this.edits(folded, place, depth + 1)
      for (const { from, to } of edits) taking.digests.addValue(scan.text.slice(from, to))
      scan.takeAll(edits)
    }
    this.#takeKnown(scan, place)
    if ((flags & Flag.run) !== 0) this.#takeSecrets(scan, place)
    if ((flags & Flag.at) !== 0) this.#takeEmails(scan, place)
    if ((flags & Flag.digits) !== 0) {
      this.#takeAccounts(scan, place)
      this.#takePhones(scan, place)
    }
    if ((flags & Flag.plus) !== 0) this.#takeSpaced(scan, flags, place, depth)
    this.#takeWords(scan, place)
    if ((flags & Flag.zero) !== 0 && depth < deepest) this.#takeBetweenZeros(scan, place, depth)
    if (view || (flags & Flag.zero) !== 0) return false
    if ((flags & Flag.run) === 0) return !digests
    if (depth >= deepest) return false
    let sealed = !digests
    const inside = (text: string): string => {
      sealed = false
      return applyEdits(text, this.edits(text, place, depth + 2))
    }
    scan.takeAll(encodedEdits(scan.rest, inside))
    return sealed
  }

  /** Where a plus is a space, as in forms (WHATWG URL, application/x-www-form-urlencoded); not where it begins a phone number. */
  #takeSpaced(scan: Scan, flags: number, place: Place, depth: number): void {
    const { rest } = scan
    const spaced = rest.replaceAll(/(?<=[^\s=:;,(])\+/g, ' ')
    if (spaced === rest) return
    const view = (flags & Flag.escape) !== 0 && depth < deepest ? looseView(spaced) : null
    if (view) scan.takeAll(editsBehind(view, this.edits(view.text, place, depth + 1)))
    else {
      const again = new Scan(spaced)
      this.#takeKnown(again, place)
      if ((flags & Flag.digits) !== 0) this.#takePhones(again, place)
      this.#takeWords(again, place)
      scan.takeAll(again.edits)
    }
  }

  #takeKnown(scan: Scan, place: Place): void {
    this.#takeStatic(scan, place, () => true)
    this.#takeRepeated(scan, place, (kind) => !words.has(kind))
  }

  #takeStatic(scan: Scan, place: Place, which: (value: string) => boolean): void {
    const { taking } = this
    if (!taking.known.in(scan.rest)) return
    const known = [...taking.known.find(scan.rest)].filter(({ value }) => which(value))
    scan.takeAll(
      known.map(({ from, to, kind, value }) => ({
        from,
        to,
        text: taking.take(kind, value, place),
      })),
    )
  }

  /** What the delivery must not repeat. A word of an address is taken with all of it, so that words come last. */
  #takeRepeated(scan: Scan, place: Place, which: (kind: RemovalKind) => boolean): void {
    const { taking } = this
    for (const [value, kind] of taking.repeated) {
      if (!which(kind)) continue
      if (!scan.rest.includes(value)) continue
      const edits: Edit[] = []
      for (let at = scan.rest.indexOf(value); at !== -1;) {
        const to = at + value.length
        const whole = isWord(scan.rest, at, to)
        if (whole) edits.push({ from: at, to, text: taking.take(kind, value, place) })
        at = scan.rest.indexOf(value, whole ? to : wordEnd(scan.rest, at))
      }
      scan.takeAll(edits)
    }
  }

  /** True: there is something that may be a digest. */
  #takeDigests(scan: Scan, place: Place): boolean {
    const { taking } = this
    const found = taking.digests.find(scan.rest)
    if (!found) return false
    scan.takeAll(
      found.map(({ from, to }) => ({
        from,
        to,
        text: taking.take('digest', scan.text.slice(from, to), place),
      })),
    )
    return true
  }

  #takeEmails(scan: Scan, place: Place): void {
    this.#takeSpans(scan, place, 'email', emailsIn(scan.rest))
  }

  #takeSecrets(scan: Scan, place: Place): void {
    if (scan.rest.includes('PRIVATE KEY')) {
      this.#takeSpans(scan, place, 'secret', privateKeysIn(scan.rest))
    }
    this.#takeSpans(scan, place, 'token', secretsIn(scan.rest))
  }

  /** Where ids stand, digits alone are no card: one id of ten passes its check digit. */
  #takeAccounts(scan: Scan, place: Place): void {
    this.#takeSpans(scan, place, 'iban', ibansIn(scan.rest))
    if (!place.id) this.#takeSpans(scan, place, 'card', cardsIn(scan.rest))
  }

  #takeSpans(scan: Scan, place: Place, kind: RemovalKind, spans: readonly Span[]): void {
    if (!this.taking.takes(kind)) {
      // Nor are its digits anything else.
      scan.hideSpans(spans)
      return
    }
    scan.takeAll(
      spans.map(({ from, to }) => ({
        from,
        to,
        text: this.taking.take(kind, scan.text.slice(from, to), place),
      })),
    )
  }

  #takePhones(scan: Scan, place: Place): void {
    if (!this.taking.takes('phone')) return
    const { rest } = scan
    scan.takeAll(
      phonesIn(rest, this.handles.phones, place.id).map(({ from, to, dialled }) => ({
        from,
        to,
        text: this.taking.take('phone', dialled ?? rest.slice(from, to), place),
      })),
    )
  }

  #takeWords(scan: Scan, place: Place): void {
    this.#takeRepeated(scan, place, (kind) => words.has(kind))
    if (this.#words.empty || !this.taking.takes('handle')) return
    const edits: Edit[] = []
    const find = this.#words.finder(scan.rest)
    for (let at = 0; ;) {
      const match = find(at)
      if (!match) break
      const whole = isWord(scan.rest, match.from, match.to)
      if (whole) {
        const value = scan.rest.slice(match.from, match.to)
        edits.push({
          from: match.from,
          to: match.to,
          text: this.taking.take('handle', value, place),
        })
      }
      at = whole ? match.to : match.from + 1
    }
    scan.takeAll(edits)
  }

  /** UTF-16 that is read byte by byte: a zero between any two characters. */
  #takeBetweenZeros(scan: Scan, place: Place, depth: number): void {
    const { rest } = scan
    const at: number[] = []
    for (let index = 0; index < rest.length; index += 1) {
      if (rest.charCodeAt(index) !== 0) at.push(index)
    }
    at.push(rest.length)
    const edits = this.edits(rest.replaceAll('\0', ''), place, depth + 1)
    scan.takeAll(
      edits.map(({ from, to, text }) => {
        const start = at[from] ?? 0
        const end = (at[to - 1] ?? 0) + 1
        const between = rest.slice(start, end)
        if (!between.includes('\0')) return { from: start, to: end, text }
        const zeroFirst = between.charCodeAt(1) !== 0 || rest.charCodeAt(start - 1) === 0
        return zeroFirst && rest.charCodeAt(end) !== 0
          ? { from: Math.max(0, start - 1), to: end, text: text.replaceAll(/[^]/g, '\0$&') }
          : {
              from: start,
              to: Math.min(end + 1, rest.length),
              text: text.replaceAll(/[^]/g, '$&\0'),
            }
      }),
    )
  }
}

const words: ReadonlySet<RemovalKind> = new Set([
  'handle',
  'email',
  'phone',
  'name',
  'card',
  'iban',
  'ip_address',
  'rule',
])

/** A level of escapes undone; at the last one all that are left of percent signs at once. */
function viewAt(depth: number, text: string): View | null {
  if (depth < deepest) return looseView(text)
  return depth === deepest ? percentView(text) : null
}

const wordCharacter = /[\p{L}\p{N}]/u

/** Whether what stands here is not a part of a longer word. */
function isWord(text: string, from: number, to: number): boolean {
  return (
    !edge(text.charAt(from - 1), text.charAt(from)) && !edge(text.charAt(to), text.charAt(to - 1))
  )
}

/** Behind the word that goes on here: nothing that begins within it is a word of its own. */
function wordEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && edge(text.charAt(end - 1), text.charAt(end))) end += 1
  return end
}

function edge(outside: string, inside: string): boolean {
  return wordCharacter.test(outside) && wordCharacter.test(inside)
}

const Flag = {
  at: 1,
  escape: 2,
  equals: 4,
  colon: 8,
  plus: 16,
  zero: 32,
  digits: 64,
  run: 128,
  quote: 256,
  angle: 512,
  space: 1024,
  json: 2048,
  wide: 4096,
  pairs: 4 + 8 + 256 + 512 + 1024,
} as const

const tables = (() => {
  const flag = new Uint16Array(128)
  const set = (characters: string, value: number): void => {
    for (const one of characters) flag[one.charCodeAt(0)] = value
  }
  set('@', Flag.at)
  set('\\%&', Flag.escape)
  set('=', Flag.equals)
  set(':', Flag.colon)
  set('+', Flag.plus)
  set('\0', Flag.zero)
  set('"', Flag.quote | Flag.json)
  set('<', Flag.angle)
  set(' ', Flag.space)
  set('{[', Flag.json)
  const run = new Uint8Array(128)
  for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
    run[one.charCodeAt(0)] = 1
  }
  return { flag, run }
})()

/** One pass that says what the text may hold: most hold nothing of it. */
function flagsOf(text: string): number {
  let flags = 0
  let digits = 0
  let run = 0
  let longest = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) {
      run = 0
      if (isWide(code)) flags |= Flag.wide
      continue
    }
    flags |= tables.flag[code] ?? 0
    if (code >= 0x30 && code <= 0x39) digits += 1
    if (tables.run[code] === 1) {
      run += 1
      if (run > longest) longest = run
    } else run = 0
  }
  if (digits >= 6) flags |= Flag.digits
  if (longest >= 12) flags |= Flag.run
  return flags
}
