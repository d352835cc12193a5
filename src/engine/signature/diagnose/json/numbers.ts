type Write = (raw: string) => string

export interface NumberRule {
  readonly cost: number
  readonly write: Write
}

interface Digits {
  readonly negative: boolean
  /** The shortest that identify the double, without zeros at the ends. */
  readonly digits: string
  /** Of the first digit: 2 for 123.4. */
  readonly exponent: number
}

function digitsOf(value: number): Digits {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  const negative = value < 0 || Object.is(value, -0)
  return { negative, digits: mantissa.replace('.', ''), exponent: Number(exponent) }
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
}

function writeFloat(value: number, { plain, mark, zero, mantissaZero }: FloatStyle): string {
  const { negative, digits, exponent } = digitsOf(value)
  const sign = negative ? '-' : ''
  if (value === 0) return `${sign}0${zero ? '.0' : ''}`
  if (exponent < plain[0] || exponent > plain[1]) {
    const rest = digits.slice(1) || (mantissaZero ? '0' : '')
    return `${sign}${digits[0] ?? ''}${rest === '' ? '' : `.${rest}`}${mark(exponent)}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const rest = digits.slice(exponent + 1) || (zero ? '0' : '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}

const signed = (exponent: number): string => `e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
const twoDigits = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
const capital = (exponent: number): string => `E${exponent}`

const styles = {
  go: { plain: [-6, 20], mark: signed, zero: false, mantissaZero: false },
  python: { plain: [-4, 15], mark: twoDigits, zero: true, mantissaZero: false },
  ruby: { plain: [-4, 14], mark: twoDigits, zero: true, mantissaZero: true },
  java: { plain: [-3, 6], mark: capital, zero: true, mantissaZero: true },
  php: { plain: [-4, 16], mark: signed, zero: false, mantissaZero: true },
  phpZero: { plain: [-4, 16], mark: signed, zero: true, mantissaZero: true },
} as const satisfies Record<string, FloatStyle>

const isFraction = (raw: string): boolean => /[.eE]/.test(raw)

function finite(raw: string, write: (value: number) => string): string {
  const value = Number(raw)
  return Number.isFinite(value) ? write(value) : raw
}

const fractions =
  (style: FloatStyle): Write =>
  (raw) =>
    isFraction(raw) ? finite(raw, (value) => writeFloat(value, style)) : raw

const doubles =
  (style: FloatStyle): Write =>
  (raw) =>
    finite(raw, (value) => writeFloat(value, style))

const phpIntegers = (style: FloatStyle): Write => {
  const write = fractions(style)
  return (raw) => {
    if (isFraction(raw)) return write(raw)
    const value = BigInt(raw)
    const fits = value >= -(2n ** 63n) && value < 2n ** 63n
    return fits ? (raw === '-0' ? '-0' : raw) : writeFloat(Number(raw), style)
  }
}

function plainDecimal(raw: string): { sign: string; whole: string; fraction: string } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw) ?? []
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

function bigDecimal(raw: string): string {
  if (!isFraction(raw)) return raw
  const { sign, whole, fraction } = plainDecimal(raw)
  return `"${sign}${whole}.${fraction.replace(/(?<!0)0+$/, '') || '0'}"`
}

const numberRules = {
  kept: (raw) => raw,
  javascript: (raw) => finite(raw, String),
  go: doubles(styles.go),
  python: fractions(styles.python),
  ruby: fractions(styles.ruby),
  java: fractions(styles.java),
  doubles: doubles(styles.java),
  php: phpIntegers(styles.php),
  phpZero: phpIntegers(styles.phpZero),
  bigDecimal,
} as const satisfies Record<string, Write>

export type NumberRuleName = keyof typeof numberRules

export function numberRule(name: NumberRuleName): Write {
  return numberRules[name]
}

/** Of libraries, for all numbers of a document. The cost grows with how rare a rule is. */
export const libraryNumbers: readonly NumberRule[] = [
  { cost: 2, write: numberRules.javascript },
  { cost: 2, write: numberRules.python },
  { cost: 3, write: numberRules.go },
  { cost: 3, write: numberRules.ruby },
  { cost: 3, write: numberRules.java },
  { cost: 3, write: numberRules.doubles },
  { cost: 3, write: numberRules.php },
  { cost: 3, write: numberRules.phpZero },
  { cost: 5, write: numberRules.bigDecimal },
]

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
]
