type Write = (raw: string) => string

export interface NumberRule {
  readonly cost: number
  readonly write: Write
}

interface Digits {
  readonly negative: boolean
  /** Without zeros at the ends. */
  readonly digits: string
  /** Of the first digit: 2 for 123.4. */
  readonly exponent: number
}

/** The shortest digits that identify the double, or so many significant ones. */
function digitsOf(value: number, precision?: number): Digits {
  const size = Math.abs(value)
  const text = size.toExponential(precision === undefined ? undefined : precision - 1)
  const [mantissa = '', exponent = '0'] = text.split('e')
  const digits = mantissa.replace('.', '').replace(/(?<!0)0+$/, '') || '0'
  return { negative: value < 0 || Object.is(value, -0), digits, exponent: Number(exponent) }
}

interface FloatStyle {
  /** Exponents from the first to the second are written without exponent. */
  readonly plain: readonly [number, number]
  /** `e+`, `E` ... */
  readonly mark: (exponent: number) => string
  /** With `.0` after whole numbers without exponent. */
  readonly zero: boolean
  /** With `.0` after a single digit before an exponent. */
  readonly mantissaZero: boolean
  /** Significant digits: the shortest by default. */
  readonly precision?: number
}

function writeFloat(value: number, style: FloatStyle): string {
  const { plain, mark, zero, mantissaZero, precision } = style
  const { negative, digits, exponent } = digitsOf(value, precision)
  const sign = negative ? '-' : ''
  if (value === 0 && plain[0] <= 0) return `${sign}0${zero ? '.0' : ''}`
  if (exponent < plain[0] || exponent > plain[1]) {
    const rest = digits.slice(1) || (mantissaZero ? '0' : '')
    return `${sign}${digits[0] ?? ''}${rest === '' ? '' : `.${rest}`}${mark(exponent)}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const rest = digits.slice(exponent + 1) || (zero ? '0' : '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}

/** The exponent: its letter, `+` before positive ones, and its least number of digits. */
const mark =
  (letter: string, plus: string, digits = 1): FloatStyle['mark'] =>
  (exponent) =>
    `${letter}${exponent < 0 ? '-' : plus}${String(Math.abs(exponent)).padStart(digits, '0')}`
const signed = mark('e', '+')
const twoDigits = mark('e', '+', 2)

const style = (
  plain: FloatStyle['plain'],
  exponents: FloatStyle['mark'],
  zeros: '' | '.0' | '.0e' | 'e' = '',
  precision?: number,
): FloatStyle => ({
  plain,
  mark: exponents,
  zero: zeros.startsWith('.0'),
  mantissaZero: zeros.endsWith('e'),
  ...(precision === undefined ? {} : { precision }),
})
const always = [1, 0] as const

export const hasExponent = (raw: string): boolean => /[eE]/.test(raw)
const isFraction = (raw: string): boolean => /[.eE]/.test(raw)

function finite(raw: string, write: (value: number) => string): string {
  const value = Number(raw)
  return Number.isFinite(value) ? write(value) : raw
}

const fractions =
  (of: FloatStyle): Write =>
  (raw) =>
    isFraction(raw) ? finite(raw, (value) => writeFloat(value, of)) : raw

const doubles =
  (of: FloatStyle): Write =>
  (raw) =>
    finite(raw, (value) => writeFloat(value, of))

const phpIntegers = (of: FloatStyle): Write => {
  const write = fractions(of)
  return (raw) => {
    if (isFraction(raw)) return write(raw)
    const value = BigInt(raw)
    const fits = value >= -(2n ** 63n) && value < 2n ** 63n
    return fits ? (raw === '-0' ? '-0' : raw) : writeFloat(Number(raw), of)
  }
}

function parts(raw: string): readonly string[] {
  return /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw) ?? []
}

function plainDecimal(raw: string): { sign: string; whole: string; fraction: string } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts(raw)
  const shift = Number(exponent)
  // More digits than any amount has.
  if (Math.abs(shift) > 400) return { sign, whole, fraction }
  const digits = whole + fraction
  const point = whole.length + shift
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0')
  const at = Math.max(0, point)
  return {
    sign,
    whole: padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0',
    fraction: padded.slice(at),
  }
}

/** With the digits that it has. */
function withoutExponent(raw: string): string {
  const { sign, whole, fraction } = plainDecimal(raw)
  return sign + whole + (fraction === '' ? '' : `.${fraction}`)
}

function bigDecimal(raw: string): string {
  if (!isFraction(raw)) return raw
  const { sign, whole, fraction } = plainDecimal(raw)
  return `"${sign}${whole}.${fraction.replace(/(?<!0)0+$/, '') || '0'}"`
}

/** As `toString` of Java’s BigDecimal and Python’s Decimal write it: with all digits. */
function decimalText(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts(raw)
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '')
  const scale = fraction.length - Number(exponent)
  const first = digits.length - 1 - scale
  if (scale >= 0 && first >= -6) {
    const padded = digits.padStart(scale + 1, '0')
    const point = padded.length - scale
    return sign + padded.slice(0, point) + (scale > 0 ? `.${padded.slice(point)}` : '')
  }
  const rest = digits.slice(1)
  return `${sign}${digits[0] ?? ''}${rest === '' ? '' : `.${rest}`}${mark('E', '+')(first)}`
}

/** Without zeros at the end, also of whole numbers: `3.8E+2`. */
function strippedDecimal(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts(raw)
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '')
  if (/^0*$/.test(digits)) return '0'
  const power = Number(exponent) + whole.length - digits.length
  return decimalText(`${sign}${digits}e${power}`)
}

/** As `%.17g` of C: 15 digits if they are enough. */
const fifteenOrMore: Write = (raw) =>
  finite(raw, (value) => {
    const short = writeFloat(value, style([-4, 14], twoDigits, '', 15))
    return Number(short) === value ? short : writeFloat(value, style([-4, 16], twoDigits, '', 17))
  })

const pascal: Write = (raw) =>
  finite(raw, (value) => {
    const [mantissa = '', exponent = '0'] = value.toExponential(16).split('e')
    return mantissa + mark('E', '+', 3)(Number(exponent))
  })

const whenFraction =
  (write: Write): Write =>
  (raw) =>
    isFraction(raw) ? write(raw) : raw

const exactWhole =
  (write: Write): Write =>
  (raw) =>
    Number.isInteger(Number(raw)) ? String(BigInt(Number(raw))) : write(raw)

/** Extended JSON of MongoDB in its canonical form. `space`: inside braces and around the colon. */
const extended =
  (write: Write, space: string): Write =>
  (raw) => {
    const text = write(raw)
    const size = Math.abs(Number(text))
    const isLong = !isFraction(text) && size < 2 ** 63
    const type = isLong ? (size < 2 ** 31 ? 'Int' : 'Long') : 'Double'
    return ['{', `"$number${type}"`, ':', `"${text}"`, '}'].join(space)
  }

const twenty = fractions(style([-4, 19], twoDigits, '.0', 20))

/** By what the libraries do that use them. */
export const numberRules = {
  kept: (raw) => raw,
  javascript: (raw) => finite(raw, String),
  javascriptFractions: whenFraction((raw) => finite(raw, String)),
  go: doubles(style([-6, 20], signed)),
  goIterator: doubles(style([-6, 20], twoDigits)),
  python: fractions(style([-4, 15], twoDigits, '.0')),
  ruby: fractions(style([-4, 14], twoDigits, '.0e')),
  java: fractions(style([-3, 6], mark('E', ''), '.0e')),
  doubles: doubles(style([-3, 6], mark('E', ''), '.0e')),
  javaFractions: fractions(style([-3, 6], mark('E', ''), 'e')),
  javaWhole: doubles(style([-3, 6], mark('E', ''), 'e')),
  php: phpIntegers(style([-4, 16], signed, 'e')),
  phpSeventeen: phpIntegers(style([-4, 16], signed, 'e', 17)),
  phpSeventeenZero: phpIntegers(style([-4, 16], signed, '.0e', 17)),
  phpZero: phpIntegers(style([-4, 16], signed, '.0e')),
  rust: fractions(style([-5, 15], mark('e', ''), '.0')),
  rapidjson: fractions(style([-6, 20], mark('e', ''), '.0')),
  erlang: fractions(style([-4, 15], signed, '.0')),
  prolog: fractions(style([-4, 14], signed, '.0e')),
  haskell: fractions(style([-1, 6], mark('e', ''), '.0e')),
  plainZero: fractions(style([-16, 15], signed, '.0')),
  plain: fractions(style([-16, 20], signed)),
  net: fractions(style([-5, 14], mark('E', '+', 2), '.0')),
  boost: fractions(style(always, mark('E', ''))),
  normalized: doubles(style(always, mark('E', ''), 'e')),
  fifteen: doubles(style([-4, 14], twoDigits, '', 15)),
  fifteenOfFractions: fractions(style([-4, 14], twoDigits, '', 15)),
  fifteenOrMore,
  seventeen: doubles(style([-4, 16], twoDigits, '', 17)),
  seventeenOfFractions: fractions(style([-4, 16], twoDigits, '', 17)),
  seventeenZero: fractions(style([-4, 16], twoDigits, '.0', 17)),
  jsonnet: exactWhole(doubles(style([-4, 16], twoDigits, '', 17))),
  scheme: whenFraction(exactWhole(doubles(style([-4, 20], signed, 'e')))),
  jansson: fractions(style([-4, 16], mark('e', ''), '.0', 17)),
  eighteen: fractions(style([-4, 17], twoDigits, '.0', 18)),
  twenty,
  extended: extended((raw) => finite(raw, String), ''),
  extendedTwenty: extended(twenty, ' '),
  single: whenFraction((raw) =>
    finite(raw, (value) => writeFloat(Math.fround(value), style([-40, 40], signed, '.0'))),
  ),
  pascal: whenFraction(pascal),
  decimalText: whenFraction(decimalText),
  strippedDecimal: whenFraction(strippedDecimal),
  bigDecimal,
  quoted: (raw) => `"${raw}"`,
  quotedFractions: whenFraction((raw) => `"${raw}"`),
  postgres: whenFraction(withoutExponent),
} as const satisfies Record<string, Write>

export type NumberRuleName = keyof typeof numberRules

const isWhole = (raw: string): boolean => /^-?\d+$/.test(raw)
const zeroAdded: Write = (raw) => (isWhole(raw) ? `${raw}.0` : raw)
const zeroRemoved: Write = (raw) => raw.replace(/\.0+$/, '')

function decimals(count: number): Write {
  return (raw) => {
    const { sign, whole, fraction } = plainDecimal(raw)
    if (fraction.length <= count) return `${sign}${whole}.${fraction.padEnd(count, '0')}`
    return finite(raw, (value) => (Math.abs(value) < 1e15 ? value.toFixed(count) : raw))
  }
}

/** A whole number that JavaScript may have rounded. */
export function isRounded(raw: string): boolean {
  return raw.length > 16 && isWhole(raw) && String(Number(raw)) === raw
}

export function isRoundedFrom(raw: string, original: string): boolean {
  return isRounded(raw) && isWhole(original) && Number(original) === Number(raw)
}

/** Of the largest 64-bit integers. */
const maxGap = 2048
/** What the number may have been before JavaScript wrote it: itself, a double, an amount with two decimals, and without exponent or its plus sign. */
export function originalsOf(raw: string): readonly string[] {
  if (hasExponent(raw))
    return [raw, raw.includes('-', 1) ? withoutExponent(raw) : raw.replace('+', '')]
  if (!/^-?\d{1,15}(?:\.\d)?$/.test(raw)) return [raw]
  return isWhole(raw) ? [raw, `${raw}.0`, `${raw}.00`] : [raw, `${raw}0`]
}

/** The whole numbers of as many digits that a double rounds to this one. */
export function roundedTo(raw: string): readonly string[] {
  const value = Number(raw)
  const gap = 2 ** Math.max(0, Math.floor(Math.log2(Math.abs(value))) - 52)
  if (gap > maxGap) return []
  const least = BigInt(value) - BigInt(gap)
  return Array.from({ length: gap * 2 + 1 }, (_, nth) => String(least + BigInt(nth))).filter(
    (each) => Number(each) === value && each.length === raw.length,
  )
}

const inQuotes =
  (write: Write): Write =>
  (raw) =>
    `"${write(raw)}"`

/** Of types in the code of the sender: a member may be a float, a decimal or a text. */
export const typedNumbers: readonly NumberRule[] = [
  { cost: 3, write: zeroAdded },
  { cost: 3, write: decimals(2) },
  { cost: 4, write: zeroRemoved },
  { cost: 5, write: decimals(1) },
  { cost: 6, write: decimals(3) },
  { cost: 6, write: decimals(4) },
  { cost: 5, write: inQuotes(numberRules.kept) },
  { cost: 6, write: inQuotes(decimals(2)) },
  { cost: 6, write: inQuotes(whenFraction(decimals(2))) },
]
