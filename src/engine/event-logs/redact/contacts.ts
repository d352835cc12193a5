import { isIP } from 'node:net'

export interface Span {
  readonly from: number
  readonly to: number
}

/** RFC 5321, 4.5.3.1, with some tolerance for longer addresses. */
const maxLocalLength = 320
const maxDomainLength = 512

const localCharacter = /[\p{L}\p{N}\p{M}._%+\-!#$'*~^]/u
const localEdge = /^[.'*~^#!$-]+/
const domainPattern =
  /(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,62}[.\u3002]){1,127}(?:xn--[a-z0-9-]{2,59}|\p{L}[\p{L}\p{M}]{1,62})|\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]|localhost\b/iuy

/** RFC 5322 with RFC 6531: letters of any script and quoted local parts. */
export function emailsIn(text: string): Span[] {
  const found: Span[] = []
  let previousEnd = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = localStart(text, at, previousEnd)
    if (from === at) continue
    domainPattern.lastIndex = at + 1
    const domain = domainPattern.exec(text)
    if (!domain) continue
    const to = at + 1 + domain[0].length
    found.push({ from, to })
    previousEnd = to
  }
  return found
}

function localStart(text: string, at: number, minStart: number): number {
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2)
    const inside = open < minStart || at - open > maxLocalLength ? '' : text.slice(open + 1, at - 1)
    if (inside !== '' && !/[\r\n]/.test(inside)) return open
  }
  let from = at
  const lowest = Math.max(minStart, at - maxLocalLength)
  while (from > lowest && localCharacter.test(characterBefore(text, from))) {
    from -= characterBefore(text, from).length
  }
  const edge = localEdge.exec(text.slice(from, at))
  return edge ? from + edge[0].length : from
}

/** Both halves of a surrogate pair. */
function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1)
}

export function isEmail(text: string): boolean {
  if (text.length > maxLocalLength + maxDomainLength || !text.includes('@')) return false
  const [first] = emailsIn(text)
  return first !== undefined && first.from === 0 && first.to === text.length
}

export interface PhoneSpan extends Span {
  /** The known number, with a plus sign. */
  readonly dialed?: string
}

/** Not preceded by a part of a word or a decimal number. */
const before = String.raw`(?<![\p{L}\p{N}_]|\d[.:])`
const after = String.raw`(?![\p{L}\p{N}_]|[.,]\d{1,2}(?!\d))`
const gap = String.raw`[ \t\u00a0.\-/()\u2010-\u2015]`

const international = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:\+[ \u00a0]?\(?\d(?:${gap}{0,4}\d){6,14}(?!\d)|(?<!\d[.:])00[ -]?\(?[1-9](?:${gap}{0,4}\d){7,13}${after})`,
  'gu',
)
const northAmerican = new RegExp(
  String.raw`${before}(?:1[ .\-\u00a0]{0,2})?(?:\([2-9]\d{2}\)[ .\-\u00a0]{0,2}\d{3}[ .\-\u00a0]?\d{4}|[2-9]\d{2}([ .\-/\u00a0\u2010-\u2015])\d{3}\1\d{4}|[2-9]\d{2}[ \-/]\d{3}[ -]?\d{4}|[2-9]\d{9})${after}`,
  'gu',
)
const national = new RegExp(
  String.raw`${before}(?:\(0[1-9]\d{0,4}\)|0[1-9]\d{0,4})(?:${gap}{1,3}\d{2,8}){1,5}${after}|${before}0[1-9]\d{8,9}${after}`,
  'gu',
)
const digitGroup = /\+?\(?\d+\)?/g
const onlyGap = new RegExp(`^${gap}*$`)
const wordCharacter = /[\p{L}\p{N}_]/u

/** Ids, times, IP addresses, digests. */
const notPhonePattern =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)|(?<![\d./-])\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?!\d)|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<![0-9a-z+])(?=[0-9]{0,60}[a-f]|[0-9]{18})[0-9a-f]{16}[0-9a-f]*(?![0-9a-z])|(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?!\d)/gi

/** International, North American, national with a leading 0, and those in `handles` (digits) in any notation. `plusOnly`: for places that hold ids. */
export function phonesIn(
  text: string,
  handles: ReadonlySet<string>,
  plusOnly = false,
): PhoneSpan[] {
  const found: PhoneSpan[] = []
  let remaining = text.replace(notPhonePattern, mask)
  /** Masks matches, so that later patterns do not match them again. */
  const findAll = (pattern: RegExp, spansIn: (match: string) => readonly PhoneSpan[]): void => {
    remaining = remaining.replace(pattern, (match: string, ...more: unknown[]) => {
      const offset = more.find((argument) => typeof argument === 'number') ?? 0
      const spans = spansIn(match)
      for (const span of spans) {
        found.push({ ...span, from: offset + span.from, to: offset + span.to })
      }
      return maskSpans(match, spans)
    })
  }
  if (handles.size > 0) {
    const known = knownNumbersIn(remaining, handles)
    for (const span of known) found.push(span)
    remaining = maskSpans(remaining, known)
  }
  findAll(international, (match) => (plusOnly && !match.startsWith('+') ? [] : wholeMatch(match)))
  if (plusOnly) return found
  findAll(northAmerican, wholeMatch)
  findAll(national, (match) => (isNational(match) ? wholeMatch(match) : []))
  return found
}

function wholeMatch(match: string): Span[] {
  return [{ from: 0, to: match.length }]
}

function mask(text: string): string {
  return 'x'.repeat(text.length)
}

/** The ranges must be in order. */
function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { from, to } of spans) {
    pieces.push(text.slice(at, from), mask(text.slice(from, to)))
    at = to
  }
  return pieces.join('') + text.slice(at)
}

const maxGroups = 8
/** At most 15 digits (ITU-T E.164), with separators. */
const maxNumberLength = 60

/** A match consists of complete digit groups; longer matches take precedence. */
function knownNumbersIn(text: string, handles: ReadonlySet<string>): PhoneSpan[] {
  const groups = digitGroups(text)
  const found: PhoneSpan[] = []
  for (let first = 0; first < groups.length; first += 1) {
    const firstGroup = groups[first]
    if (!firstGroup || isWordAt(text, firstGroup.from - 1)) continue
    let last = first
    while (last + 1 < groups.length && last + 1 < first + maxGroups) {
      const [before, next] = [groups[last], groups[last + 1]]
      if (!before || !next || !isGap(text, before.to, next.from)) break
      last += 1
    }
    for (; last >= first; last -= 1) {
      const to = groups[last]?.to ?? firstGroup.to
      if (to - firstGroup.from > maxNumberLength || isWordAt(text, to)) continue
      const digits = knownNumber(text.slice(firstGroup.from, to), handles)
      if (digits === null) continue
      found.push({ from: firstGroup.from, to, dialed: `+${digits}` })
      first = last
      break
    }
  }
  return found
}

function digitGroups(text: string): Span[] {
  return [...text.matchAll(digitGroup)].map((group) => ({
    from: group.index,
    to: group.index + group[0].length,
  }))
}

function isGap(text: string, from: number, to: number): boolean {
  return to - from <= 3 && onlyGap.test(text.slice(from, to))
}

function isWordAt(text: string, at: number): boolean {
  return wordCharacter.test(text.charAt(at))
}

/** Returns the known number's digits, as dialed or written without its plus sign. */
export function knownNumber(text: string, handles: ReadonlySet<string>): string | null {
  const digits = phoneDigits(text)
  if (handles.has(digits)) return digits
  const plain = text.replaceAll(/\D/g, '')
  return handles.has(plain) ? plain : null
}

/** Eight to twelve digits. If all groups have two digits there must be five, otherwise it may be a date, time or price. */
function isNational(text: string): boolean {
  const groups = text.match(/\d+/g) ?? []
  const digits = groups.join('').length
  if (digits < 8 || digits > 12) return false
  return !groups.every((group) => group.length === 2) || groups.length === 5
}

/** The digits to dial from abroad, as far as possible. North American numbers get their leading 1. */
export function phoneDigits(text: string): string {
  const digits = text.replace(/\(0\)/, '').replaceAll(/\D/g, '')
  if (/^\s*\(?\+/.test(text)) return digits
  if (digits.startsWith('00')) return digits.slice(2)
  return /^[2-9]\d{9}$/.test(digits) ? `1${digits}` : digits
}

export function isPhone(text: string): boolean {
  return (
    /^[+(]?[\d \t\u00a0.\-/()\u2010-\u2015]{5,40}$/.test(text) &&
    (text.match(/\d/g) ?? []).length >= 5
  )
}

const addressRun = /[0-9a-fA-F:.]{3,45}/g
const maxAddressLength = 45

/** Without their port. Ignores loopback addresses. */
export function ipAddressesIn(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(addressRun)) {
    const run = match[0]
    if (run.length > maxAddressLength) continue
    const before = text.charAt(match.index - 1)
    const after = text.charAt(match.index + run.length)
    if (/[\w]/.test(before) || /[\w]/.test(after)) continue
    // The match may include a port or the punctuation at the end of a sentence.
    const ip = [run, run.replace(/[.:]$/, ''), run.replace(/:\d{1,5}$/, '')].find((candidate) =>
      isIP(candidate),
    )
    if (ip === undefined || isLoopback(ip)) continue
    found.push({ from: match.index, to: match.index + ip.length })
  }
  return found
}

export function isIpAddress(text: string): boolean {
  return isIP(text.trim()) !== 0
}

export function isLoopback(ip: string): boolean {
  return /^127\.|^::1$|^::ffff:127\./i.test(ip)
}
