import type { TunnelField } from '#contract/tunnel.ts'
import { AppError } from '../errors.ts'

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
