import { isIP } from 'node:net'

/** A place in a text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** RFC 5321, 4.5.3.1, with room for what is longer than allowed. */
const longestLocal = 320
const longestDomain = 512

const localCharacter = /[\p{L}\p{N}\p{M}._%+\-!#$'*~^]/u
const localEdge = /^[.'*~^#!$-]+/
const domainAhead =
  /(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,62}[.\u3002]){1,127}(?:xn--[a-z0-9-]{2,59}|\p{L}[\p{L}\p{M}]{1,62})|\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]|localhost\b/iuy

/** E-mail addresses in a text (RFC 5322, with RFC 6531): also with letters of any script, and with a quoted local part. */
export function emailsIn(text: string): Span[] {
  const found: Span[] = []
  let behind = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = localStart(text, at, behind)
    if (from === at) continue
    domainAhead.lastIndex = at + 1
    const domain = domainAhead.exec(text)
    if (!domain) continue
    const to = at + 1 + domain[0].length
    found.push({ from, to })
    behind = to
  }
  return found
}

function localStart(text: string, at: number, floor: number): number {
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2)
    const inside = open < floor || at - open > longestLocal ? '' : text.slice(open + 1, at - 1)
    if (inside !== '' && !/[\r\n]/.test(inside)) return open
  }
  let from = at
  const least = Math.max(floor, at - longestLocal)
  while (from > least && localCharacter.test(characterBefore(text, from))) {
    from -= characterBefore(text, from).length
  }
  const edge = localEdge.exec(text.slice(from, at))
  return edge ? from + edge[0].length : from
}

/** The character before a place: both halves of a pair of surrogates. */
function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1)
}

/** The whole text is one address. */
export function isEmail(text: string): boolean {
  if (text.length > longestLocal + longestDomain || !text.includes('@')) return false
  const [first] = emailsIn(text)
  return first !== undefined && first.from === 0 && first.to === text.length
}

export interface PhoneSpan extends Span {
  /** The known number that is meant, with its plus sign; absent: what is written. */
  readonly dialled?: string
}

/** Nothing that belongs to a word or a decimal number stands before it. */
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

/** What consists of digits and is no phone number: ids, times, addresses, digests. */
const others =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)|(?<![\d./-])\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?!\d)|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<![0-9a-z+])(?=[0-9]{0,60}[a-f]|[0-9]{18})[0-9a-f]{16}[0-9a-f]*(?![0-9a-z])|(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?!\d)/gi

/**
 * Phone numbers in a text: international, North American, national with a leading 0, and those in `handles` (as digits) in any writing.
 * `plusOnly`: where ids stand, those with a plus sign alone.
 */
export function phonesIn(
  text: string,
  handles: ReadonlySet<string>,
  plusOnly = false,
): PhoneSpan[] {
  const found: PhoneSpan[] = []
  let rest = text.replace(others, hidden)
  /** What is found is hidden from what comes behind. */
  const take = (pattern: RegExp, spansIn: (match: string) => readonly PhoneSpan[]): void => {
    rest = rest.replace(pattern, (match: string, ...more: unknown[]) => {
      const offset = more.find((one) => typeof one === 'number') ?? 0
      const spans = spansIn(match)
      for (const span of spans) {
        found.push({ ...span, from: offset + span.from, to: offset + span.to })
      }
      return without(match, spans)
    })
  }
  if (handles.size > 0) {
    const known = knownIn(rest, handles)
    for (const one of known) found.push(one)
    rest = without(rest, known)
  }
  take(international, (match) => (plusOnly && !match.startsWith('+') ? [] : all(match)))
  if (plusOnly) return found
  take(northAmerican, all)
  take(national, (match) => (isNational(match) ? all(match) : []))
  return found
}

function all(match: string): Span[] {
  return [{ from: 0, to: match.length }]
}

function hidden(text: string): string {
  return 'x'.repeat(text.length)
}

/** The text with these places hidden, which are in order. */
function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { from, to } of spans) {
    pieces.push(text.slice(at, from), hidden(text.slice(from, to)))
    at = to
  }
  return pieces.join('') + text.slice(at)
}

/** Groups of digits that make one number, at most. */
const groupsLimit = 8
/** Digits of a number that is looked for (ITU-T E.164 allows 15), with room for what is written between them. */
const longestWritten = 60

/** Known numbers in any writing: the longest first, from the end of one group of digits to that of another. */
function knownIn(text: string, handles: ReadonlySet<string>): PhoneSpan[] {
  const groups = digitGroups(text)
  const found: PhoneSpan[] = []
  for (let first = 0; first < groups.length; first += 1) {
    const run = groups[first]
    if (!run || isWordAt(text, run.from - 1)) continue
    let last = first
    while (last + 1 < groups.length && last + 1 < first + groupsLimit) {
      const [before, next] = [groups[last], groups[last + 1]]
      if (!before || !next || !isGap(text, before.to, next.from)) break
      last += 1
    }
    for (; last >= first; last -= 1) {
      const to = groups[last]?.to ?? run.to
      if (to - run.from > longestWritten || isWordAt(text, to)) continue
      const digits = knownNumber(text.slice(run.from, to), handles)
      if (digits === null) continue
      found.push({ from: run.from, to, dialled: `+${digits}` })
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

/** Nothing but what may stand within a number, and little of it. */
function isGap(text: string, from: number, to: number): boolean {
  return to - from <= 3 && onlyGap.test(text.slice(from, to))
}

function isWordAt(text: string, at: number): boolean {
  return wordCharacter.test(text.charAt(at))
}

/** The known number that this one is, as digits: as it would be dialled, or written without its plus sign. */
export function knownNumber(written: string, handles: ReadonlySet<string>): string | null {
  const digits = phoneDigits(written)
  if (handles.has(digits)) return digits
  const plain = written.replaceAll(/\D/g, '')
  return handles.has(plain) ? plain : null
}

/** Eight to twelve digits; groups of two alone are five of them, else they are dates, times, or prices. */
function isNational(written: string): boolean {
  const groups = written.match(/\d+/g) ?? []
  const digits = groups.join('').length
  if (digits < 8 || digits > 12) return false
  return !groups.every((group) => group.length === 2) || groups.length === 5
}

/** A number as it is dialled from abroad, as far as it can be told: digits alone, North American ones with their 1. */
export function phoneDigits(written: string): string {
  const digits = written.replace(/\(0\)/, '').replaceAll(/\D/g, '')
  if (/^\s*\(?\+/.test(written)) return digits
  if (digits.startsWith('00')) return digits.slice(2)
  return /^[2-9]\d{9}$/.test(digits) ? `1${digits}` : digits
}

/** The whole text is written as a phone number: nothing but digits and what stands between them. */
export function isPhone(text: string): boolean {
  return (
    /^[+(]?[\d \t\u00a0.\-/()\u2010-\u2015]{5,40}$/.test(text) &&
    (text.match(/\d/g) ?? []).length >= 5
  )
}

const written = /[0-9a-fA-F:.]{3,45}/g
const longest = 45

/** IP addresses in a text, without a port: those of machines alone (loopback) stay. */
export function ipAddressesIn(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(written)) {
    const run = match[0]
    if (run.length > longest) continue
    const before = text.charAt(match.index - 1)
    const after = text.charAt(match.index + run.length)
    if (/[\w]/.test(before) || /[\w]/.test(after)) continue
    // A port may follow, or the end of a sentence.
    const ip = [run, run.replace(/[.:]$/, ''), run.replace(/:\d{1,5}$/, '')].find((one) =>
      isIP(one),
    )
    if (ip === undefined || isLoopback(ip)) continue
    found.push({ from: match.index, to: match.index + ip.length })
  }
  return found
}

/** The whole text is one. */
export function isIpAddress(text: string): boolean {
  return isIP(text.trim()) !== 0
}

export function isLoopback(ip: string): boolean {
  return /^127\.|^::1$|^::ffff:127\./i.test(ip)
}
