import type { Edit } from './edits.ts'

/** A text as it reads once its escapes are undone, and where each of its characters stands. */
export interface View {
  readonly text: string
  /** For each character, and for the end: its place in the text that was read. */
  readonly at: Uint32Array
  /** Writes a text as it must stand there. */
  readonly write: (text: string) => string
}

const escapes = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["'\\/bfnrt])/g
const looseEscapes =
  /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["'\\/bfnrt])|(?:%[0-9a-fA-F]{2})+|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|commat|plus|period|lpar|rpar|hyphen|dash|lowbar|equals|colon|comma|sol|bsol|num|percnt);/g
const named: Readonly<Record<string, string>> = {
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
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The inside of a JSON string as it reads. Null: it reads as it stands. */
export function jsonView(text: string): View | null {
  if (!text.includes('\\')) return null
  return viewOf(text, escapes, (piece) => JSON.stringify(piece).slice(1, -1))
}

/** A text with all that may be an escape undone once: percent signs, backslashes, entities. Null: there is none. */
export function looseView(text: string): View | null {
  let percent = false
  let entity = false
  const view = viewOf(
    text,
    looseEscapes,
    (piece) => {
      if (percent) return encodeURIComponent(piece)
      if (entity) return piece.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      return JSON.stringify(piece).slice(1, -1)
    },
    (found) => {
      percent ||= found.startsWith('%')
      entity ||= found.startsWith('&')
    },
  )
  return view
}

/** As `looseView`, but percent signs are undone as often as they were written, all at once: `%2525252F` is a slash. */
export function percentView(text: string): View | null {
  const from: number[] = []
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const escape = text.charAt(at) === '%' ? chainEnd(text, at) : null
    if (escape === null) {
      pieces.push(text.charAt(at))
      from.push(at)
      at += 1
    } else {
      pieces.push(`%${text.slice(escape - 2, escape)}`)
      from.push(at, escape - 2, escape - 1)
      at = escape
    }
  }
  from.push(text.length)
  const view = looseView(pieces.join(''))
  return view && { ...view, at: view.at.map((place) => from[place] ?? text.length) }
}

const hexPair = /^[0-9a-fA-F]{2}$/

/** Behind the escape that begins here, with all in it that stand for its percent sign; null: there is none. */
function chainEnd(text: string, from: number): number | null {
  let at = from + 1
  while (text.startsWith('25', at)) at += 2
  if (hexPair.test(text.slice(at, at + 2))) return at + 2
  return at > from + 1 ? at : null
}

function viewOf(
  text: string,
  pattern: RegExp,
  write: (text: string) => string,
  note: (found: string) => void = () => undefined,
): View | null {
  const pieces: string[] = []
  const at: number[] = []
  let behind = 0
  const plain = (to: number): void => {
    for (let index = behind; index < to; index += 1) at.push(index)
    pieces.push(text.slice(behind, to))
  }
  for (const match of text.matchAll(pattern)) {
    const found = match[0]
    note(found)
    plain(match.index)
    for (const { character, from } of meaning(found)) {
      for (let unit = 0; unit < character.length; unit += 1) at.push(match.index + from)
      pieces.push(character)
    }
    behind = match.index + found.length
  }
  if (behind === 0) return null
  plain(text.length)
  at.push(text.length)
  return { text: pieces.join(''), at: Uint32Array.from(at), write }
}

function one(character: string): { character: string; from: number }[] {
  return [{ character, from: 0 }]
}

function meaning(found: string): { character: string; from: number }[] {
  const code = (digits: string, radix: number): { character: string; from: number }[] => {
    const point = Number.parseInt(digits, radix)
    return one(point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point))
  }
  if (found.startsWith('%')) return percentMeaning(found)
  if (found.startsWith('&#')) {
    return /^&#x/i.test(found) ? code(found.slice(3, -1), 16) : code(found.slice(2, -1), 10)
  }
  if (found.startsWith('&')) return one(named[found.slice(1, -1)] ?? found)
  const letter = found.charAt(1)
  if (found.length > 2) return code(found.slice(2).replaceAll(/[{}]/g, ''), 16)
  return one(short[letter] ?? letter)
}

/** Bytes as UTF-8, and each that is none as Latin-1. */
function percentMeaning(found: string): { character: string; from: number }[] {
  const bytes = Buffer.from(found.replaceAll('%', ''), 'hex')
  const characters: { character: string; from: number }[] = []
  for (let at = 0; at < bytes.byteLength;) {
    const lead = bytes[at] ?? 0
    const size = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
    const character = bytes.toString('utf8', at, at + size)
    const good = size === 1 ? lead < 0x80 : !character.includes('\uFFFD')
    characters.push({ character: good ? character : String.fromCharCode(lead), from: at * 3 })
    at += good ? size : 1
  }
  return characters
}

/** Edits of what a view shows, as edits of the text that it shows. */
export function editsBehind(view: View, edits: readonly Edit[]): Edit[] {
  return edits.map(({ from, to, text }) => ({
    from: view.at[from] ?? 0,
    to: view.at[to] ?? 0,
    text: view.write(text),
  }))
}
