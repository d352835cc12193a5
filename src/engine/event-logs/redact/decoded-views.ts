import type { Edit } from './edits.ts'

/** A text with its escapes decoded, and the position of each character in the original text. */
export interface DecodedView {
  readonly text: string
  /** For each character, and for the end: its index in the original text. */
  readonly at: Uint32Array
  /** Escapes a replacement. */
  readonly write: (text: string) => string
}

const jsonEscapes = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["'\\/bfnrt])/g
const looseEscapes =
  /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["'\\/bfnrt])|(?:%[0-9a-fA-F]{2})+|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|commat|plus|period|lpar|rpar|hyphen|dash|lowbar|equals|colon|comma|sol|bsol|num|percnt);/g
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  commat: '@',
  plus: '+',
  period: '.',
  lpar: '(',
  rpar: ')',
  hyphen: '-',
  dash: '-',
  lowbar: '_',
  equals: '=',
  colon: ':',
  comma: ',',
  sol: '/',
  bsol: '\\',
  num: '#',
  percnt: '%',
}
const controlEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Null: no escapes. */
export function jsonView(text: string): DecodedView | null {
  if (!text.includes('\\')) return null
  return decode(text, jsonEscapes, (piece) => JSON.stringify(piece).slice(1, -1))
}

/** One level of percent encoding, backslashes and entities. Null: no escapes. */
export function looseView(text: string): DecodedView | null {
  let percent = false
  let entity = false
  const view = decode(
    text,
    looseEscapes,
    (piece) => {
      if (percent) return encodeURIComponent(piece)
      if (entity) return piece.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      return JSON.stringify(piece).slice(1, -1)
    },
    (escape) => {
      percent ||= escape.startsWith('%')
      entity ||= escape.startsWith('&')
    },
  )
  return view
}

/** All levels of percent encoding at once: `%2525252F` becomes a slash. */
export function percentView(text: string): DecodedView | null {
  const from = new Uint32Array(text.length + 1)
  const pieces: string[] = []
  let length = 0
  let copiedTo = 0
  const copyPlain = (to: number): void => {
    for (let at = copiedTo; at < to; at += 1, length += 1) from[length] = at
    pieces.push(text.slice(copiedTo, to))
  }
  for (let at = text.indexOf('%'); at !== -1;) {
    const escapeEnd = percentChainEnd(text, at)
    if (escapeEnd !== null) {
      copyPlain(at)
      pieces.push(`%${text.slice(escapeEnd - 2, escapeEnd)}`)
      from.set([at, escapeEnd - 2, escapeEnd - 1], length)
      length += 3
      copiedTo = escapeEnd
    }
    at = text.indexOf('%', escapeEnd ?? at + 1)
  }
  copyPlain(text.length)
  from[length] = text.length
  const view = looseView(pieces.join(''))
  return view && { ...view, at: view.at.map((place) => from[place] ?? text.length) }
}

const hexPair = /^[0-9a-fA-F]{2}$/

/** Includes nested escapes (`%2525…`). */
function percentChainEnd(text: string, from: number): number | null {
  let at = from + 1
  while (text.startsWith('25', at)) at += 2
  if (hexPair.test(text.slice(at, at + 2))) return at + 2
  return at > from + 1 ? at : null
}

function decode(
  text: string,
  pattern: RegExp,
  write: (text: string) => string,
  onEscape: (escape: string) => void = () => undefined,
): DecodedView | null {
  const pieces: string[] = []
  const at: number[] = []
  let decodedTo = 0
  const copyPlain = (to: number): void => {
    for (let index = decodedTo; index < to; index += 1) at.push(index)
    pieces.push(text.slice(decodedTo, to))
  }
  for (const match of text.matchAll(pattern)) {
    const escape = match[0]
    onEscape(escape)
    copyPlain(match.index)
    for (const { character, from } of decodeEscape(escape)) {
      for (let unit = 0; unit < character.length; unit += 1) at.push(match.index + from)
      pieces.push(character)
    }
    decodedTo = match.index + escape.length
  }
  if (decodedTo === 0) return null
  copyPlain(text.length)
  at.push(text.length)
  return { text: pieces.join(''), at: Uint32Array.from(at), write }
}

function single(character: string): { character: string; from: number }[] {
  return [{ character, from: 0 }]
}

function decodeEscape(escape: string): { character: string; from: number }[] {
  const code = (digits: string, radix: number): { character: string; from: number }[] => {
    const point = Number.parseInt(digits, radix)
    return single(point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point))
  }
  if (escape.startsWith('%')) return decodePercent(escape)
  if (escape.startsWith('&#')) {
    return /^&#x/i.test(escape) ? code(escape.slice(3, -1), 16) : code(escape.slice(2, -1), 10)
  }
  if (escape.startsWith('&')) return single(entities[escape.slice(1, -1)] ?? escape)
  const letter = escape.charAt(1)
  if (escape.length > 2) return code(escape.slice(2).replaceAll(/[{}]/g, ''), 16)
  return single(controlEscapes[letter] ?? letter)
}

/** UTF-8; invalid bytes as Latin-1. */
function decodePercent(escape: string): { character: string; from: number }[] {
  const bytes = Buffer.from(escape.replaceAll('%', ''), 'hex')
  const characters: { character: string; from: number }[] = []
  for (let at = 0; at < bytes.byteLength;) {
    const lead = bytes[at] ?? 0
    const size = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
    const character = bytes.toString('utf8', at, at + size)
    const isValid = size === 1 ? lead < 0x80 : !character.includes('\uFFFD')
    characters.push({ character: isValid ? character : String.fromCharCode(lead), from: at * 3 })
    at += isValid ? size : 1
  }
  return characters
}

export function mapEdits(view: DecodedView, edits: readonly Edit[]): Edit[] {
  return edits.map(({ from, to, text }) => ({
    from: view.at[from] ?? 0,
    to: view.at[to] ?? 0,
    text: view.write(text),
  }))
}

/** In other scripts. Full-width forms are handled separately, because they also include letters and punctuation. */
const digitZeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50,
]

export function isWide(code: number): boolean {
  if (code >= 0xff01) return code <= 0xff5e
  if (code === 0x3000) return true
  return (
    code >= 0x0660 && code <= 0x0e59 && digitZeros.some((zero) => code >= zero && code <= zero + 9)
  )
}

/** The length does not change. */
export function foldWide(text: string): string {
  return text.replaceAll(/[\u0660-\u0e59\u3000\uff01-\uff5e]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x3000) return ' '
    if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
    const zero = digitZeros.find((candidate) => code >= candidate && code <= candidate + 9)
    return zero === undefined ? character : String(code - zero)
  })
}
