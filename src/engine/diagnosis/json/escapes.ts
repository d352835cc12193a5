export const beyondAscii = [
  'line separator',
  'next line',
  'control',
  'space',
  'narrow space',
  'wide space',
  'format',
  'other format',
  'punctuation',
  'other',
  'pair',
] as const

/** Groups of characters that libraries write alike in JSON strings: raw, or as an escape that JSON does not require (RFC 8259, 7). */
export const characterClasses = [
  'slash',
  'slash after <',
  'angle',
  'ampersand',
  'apostrophe',
  'quote',
  'equals',
  'plus',
  'backtick',
  'delete',
  ...beyondAscii,
] as const
export type CharacterClass = (typeof characterClasses)[number]

const bits = new Map<string, number>(characterClasses.map((name, index) => [name, 1 << index]))
const bit = (name: CharacterClass): number => bits.get(name) ?? 0

const ascii = new Map<number, CharacterClass>([
  [0x2f, 'slash'],
  [0x3c, 'angle'],
  [0x3e, 'angle'],
  [0x26, 'ampersand'],
  [0x27, 'apostrophe'],
  [0x22, 'quote'],
  [0x3d, 'equals'],
  [0x2b, 'plus'],
  [0x60, 'backtick'],
  [0x7f, 'delete'],
])

/** Null: never escaped, or always. `before`: the code unit before it. */
export function classOf(code: number, before: number): CharacterClass | null {
  if (code < 0x80) {
    const found = ascii.get(code) ?? null
    return found === 'slash' && before === 0x3c ? 'slash after <' : found
  }
  if (code < 0xa0) return code === 0x85 ? 'next line' : 'control'
  if (code === 0x2028 || code === 0x2029) return 'line separator'
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x205f) return 'space'
  if (code === 0x202f) return 'narrow space'
  if (code === 0x1680 || code === 0x3000) return 'wide space'
  const isFormat = code <= 0xffff && /\p{Cf}/u.test(String.fromCodePoint(code))
  if (code >= 0x2000 && code <= 0x20ff) return isFormat ? 'format' : 'punctuation'
  if (isFormat) return 'other format'
  return code > 0xffff ? 'pair' : 'other'
}

export interface EscapeRule {
  readonly cost: number
  /** Bits of the classes that are escaped. */
  readonly escaped: number
  /** Upper-case hex digits in escapes of ASCII characters, of other characters, and of control characters below U+0020. */
  readonly upper: { readonly ascii: boolean; readonly other: boolean; readonly control: boolean }
  /** `\u0008` and `\u000c` instead of `\b` and `\f`. */
  readonly long: boolean
  /** Escapes that the text already has are kept. */
  readonly keeps: boolean
  /** `\u002F` instead of `\/`. */
  readonly slashCode: boolean
}

const classNames: Readonly<Record<string, readonly CharacterClass[]>> = {
  slash: ['slash', 'slash after <'],
  code: ['slash', 'slash after <'],
  script: ['slash after <'],
  html: ['angle', 'ampersand'],
  ascii: beyondAscii,
  separator: ['line separator'],
  newline: ['next line'],
  c1: ['control'],
  narrow: ['narrow space'],
  wide: ['wide space'],
  invisible: ['other format'],
}

/** `words`: classes that are escaped, and options: `long`, `kept`, `code`, and `^` for upper-case hex digits, or `^ascii`, `^other` and `^control`. */
export function libraryEscapes(words: string, cost: number): EscapeRule {
  const options = ['', 'long', 'kept', '^', '^ascii', '^other', '^control']
  const list = words.split(' ').filter((word) => !options.includes(word))
  const classes = list.flatMap((word): readonly string[] => classNames[word] ?? [word])
  const unknown = classes.find((name) => !bits.has(name))
  if (unknown !== undefined) throw new Error(`There are no characters “${unknown}”.`)
  return escapeRule(classes, cost, words)
}

export function escapeRule(classes: readonly string[], cost: number, options: string): EscapeRule {
  const has = (word: string): boolean => options.split(' ').includes(word)
  return {
    cost,
    escaped: classes.reduce((all, name) => all | (bits.get(name) ?? 0), 0),
    upper: {
      ascii: has('^') || has('^ascii'),
      other: has('^') || has('^other'),
      control: has('^') || has('^control'),
    },
    long: has('long'),
    keeps: has('kept'),
    slashCode: has('code'),
  }
}

/** A character or escape of a JSON string. */
export interface StringUnit {
  readonly code: number
  /** As written: `é`, `\u00e9`, `\n`. */
  readonly raw: string
}

const shortEscapes = new Map([
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['"', 0x22],
  ['\\', 0x5c],
  ['/', 0x2f],
])

/** An escaped pair of surrogates, an escape, a pair, and all other characters that libraries write differently. */
const special =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^]|[\ud800-\udbff][\udc00-\udfff]|[/<>&'=+`\u007f-\uffff]/g

function unitOf(raw: string): StringUnit {
  if (raw[0] !== '\\') return { code: raw.codePointAt(0) ?? 0, raw }
  if (raw.length === 2) return { code: shortEscapes.get(raw[1] ?? '') ?? 0xfffd, raw }
  const code = Number.parseInt(raw.slice(2, 6), 16)
  if (raw.length === 6) return { code, raw }
  const low = Number.parseInt(raw.slice(8), 16)
  return { code: 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), raw }
}

/** All characters of the inside of a JSON string. */
export function splitUnits(inside: string): StringUnit[] {
  const units: StringUnit[] = []
  let from = 0
  const plain = (to: number): void => {
    for (; from < to; from += 1)
      units.push({ code: inside.charCodeAt(from), raw: inside[from] ?? '' })
  }
  for (const { 0: raw, index } of inside.matchAll(special)) {
    plain(index)
    units.push(unitOf(raw))
    from = index + raw.length
  }
  plain(inside.length)
  return units
}

export interface PlacedUnit extends StringUnit {
  /** The code unit before it, 0 at the start. */
  readonly before: number
}

/** The characters of the inside of a JSON string that libraries write differently. */
export function* specialUnits(inside: string): Iterable<PlacedUnit> {
  for (const { 0: raw, index } of inside.matchAll(special)) {
    yield { ...unitOf(raw), before: index === 0 ? 0 : inside.charCodeAt(index - 1) }
  }
}

const required = new Map([
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
])

function unicode(code: number, upper: boolean): string {
  if (code > 0xffff) {
    const text = String.fromCodePoint(code)
    return unicode(text.charCodeAt(0), upper) + unicode(text.charCodeAt(1), upper)
  }
  const digits = code.toString(16).padStart(4, '0')
  return `\\u${upper ? digits.toUpperCase() : digits}`
}

/** As the rule writes the character. `before`: the code of the character before it. */
export function writeUnit(unit: StringUnit, before: number, rule: EscapeRule): string {
  const { code, raw } = unit
  const escaped = raw.startsWith('\\')
  if (rule.keeps && escaped) return raw
  const name = classOf(code, before)
  if (name !== null && (rule.escaped & bit(name)) !== 0) {
    if (code === 0x2f && !rule.slashCode) return '\\/'
    return unicode(code, code < 0x80 ? rule.upper.ascii : rule.upper.other)
  }
  const needed = required.get(code)
  if (needed !== undefined) return needed
  if (code < 0x20) {
    if (code === 8 && !rule.long) return '\\b'
    if (code === 12 && !rule.long) return '\\f'
    return unicode(code, rule.upper.control)
  }
  // A surrogate without its other half cannot be written raw; an unknown escape has no meaning.
  if ((code >= 0xd800 && code <= 0xdfff) || code === 0xfffd) return raw
  return String.fromCodePoint(code)
}

/** The inside of a JSON string, as the rule writes it. */
export function writeString(inside: string, rule: EscapeRule): string {
  return inside.replaceAll(special, (raw: string, at: number) =>
    writeUnit(unitOf(raw), at === 0 ? 0 : inside.charCodeAt(at - 1), rule),
  )
}

/** True if a rule may write the inside of the string differently. */
export function mayVary(inside: string): boolean {
  return /[\\/<>&'=+`\u007f-\uffff]/.test(inside)
}
