import type { TunnelField } from '#contract/tunnel.ts'
import { AppError } from '../../platform/errors.ts'

type Options = Readonly<Record<string, string>>

export function badOption(field: string, sentence: string): AppError {
  return new AppError('bad_input', sentence, { details: { fields: [field] } })
}

/** Removes empty options. Throws `bad_input` for an unknown option, or if a required one is missing. */
export function tidyOptions(
  provider: string,
  fields: readonly TunnelField[],
  options: Options,
): Record<string, string> {
  const given = Object.entries(options).map(([name, value]) => [name, value.trim()] as const)
  const unknown = given.find(([name]) => !fields.some((field) => field.name === name))
  if (unknown) {
    const names = fields.map(({ name }) => `"${name}"`).join(', ')
    throw badOption(
      unknown[0],
      `${provider} has no option ${JSON.stringify(unknown[0])}. ${names === '' ? 'It has no options.' : `Available options: ${names}.`}`,
    )
  }
  const result = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const missing = fields.find(({ name, required }) => required && result[name] === undefined)
  if (missing) {
    throw badOption(missing.name, `${provider} requires "${missing.name}". ${missing.hint}`)
  }
  return result
}

/**
 * Parses an origin (`https://hooks.example.test`): http or https, a host, optionally a port and one slash. Null for anything else, such as credentials,
 * a path or a query, and for what the URL parser would silently correct (a backslash, a line break).
 */
export function originOf(text: string): string | null {
  if (text.length > 2000 || !/^https?:\/\/[^\s/\\?#@\p{C}]+\/?$/iu.test(text)) return null
  if (!URL.canParse(text)) return null
  const { origin, hostname } = new URL(text)
  return hostname === '' ? null : origin
}
