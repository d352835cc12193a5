import type { Span } from './contacts.ts'

const digit = /[0-9]/
const alphanumeric = /[A-Za-z0-9]/
const wordCharacter = /[\p{L}\p{N}_]/u

function isGap(character: string): boolean {
  return character === ' ' || character === '-' || character === '\u00a0'
}

/** ISO/IEC 7812-1, and the ranges below. */
const minCardDigits = 14
const maxCardDigits = 19
/** Most numbers that pass the check digit by chance are outside these ranges. */
const cardNetworks =
  /^(?:4|5[0-9]|6|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|35(?:2[89]|[3-8]))/

/** In the range of a network, with a valid check digit (Luhn, ISO/IEC 7812-1, annex B), with or without groups. */
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

/** Groups of four, or as on cards with 14 and 15 digits. Numbers in other groups are not cards. */
const grouping = /^(?:\d+|(?:4,){3}4(?:,[1-3])?|(?:4,){4}3|4,6,[45])$/

function cardEnd(text: string, from: number): number | null {
  let digits = ''
  let end: number | null = null
  const groups: number[] = [0]
  for (let at = from; digits.length <= maxCardDigits; at += 1) {
    const character = text.charAt(at)
    if (digit.test(character)) {
      digits += character
      groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1
      continue
    }
    const isEnd = !wordCharacter.test(character) && !/^[-.,]\w/.test(text.slice(at, at + 2))
    if (isEnd && grouping.test(groups.join(',')) && isCard(digits)) end = at
    if (!isGap(character) || !digit.test(text.charAt(at + 1))) break
    groups.push(0)
  }
  return end
}

/** `digits` has no separators. */
export function isCard(digits: string): boolean {
  if (digits.length < minCardDigits || digits.length > maxCardDigits) return false
  if (!cardNetworks.test(digits) || /^([0-9])\1+$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const value = digits.charCodeAt(digits.length - 1 - at) - 0x30
    const doubled = at % 2 === 0 ? value : value * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** By country (ISO 13616, the SWIFT registry, https://www.swift.com/standards/data-standards/iban). */
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
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** With the length of their country and a valid checksum (ISO 13616, mod 97 as in ISO/IEC 7064), with or without groups. */
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
  const rearranged = iban.slice(4) + iban.slice(0, 4)
  let remainder = 0
  for (const character of rearranged.toUpperCase()) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
