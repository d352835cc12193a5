import type { TunnelField } from '#contract/tunnel.ts'
import { AppError } from '../platform/errors.ts'

type Options = Readonly<Record<string, string>>

/** `bad_input` that names the field. */
export function badOption(field: string, sentence: string): AppError {
  return new AppError('bad_input', sentence, { details: { fields: [field] } })
}

/** The options without those that are empty, trimmed. Throws `bad_input` for one that is no field of the provider, and for one that lacks. */
export function tidyOptions(
  provider: string,
  fields: readonly TunnelField[],
  options: Options,
): Record<string, string> {
  const given = Object.entries(options).map(([name, value]) => [name, value.trim()] as const)
  const stray = given.find(([name]) => !fields.some((field) => field.name === name))
  if (stray) {
    const names = fields.map(({ name }) => `"${name}"`).join(', ')
    throw badOption(
      stray[0],
      `${provider} has no setting ${JSON.stringify(stray[0])}. ${names === '' ? 'It has none at all.' : `It has: ${names}.`}`,
    )
  }
  const kept = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const lacking = fields.find(({ name, required }) => required && kept[name] === undefined)
  if (lacking) {
    throw badOption(lacking.name, `${provider} needs "${lacking.name}". ${lacking.hint}`)
  }
  return kept
}

/**
 * The origin that a text is ("https://hooks.example.test"): http or https, a host, perhaps a port, perhaps one slash. Null for anything else, so
 * also for credentials, a path, a query, and for what the parser would mend in silence (a backslash, a line break).
 */
export function originOf(text: string): string | null {
  if (text.length > 2000 || !/^https?:\/\/[^\s/\\?#@\p{C}]+\/?$/iu.test(text)) return null
  if (!URL.canParse(text)) return null
  const { origin, hostname } = new URL(text)
  return hostname === '' ? null : origin
}
