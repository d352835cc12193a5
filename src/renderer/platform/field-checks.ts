import { withScheme } from '#contract/http.ts'
import { isHttp } from '#shared/text/address.ts'
import { formatCount } from '#shared/text/format.ts'

const urlLongest = 2000

/** Why `text` is no whole number from `least` to `most`, or null. */
export function wholeNumber(text: string, least: number, most: number): string | null {
  const value = Number(text)
  if (text === '' || !Number.isInteger(value)) return 'Enter a whole number.'
  if (value < least || value > most) {
    return `Enter a number from ${formatCount(least)} to ${formatCount(most)}.`
  }
  return null
}

/** Why `text` is no number from `least` to `most`, or null. */
export function anyNumber(text: string, least: number, most: number): string | null {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) return 'Enter a number.'
  if (value < least || value > most) return `Enter a number from ${least} to ${most}.`
  return null
}

/** The contract's rule for a brand. */
export function brand(text: string): string | null {
  return /^[A-Za-z][A-Za-z0-9]{0,39}$/.test(text) ? null : 'Use letters and digits, a letter first.'
}

/** The contract's rule for a name. */
export function name(text: string): string | null {
  if (text === '') return 'Enter a name.'
  return text.length > 80 ? 'Use at most 80 characters.' : null
}

/** Why `text` is too long, or null. */
export function atMost(text: string, longest: number): string | null {
  return text.length > longest ? `Use at most ${longest} characters.` : null
}

/** Empty, or an http address. */
export function baseUrl(text: string): string | null {
  if (text === '') return null
  if (text.length > urlLongest) return `Use at most ${urlLongest} characters.`
  const parsed = URL.parse(withScheme(text))
  return parsed && isHttp(parsed) ? null : 'Enter an address that begins with https:// or http://.'
}

/** The contract's rule for a slug. */
export function slug(text: string): string | null {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
    ? null
    : 'Use 1 to 63 lower-case letters, digits and hyphens, not at either end.'
}
