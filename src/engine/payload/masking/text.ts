/*
 * Texts are byte strings here: UTF-8 with one character for each byte, as `Buffer.toString('latin1')` returns them, since bodies and headers may hold
 * anything.
 */
import { fromBytes } from '../../platform/byte-text.ts'

/** The exact length of a name identifies it far too often; its class does not. */
function lengthClass(length: number): number {
  if (length < 4) return length < 2 ? length : 3
  if (length < 16) return length < 8 ? 5 : 10
  if (length < 64) return length < 32 ? 20 : 40
  return 80
}

const twoBytes = '\xc3\xa9'
const threeBytes = '\xe4\xb8\xad'
const fourBytes = '\xf0\x9f\x98\x80'
const twice = '\xc3\x83\xc2\xa9'
const replacement = '\xef\xbf\xbd'
const notUtf8 = '\xff'

const other = 0
const lower = 1
const upper = 2
const digit = 3
const high = 4
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x80) return high
  if (code >= 0x61 && code <= 0x7a) return lower
  if (code >= 0x41 && code <= 0x5a) return upper
  return code >= 0x30 && code <= 0x39 ? digit : other
})

class Unit {
  end = 0
  /** `other`: it stays. */
  kind = other
  /** For a character beyond ASCII or an escape: what takes its place at the end of its run, or where it was. */
  mark = ''

  /** `escapes`: of JSON strings. */
  read(text: string, at: number, escapes: boolean): void {
    const code = text.charCodeAt(at)
    this.end = at + 1
    this.mark = ''
    this.kind = classes[code] ?? other
    if (this.kind === high) this.#readUtf8(text, at, code)
    else if (code === 0x5c && escapes) this.#readEscape(text, at)
    else if (code === 0x25) this.#readPercent(text, at)
  }

  #set(end: number, kind: number, mark: string): void {
    this.end = end
    this.kind = kind
    this.mark = mark
  }

  #readUtf8(text: string, at: number, lead: number): void {
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    let point = lead & (0xff >> (size + 1))
    for (let next = at + 1; next < at + size; next += 1) {
      const code = text.charCodeAt(next)
      if (!(code >= 0x80 && code < 0xc0)) return this.#set(at + 1, high, notUtf8)
      point = (point << 6) | (code & 0x3f)
    }
    if (lead < 0xc2 || lead > 0xf4 || (size === 3 && point < 0x800)) {
      return this.#set(at + 1, high, notUtf8)
    }
    const end = at + size
    if (
      point >= 0xc2 &&
      point <= 0xf4 &&
      lead === 0xc3 &&
      /^\xc2[\x80-\xbf]/.test(text.slice(end, end + 2))
    ) {
      let last = end
      while (/^\xc2[\x80-\xbf]/.test(text.slice(last, last + 2))) last += 2
      return this.#set(last, high, twice)
    }
    if (isSeparator(point)) return this.#set(end, other, '')
    if (point === 0xfffd) return this.#set(end, high, replacement)
    this.#set(end, high, size === 2 ? twoBytes : size === 3 ? threeBytes : fourBytes)
  }

  #readEscape(text: string, at: number): void {
    const next = text.charAt(at + 1)
    if (next !== 'u') {
      this.end = Math.min(at + 2, text.length)
      // Wrong escapes stay visible.
      if (/[A-Za-z0-9]/.test(next) && !/[bfnrt]/.test(next)) this.#set(at + 2, other, '\\x')
      else if (classes[next.charCodeAt(0)] === high) this.end = at + 1
      return
    }
    const hex = /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0]
    if (hex === undefined) return this.#set(at + 2, other, '')
    const point = Number.parseInt(hex, 16)
    const isUpper = /[A-F]/.test(hex)
    if (point >= 0xd800 && point < 0xdc00 && /^\\u[dD][c-fC-F]/.test(text.slice(at + 6, at + 10))) {
      return this.#set(at + 12, high, isUpper ? '\\uD83D\\uDE00' : '\\ud83d\\ude00')
    }
    if (point >= 0xd800 && point < 0xe000)
      return this.#set(at + 6, high, `\\u${isUpper ? 'D83D' : 'd83d'}`)
    if (point === 0xfffd) return this.#set(at + 6, high, `\\u${hex}`)
    if (point > 0x7f && !isSeparator(point))
      return this.#set(at + 6, high, isUpper ? '\\u00E9' : '\\u00e9')
    if (point <= 0x7f && (classes[point] ?? other) !== other)
      return this.#set(at + 6, lower, '\\u0078')
    this.#set(at + 6, other, '')
  }

  #readPercent(text: string, at: number): void {
    const hex = /^[0-9a-fA-F]{2}/.exec(text.slice(at + 1, at + 3))?.[0]
    if (hex === undefined) return
    const code = Number.parseInt(hex, 16)
    const kind = classes[code] ?? other
    this.#set(at + 3, kind, kind === other ? '' : kind === high ? '%C3%A9' : '%78')
  }
}

function isSeparator(point: number): boolean {
  return (
    (point >= 0x80 && point <= 0xa0) || (point >= 0x2000 && point <= 0x203f) || point === 0xfeff
  )
}

const unit = new Unit()

/**
 * Replaces each run of letters and digits by one that has the same kind of letters and about the same length. White space, punctuation, control characters
 * and escapes stay. `escapes`: of JSON strings.
 */
export function maskText(text: string, escapes = false): string {
  let out = ''
  let copied = 0
  let at = 0
  const { length } = text
  while (at < length) {
    const kind = classes[text.charCodeAt(at)] ?? other
    if (kind === other && !isEscapeStart(text.charCodeAt(at))) {
      at += 1
      continue
    }
    unit.read(text, at, escapes)
    if (unit.kind === other) {
      if (unit.mark !== '') {
        out += text.slice(copied, at) + unit.mark
        copied = unit.end
      }
      at = unit.end
      continue
    }
    out += text.slice(copied, at)
    let characters = 0
    let lowers = 0
    let uppers = 0
    let digits = 0
    let isFirstUpper = false
    let raw = ''
    let escaped = ''
    while (at < length) {
      unit.read(text, at, escapes)
      if (unit.kind === other) break
      if (unit.mark === '') {
        if (unit.kind === lower) lowers += 1
        else if (unit.kind === digit) digits += 1
        else {
          uppers += 1
          if (characters === 0) isFirstUpper = true
        }
      } else if (/^[%\\]/.test(unit.mark)) escaped = unit.mark
      else if (raw !== notUtf8) raw = unit.mark
      characters += 1
      at = unit.end
    }
    copied = at
    const marks = raw + escaped
    const size = lengthClass(characters) - (marks === '' ? 0 : 1)
    out += runOf(size, lowers, uppers, digits, isFirstUpper) + marks
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function isEscapeStart(code: number): boolean {
  return code === 0x5c || code === 0x25
}

const longest = 80
const mixed = 'xX'.repeat(longest / 2)

function runOf(
  size: number,
  lowers: number,
  uppers: number,
  digits: number,
  isFirstUpper: boolean,
): string {
  if (size <= 0) return ''
  if (digits > 0) {
    if (lowers + uppers === 0) return '0'.repeat(size)
    return `${'x'.repeat(size - 1)}0`
  }
  if (uppers === 0) return 'x'.repeat(size)
  if (lowers === 0 && (uppers > 1 || size === 1)) return 'X'.repeat(size)
  return isFirstUpper && uppers === 1 ? `X${'x'.repeat(size - 1)}` : mixed.slice(0, size)
}

/** What a text has besides letters, digits, punctuation and spaces, at most once each: characters beyond ASCII, control characters, escapes. */
export function marksOf(text: string): string {
  const marks = new Set<string>()
  for (let at = 0; at < text.length && marks.size < 8; at = unit.end) {
    const code = text.charCodeAt(at)
    unit.read(text, at, true)
    if (unit.mark !== '') marks.add(unit.mark)
    else if (
      unit.kind === other &&
      (code < 0x20 || code === 0x7f || code === 0x5c || code >= 0x80)
    ) {
      marks.add(text.slice(at, unit.end))
    }
  }
  return [...marks].join('')
}

/** A number of one digit stays; of others the first digit becomes 1, the rest zeros. `exact`: with as many digits as it had. */
export function maskNumber(text: string, exact = false): string {
  if (/^[+-]?\d$/.test(text)) return text
  let isFirst = true
  return text.replaceAll(/\d+/g, (digits) => {
    const first = isFirst && !digits.startsWith('0') ? '1' : '0'
    isFirst = false
    const size = exact || digits.length < 4 ? digits.length : lengthClass(digits.length)
    return first + '0'.repeat(size - 1)
  })
}

/** The wrong form of a time stays visible: every digit is masked alone. */
export function maskTime(text: string): string {
  return maskNumber(text, true).replaceAll(/[^\d]+/g, (rest) =>
    rest === 'T' || rest === 'Z' ? rest : maskText(rest, true),
  )
}

const maxTextLength = 80

/** A name of a place, a product or a tag, and not a contact, an address, a number or a code. `text`: Unicode. */
export function isPlainText(text: string): boolean {
  if (text.length > maxTextLength * 2) return false
  const normalized = text.normalize('NFKC')
  return (
    normalized.length <= maxTextLength &&
    normalized.isWellFormed() &&
    !/[\p{C}\u{fffd}@]|:\/\/|www\.|\?\w+=|(?![0-9])\p{Nd}|[0-9]{5}|[\p{L}\p{N}]{20}/iu.test(
      normalized,
    ) &&
    (normalized.match(/[0-9]/g)?.length ?? 0) <= 6 &&
    !/(?<![a-z0-9])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![a-z0-9])/i.test(normalized) &&
    !/(?:[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9])(?:[A-Za-z]*?(?:[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9])){2}/.test(
      normalized,
    )
  )
}

/** The content of a JSON string, as Unicode. Null: an invalid escape. */
export function decodeString(inner: string): string | null {
  if (!inner.includes('\\')) return fromBytes(inner)
  try {
    return String(JSON.parse(`"${fromBytes(inner).replaceAll(/[\x00-\x1f]/g, ' ')}"`))
  } catch {
    return null
  }
}
