import { slugPattern } from '#contract/constants.ts'
import { targetAddress, isHttp } from '#shared/text/address.ts'
import { formatCount } from '#shared/text/format.ts'

const maxUrlLength = 2000

/** The number that a text consists of; NaN if it does not. The decimal separator may be a comma. */
export function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'))
}

/** Returns an error if `text` is not a whole number from `least` to `most`, or null. `1,000` and `1.000` are refused: in some languages they are one. */
export function wholeNumber(text: string, least: number, most: number): string | null {
  const isPlain = /^\d+$/.test(text.trim())
  if (isPlain && anyNumber(text, least, most) === null) return null
  const range = `Enter a whole number from ${formatCount(least)} to ${formatCount(most)}`
  return isPlain ? `${range}.` : `${range}, with digits only.`
}

/** Returns an error if `text` is not a number from `least` to `most`, or null. */
export function anyNumber(text: string, least: number, most: number): string | null {
  const value = numberOf(text)
  return value >= least && value <= most
    ? null
    : `Enter a number from ${least} to ${formatCount(most)}.`
}

/** The contract's rule for a brand. */
export function brand(text: string): string | null {
  return /^[A-Za-z][A-Za-z0-9]{0,39}$/.test(text)
    ? null
    : 'Use letters and digits, starting with a letter.'
}

/** The contract's rule for a name. */
export function name(text: string): string | null {
  if (text === '') return 'Enter a name.'
  return text.length > 80 ? 'Use at most 80 characters.' : null
}

/** Returns an error if `text` is too long, or null. */
export function atMost(text: string, maximum: number): string | null {
  return text.length > maximum ? `Use at most ${maximum} characters.` : null
}

/** The base URL must be empty or an http address. */
export function baseUrl(text: string): string | null {
  if (text === '') return null
  if (text.length > maxUrlLength) return `Use at most ${maxUrlLength} characters.`
  const parsed = URL.parse(targetAddress(text))
  return parsed && isHttp(parsed) ? null : 'Enter an address that starts with https:// or http://.'
}

/** The contract's rule for a slug. */
export function slug(text: string): string | null {
  return slugPattern.test(text)
    ? null
    : 'Use 1 to 63 lower-case letters, digits and hyphens. Do not start or end with a hyphen.'
}
