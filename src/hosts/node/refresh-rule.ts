import { readFile } from 'node:fs/promises'
import { RefreshTemplate, type RefreshRule } from '#contract/integrations.ts'
import { AppError, badInput } from '#engine/errors.ts'
import { wholeNumber } from './options.ts'
import { UsageError } from './usage.ts'

/** What the options change of an integration's refresh rule; undefined: nothing. Throws `UsageError`, and `bad_input` for the file. */
export async function readRule(values: {
  'refresh-template'?: string | undefined
  'auto-refresh'?: string | undefined
  'due-before'?: string | undefined
}): Promise<Partial<Omit<RefreshRule, 'provenAt'>> | undefined> {
  const automatic = switchOf(values['auto-refresh'])
  const dueBefore = wholeNumber('due-before', values['due-before'], 0, 86_400)
  const file = values['refresh-template']
  if (automatic === undefined && dueBefore === undefined && file === undefined) return undefined
  return {
    ...(automatic === undefined ? {} : { automatic }),
    ...(dueBefore === undefined ? {} : { dueBefore }),
    ...(file === undefined ? {} : { template: await readTemplate(file) }),
  }
}

function switchOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text !== 'on' && text !== 'off') {
    throw new UsageError(`--auto-refresh needs "on" or "off", not "${text}".`)
  }
  return text === 'on'
}

async function readTemplate(file: string): Promise<RefreshTemplate> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason'
    throw new AppError('bad_input', `${file} holds no refresh template in JSON: ${why}`, {
      cause: error,
    })
  }
  const parsed = RefreshTemplate.safeParse(json)
  if (!parsed.success) throw badInput(parsed.error)
  return parsed.data
}
