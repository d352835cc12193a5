import { RefreshTemplate, type RefreshRule } from '#contract/integrations.ts'
import { AppError } from '#engine/errors.ts'
import { readGiven } from './given-file.ts'
import { wholeNumber } from './options.ts'
import { UsageError } from './usage-error.ts'

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

/** A template that works is the best description of one. */
const begin =
  'Begin with the one there is: tabscope integration show NAME --json has it under refresh.template.'

async function readTemplate(file: string): Promise<RefreshTemplate> {
  const text = (await readGiven(file)).toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason'
    throw new AppError('bad_input', `${file} is no JSON: ${why}. ${begin}`, { cause: error })
  }
  const parsed = RefreshTemplate.safeParse(json)
  if (parsed.success) return parsed.data
  const places = [...new Set(parsed.error.issues.map(({ path: [first] }) => String(first ?? '')))]
  const missing = places.filter((place) => place !== '').join(', ')
  throw new AppError(
    'bad_input',
    `${file} is no refresh template${missing === '' ? '' : `: look at ${missing}`}. ${begin}`,
    { cause: parsed.error },
  )
}
