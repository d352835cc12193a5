import type { Span } from './emails.ts'

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
const anyDigits = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])\+?\(?\d(?:${gap}{0,3}\d){5,}(?![\p{L}\p{N}_])`,
  'gu',
)

/** What consists of digits and is no phone number: ids, times, addresses, digests. */
const others =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)|(?<![\d./-])\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?!\d)|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<![0-9a-z+])(?=[0-9]{0,60}[a-f]|[0-9]{18})[0-9a-f]{16,}(?![0-9a-z])|(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?!\d)/gi

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
      let left = match
      for (const span of spansIn(match)) {
        const { from, to } = span
        found.push({ ...span, from: offset + from, to: offset + to })
        left = left.slice(0, from) + hidden(left.slice(from, to)) + left.slice(to)
      }
      return left
    })
  }
  if (handles.size > 0) take(anyDigits, (match) => knownIn(match, handles))
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

/** Groups of digits that make one number, at most. */
const groupsLimit = 8

/** Known numbers in a run of digits: the longest first, from the end of one group to that of another. */
function knownIn(run: string, handles: ReadonlySet<string>): PhoneSpan[] {
  const groups = [...run.matchAll(/\+?\(?\d+\)?/g)].map((group) => ({
    from: group.index,
    to: group.index + group[0].length,
  }))
  const found: PhoneSpan[] = []
  for (let first = 0; first < groups.length; first += 1) {
    const from = groups[first]?.from ?? 0
    for (let last = Math.min(groups.length, first + groupsLimit) - 1; last >= first; last -= 1) {
      const to = groups[last]?.to ?? from
      const digits = knownNumber(run.slice(from, to), handles)
      if (digits === null) continue
      found.push({ from, to, dialled: `+${digits}` })
      first = last
      break
    }
  }
  return found
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
