import type { Span } from './contacts.ts'

const digit = /[0-9]/
const alphanumeric = /[A-Za-z0-9]/
const wordCharacter = /[\p{L}\p{N}_]/u

/** A character between groups of a number. */
function isGap(character: string): boolean {
  return character === ' ' || character === '-' || character === '\u00a0'
}

/** Digits of payment cards, at least and at most (ISO/IEC 7812-1, and the ranges below). */
const shortestCard = 14
const longestCard = 19
/** The ranges of the card networks, by their first digits: a number that passes the check digit by chance is mostly outside of them. */
const network =
  /^(?:4|5[0-9]|6|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|35(?:2[89]|[3-8]))/

/** Numbers of payment cards: of a network, with a check digit that is right (Luhn, ISO/IEC 7812-1, annex B), together or in groups. */
export function cardsIn(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(/[0-9][0-9]+/g)) {
    const from = match.index
    if (from < (found.at(-1)?.to ?? 0)) continue
    const before = text.charAt(from - 1)
    if (wordCharacter.test(before) || /[.+,-]/.test(before)) continue
    const to = cardEnd(text, from)
    if (to !== null) found.push({ from, to })
  }
  return found
}

/** How the digits of a card are grouped: by four, or as on cards of 14 and 15 digits; what is grouped otherwise is another number. */
const grouping = /^(?:\d+|(?:4,){3}4(?:,[1-3])?|(?:4,){4}3|4,6,[45])$/

/** Where the card ends that begins here; null: there is none. */
function cardEnd(text: string, from: number): number | null {
  let digits = ''
  let end: number | null = null
  const groups: number[] = [0]
  for (let at = from; digits.length <= longestCard; at += 1) {
    const character = text.charAt(at)
    if (digit.test(character)) {
      digits += character
      groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1
      continue
    }
    const over = !wordCharacter.test(character) && !/^[-.,]\w/.test(text.slice(at, at + 2))
    if (over && grouping.test(groups.join(',')) && isCard(digits)) end = at
    if (!isGap(character) || !digit.test(text.charAt(at + 1))) break
    groups.push(0)
  }
  return end
}

/** Digits alone. */
export function isCard(digits: string): boolean {
  if (digits.length < shortestCard || digits.length > longestCard) return false
  if (!network.test(digits) || /^([0-9])\1+$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const value = digits.charCodeAt(digits.length - 1 - at) - 0x30
    const doubled = at % 2 === 0 ? value : value * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Characters of an IBAN by country (ISO 13616, the registry of SWIFT, https://www.swift.com/standards/data-standards/iban). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  [
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22',
    'DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28',
    'HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25',
    'MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29',
    'RO25 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29',
    'VA22 VG24 XK20 YE30',
  ]
    .flatMap((line) => line.split(' '))
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
)

/** Account numbers with a country's length and a right checksum (ISO 13616, mod 97 as in ISO/IEC 7064), together or in groups. */
export function ibansIn(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(/[A-Za-z]{2}[ -]?[0-9]{2}/g)) {
    const from = match.index
    if (from < (found.at(-1)?.to ?? 0) || wordCharacter.test(text.charAt(from - 1))) continue
    const length = ibanLengths.get(text.slice(from, from + 2).toUpperCase())
    if (length === undefined) continue
    let iban = ''
    let at = from
    for (; at < text.length && iban.length < length; at += 1) {
      const character = text.charAt(at)
      if (alphanumeric.test(character)) iban += character
      else if (!isGap(character) || isGap(text.charAt(at - 1))) break
    }
    if (iban.length < length || wordCharacter.test(text.charAt(at))) continue
    if (isIban(iban)) found.push({ from, to: at })
  }
  return found
}

function isIban(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4)
  let rest = 0
  for (const character of moved.toUpperCase()) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
