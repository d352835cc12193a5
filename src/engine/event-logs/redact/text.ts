import { maskPattern } from '#contract/masks.ts'
import { applyEdits, noEdits, Scan, type Edit, type RemovalKind } from './edits.ts'
import { emailsIn, type Span, phonesIn } from './contacts.ts'
import { encodedEdits } from './encoded.ts'
import { jsonEdits, looksLikeJson } from './json.ts'
import { Matcher, TooCostly } from '../../platform/masking/matcher.ts'
import { kindUnder, redactPairs } from './name-value-pairs.ts'
import type { PathRules } from './path-rules.ts'
import { isSafeForm, SafeTexts } from './safe-texts.ts'
import { isPseudonym, pseudonymPattern } from './pseudonyms.ts'
import type { Place, RedactionSession } from './redaction-session.ts'
import { cardsIn, ibansIn } from './accounts.ts'
import { privateKeysIn, secretsIn } from './secret-formats.ts'
import {
  mapEdits,
  foldWide,
  isWide,
  looseView,
  percentView,
  type DecodedView,
} from './decoded-views.ts'

/** Shorter texts contain neither a known value nor a known handle. */
const minConstantLength = 4
/** Escapes of escapes, Base64 of Base64, JSON in JSON. */
const maxDepth = 8

/** Characters to search per character of a text: nested escapes could otherwise be decoded in more and more ways. */
const maxReadings = 12
const baseBudget = 256 * 1024

export interface KnownHandles {
  /** As digits. */
  readonly phones: ReadonlySet<string>
  readonly words: readonly string[]
}

export class TextRedaction {
  readonly session: RedactionSession
  readonly handles: KnownHandles
  readonly #handleMatcher: Matcher
  readonly #safeTexts = new SafeTexts()
  /** Characters that may still be searched for the current text. */
  #budget = 0

  constructor(session: RedactionSession, handles: KnownHandles) {
    this.session = session
    this.handles = handles
    this.#handleMatcher = new Matcher(handles.words)
  }

  /** Returns the same string if nothing is redacted. Replaces the complete text if it cannot be searched. */
  redact(text: string, place: Place): string {
    if (this.#isUnchanged(text, place.id)) return text
    try {
      return applyEdits(text, this.edits(text, place))
    } catch {
      // One text must not end an export.
      return this.session.replace('unreadable', text, place)
    }
  }

  /** `rules`: for JSON. If it throws (`TooCostly` or any other error), the complete text must be redacted. */
  edits(text: string, place: Place, depth = 0, rules: PathRules | null = null): readonly Edit[] {
    if (depth === 0) this.#budget = baseBudget + maxReadings * text.length
    this.#budget -= text.length
    if (this.#budget < 0) throw new TooCostly('it is written in too many escapes within escapes')
    if (!rules && this.#isUnchanged(text, place.id)) return noEdits
    const scan = new Scan(text)
    if (text.includes('redacted-')) scan.hideAll(pseudonymPattern)
    if (text.includes('«')) scan.hideAll(maskPattern)
    if (rules !== null || (depth < maxDepth && looksLikeJson(text))) {
      const { edits, end } = jsonEdits(text, this, place, depth, rules)
      scan.addEdits(edits)
      const rest = end < text.length ? text.slice(end) : ''
      if (rest.trim() !== '') {
        const trailing = this.#unstructured(rest, place, depth)
        scan.addEdits(
          trailing.map((edit) => ({ ...edit, from: edit.from + end, to: edit.to + end })),
        )
      }
      // Remaining known values span several tokens. Numbers are single tokens, which have been checked already.
      this.#redactKnownValues(scan, place, (value) => !/^\d+$/.test(value))
      return scan.edits
    }
    const isFullyVisible = this.#redactText(scan, detectFlags(text), place, depth)
    if (scan.edits.length === 0 && isFullyVisible && !this.#mayContainConstant(text)) {
      this.#safeTexts.add(text, place.id)
    }
    return scan.edits
  }

  /** As far as that is known without a search. */
  #isUnchanged(text: string, id: boolean): boolean {
    if (text.length < minConstantLength || this.#safeTexts.has(text, id)) {
      return !this.#mayContainRepeated(text)
    }
    return (isSafeForm(text) || isPseudonym(text)) && !this.mayContainKnown(text)
  }

  kindUnder(name: string, value: string): RemovalKind | null {
    const kind = kindUnder(name, value)
    return kind && this.session.redacts(kind) ? kind : null
  }

  /** By its format alone. */
  isSafe(text: string, id: boolean): boolean {
    return (
      text.length < minConstantLength ||
      this.#safeTexts.has(text, id) ||
      isSafeForm(text) ||
      isPseudonym(text)
    )
  }

  mayContainKnown(text: string): boolean {
    return this.#mayContainConstant(text) || this.#mayContainRepeated(text)
  }

  /** Known values and handles are the same for all deliveries. */
  #mayContainConstant(text: string): boolean {
    return this.session.known.occursIn(text) || this.#handleMatcher.in(text)
  }

  #mayContainRepeated(text: string): boolean {
    for (const value of this.session.repeated.keys()) if (text.includes(value)) return true
    return false
  }

  #unstructured(text: string, place: Place, depth: number): readonly Edit[] {
    const scan = new Scan(text)
    if (text.includes('redacted-')) scan.hideAll(pseudonymPattern)
    if (text.includes('«')) scan.hideAll(maskPattern)
    this.#redactText(scan, detectFlags(text), place, depth)
    return scan.edits
  }

  /** `true`: all content was directly visible, without any decoding. */
  #redactText(scan: Scan, flags: number, place: Place, depth: number): boolean {
    const { session } = this
    if ((flags & Flag.pairs) !== 0) {
      const flag = (bit: number): boolean => (flags & bit) !== 0
      redactPairs(
        scan,
        {
          equals: flag(Flag.equals),
          colon: flag(Flag.colon),
          quote: flag(Flag.quote),
          angle: flag(Flag.angle),
          eyJ: scan.text.includes('eyJ'),
          scheme: flag(Flag.space) && /bearer|basic|token|apikey/i.test(scan.text),
        },
        (kind, value) => session.replace(kind, value, place),
        (name, value) => this.kindUnder(name, value),
      )
    }
    const mayHoldDigests = (flags & (Flag.run | Flag.colon | Flag.space)) !== 0
    const digests = mayHoldDigests && this.#redactDigests(scan, place)
    const view = (flags & Flag.escape) === 0 ? null : viewAt(depth, scan.rest)
    if (view) scan.addEdits(mapEdits(view, this.edits(view.text, place, depth + 1)))
    if ((flags & Flag.wide) !== 0) {
      const folded = foldWide(scan.rest)
      const edits = folded === scan.rest ? noEdits : this.edits(folded, place, depth + 1)
      for (const { from, to } of edits) session.digests.addValue(scan.text.slice(from, to))
      scan.addEdits(edits)
    }
    this.#redactKnown(scan, place)
    if ((flags & Flag.run) !== 0) this.#redactSecrets(scan, place)
    if ((flags & Flag.at) !== 0) this.#redactEmails(scan, place)
    if ((flags & Flag.digits) !== 0) {
      this.#redactAccounts(scan, place)
      this.#redactPhones(scan, place)
    }
    if ((flags & Flag.plus) !== 0) this.#redactSpaced(scan, flags, place, depth)
    this.#redactWords(scan, place)
    if ((flags & Flag.zero) !== 0 && depth < maxDepth) this.#redactUtf16(scan, place, depth)
    if (view || (flags & Flag.zero) !== 0) return false
    if ((flags & Flag.run) === 0) return !digests
    if (depth >= maxDepth) return false
    let isFullyVisible = !digests
    const redactInner = (text: string): string => {
      isFullyVisible = false
      return applyEdits(text, this.edits(text, place, depth + 2))
    }
    scan.addEdits(encodedEdits(scan.rest, redactInner))
    return isFullyVisible
  }

  /** Plus signs are spaces in forms (WHATWG URL, application/x-www-form-urlencoded), unless they start a phone number. */
  #redactSpaced(scan: Scan, flags: number, place: Place, depth: number): void {
    const { rest } = scan
    const spaced = rest.replaceAll(/(?<=[^\s=:;,(])\+/g, ' ')
    if (spaced === rest) return
    const view = (flags & Flag.escape) !== 0 && depth < maxDepth ? looseView(spaced) : null
    if (view) scan.addEdits(mapEdits(view, this.edits(view.text, place, depth + 1)))
    else {
      const spacedScan = new Scan(spaced)
      this.#redactKnown(spacedScan, place)
      if ((flags & Flag.digits) !== 0) this.#redactPhones(spacedScan, place)
      this.#redactWords(spacedScan, place)
      scan.addEdits(spacedScan.edits)
    }
  }

  #redactKnown(scan: Scan, place: Place): void {
    this.#redactKnownValues(scan, place, () => true)
    this.#redactRepeated(scan, place, (kind) => !wordKinds.has(kind))
  }

  #redactKnownValues(scan: Scan, place: Place, matches: (value: string) => boolean): void {
    const { session } = this
    if (!session.known.occursIn(scan.rest)) return
    const known = [...session.known.find(scan.rest)].filter(({ value }) => matches(value))
    scan.addEdits(
      known.map(({ from, to, kind, value }) => ({
        from,
        to,
        text: session.replace(kind, value, place),
      })),
    )
  }

  /** Words come last, so that an address is redacted as a whole before a word in it. */
  #redactRepeated(scan: Scan, place: Place, matches: (kind: RemovalKind) => boolean): void {
    const { session } = this
    for (const [value, kind] of session.repeated) {
      if (!matches(kind)) continue
      if (!scan.rest.includes(value)) continue
      const edits: Edit[] = []
      for (let at = scan.rest.indexOf(value); at !== -1;) {
        const to = at + value.length
        const isWhole = isWord(scan.rest, at, to)
        if (isWhole) edits.push({ from: at, to, text: session.replace(kind, value, place) })
        at = scan.rest.indexOf(value, isWhole ? to : wordEnd(scan.rest, at))
      }
      scan.addEdits(edits)
    }
  }

  /** Returns true if the text contains a possible digest. */
  #redactDigests(scan: Scan, place: Place): boolean {
    const { session } = this
    const found = session.digests.find(scan.rest)
    if (!found) return false
    scan.addEdits(
      found.map(({ from, to }) => ({
        from,
        to,
        text: session.replace('digest', scan.text.slice(from, to), place),
      })),
    )
    return true
  }

  #redactEmails(scan: Scan, place: Place): void {
    this.#redactSpans(scan, place, 'email', emailsIn(scan.rest))
  }

  #redactSecrets(scan: Scan, place: Place): void {
    if (scan.rest.includes('PRIVATE KEY')) {
      this.#redactSpans(scan, place, 'secret', privateKeysIn(scan.rest))
    }
    this.#redactSpans(scan, place, 'token', secretsIn(scan.rest))
  }

  /** In places with ids, digits alone are not a card number: one in ten ids passes the check digit by chance. */
  #redactAccounts(scan: Scan, place: Place): void {
    this.#redactSpans(scan, place, 'iban', ibansIn(scan.rest))
    if (!place.id) this.#redactSpans(scan, place, 'card', cardsIn(scan.rest))
  }

  #redactSpans(scan: Scan, place: Place, kind: RemovalKind, spans: readonly Span[]): void {
    if (!this.session.redacts(kind)) {
      // Hide them, so that their digits are not taken for something else.
      scan.hideSpans(spans)
      return
    }
    scan.addEdits(
      spans.map(({ from, to }) => ({
        from,
        to,
        text: this.session.replace(kind, scan.text.slice(from, to), place),
      })),
    )
  }

  #redactPhones(scan: Scan, place: Place): void {
    if (!this.session.redacts('phone')) return
    const { rest } = scan
    scan.addEdits(
      phonesIn(rest, this.handles.phones, place.id).map(({ from, to, dialed }) => ({
        from,
        to,
        text: this.session.replace('phone', dialed ?? rest.slice(from, to), place),
      })),
    )
  }

  #redactWords(scan: Scan, place: Place): void {
    this.#redactRepeated(scan, place, (kind) => wordKinds.has(kind))
    if (this.#handleMatcher.empty || !this.session.redacts('handle')) return
    const edits: Edit[] = []
    const find = this.#handleMatcher.finder(scan.rest)
    for (let at = 0; ;) {
      const match = find(at)
      if (!match) break
      const isWhole = isWord(scan.rest, match.from, match.to)
      if (isWhole) {
        const value = scan.rest.slice(match.from, match.to)
        edits.push({
          from: match.from,
          to: match.to,
          text: this.session.replace('handle', value, place),
        })
      }
      at = isWhole ? match.to : match.from + 1
    }
    scan.addEdits(edits)
  }

  /** UTF-16 read byte by byte: a zero is between any two characters. */
  #redactUtf16(scan: Scan, place: Place, depth: number): void {
    const { rest } = scan
    const at: number[] = []
    for (let index = 0; index < rest.length; index += 1) {
      if (rest.charCodeAt(index) !== 0) at.push(index)
    }
    at.push(rest.length)
    const edits = this.edits(rest.replaceAll('\0', ''), place, depth + 1)
    scan.addEdits(
      edits.map(({ from, to, text }) => {
        const start = at[from] ?? 0
        const end = (at[to - 1] ?? 0) + 1
        const between = rest.slice(start, end)
        if (!between.includes('\0')) return { from: start, to: end, text }
        const isBigEndian = between.charCodeAt(1) !== 0 || rest.charCodeAt(start - 1) === 0
        return isBigEndian && rest.charCodeAt(end) !== 0
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

const wordKinds: ReadonlySet<RemovalKind> = new Set([
  'handle',
  'email',
  'phone',
  'name',
  'card',
  'iban',
  'ip_address',
  'rule',
])

/** At the last level, all remaining levels of percent encoding at once. */
function viewAt(depth: number, text: string): DecodedView | null {
  if (depth < maxDepth) return looseView(text)
  return depth === maxDepth ? percentView(text) : null
}

const wordCharacter = /[\p{L}\p{N}]/u

function isWord(text: string, from: number, to: number): boolean {
  return (
    !isInnerBoundary(text.charAt(from - 1), text.charAt(from)) &&
    !isInnerBoundary(text.charAt(to), text.charAt(to - 1))
  )
}

/** No other word can start within it. */
function wordEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && isInnerBoundary(text.charAt(end - 1), text.charAt(end))) end += 1
  return end
}

function isInnerBoundary(outside: string, inside: string): boolean {
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
    for (const character of characters) flag[character.charCodeAt(0)] = value
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
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
    run[character.charCodeAt(0)] = 1
  }
  return { flag, run }
})()

/** In one pass. Most texts contain nothing relevant. */
function detectFlags(text: string): number {
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
