import { randomUUID } from 'node:crypto'
import type { Attempt, JobPace } from '#contract/sending.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import { attemptLine, fullAttemptOutput, succeeded } from '../attempt-text.ts'
import { cancellable } from '../cancellable.ts'
import { confirming } from '../confirm-target.ts'
import { filterOf, needsIndex } from '../filter-option.ts'
import { failing } from '../in-session.ts'
import { followJob } from '../job-run.ts'
import { folderOf, idOf, parse, wholeNumber } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { bytesOf, checkSignWords, headerPairs, sendOptions, signOf } from '../send-options.ts'
import { openSession, type Session } from '../session.ts'
import { untilIndexed } from '../until-indexed.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

const options = {
  ...sendOptions,
  filter: { type: 'string' },
  keep: { type: 'boolean' },
  rate: { type: 'string' },
  spacing: { type: 'string' },
  width: { type: 'string' },
  'stop-on-failure': { type: 'boolean' },
  continue: { type: 'string' },
  'send-uncertain': { type: 'boolean' },
} as const

/** As many ids as one command takes. */
const mostIds = 10_000

type Values = ReturnType<typeof parse<typeof options>>['values']

/** `resend ID... | --filter Q | --continue JOB`: sends captured deliveries again. 0 when all were answered with 2xx. */
export async function resend(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, options, mostIds)
  const ids = positionals.map((text) => idOf('', text))
  checkWords(values, ids)
  const pace = paceOf(values)
  const timeout = wholeNumber('timeout', values.timeout, 1, 600_000)
  const headers = headerPairs(values.header)
  const filter = values.filter === undefined ? undefined : filterOf(values.filter)
  const json = values.json ?? false
  return failing(json, async () => {
    const body = await bytesOf(values.body)
    const folder = folderOf(values)
    await using session = await openSession(folder, { access: 'change' })
    const { endpoints } = await session.call('app.snapshot', {})
    const sign = signOf(values, endpoints)
    const allowed = values['allow-target'] ?? false
    const asks = !json && values.body !== '-'
    const run = <T>(work: () => Promise<T>): Promise<T> =>
      confirming(session, { allowed, asks }, work)
    const common = {
      url: values.to ?? null,
      edits: { headers, body },
      timeout,
      insecure: values.insecure ?? false,
    }
    if (values.continue !== undefined) {
      const id = idOf('', values.continue)
      const uncertain = values['send-uncertain'] ? 'send' : 'skip'
      return await followJob(
        session,
        () => run(() => session.call('jobs.resume', { id, uncertain })),
        json,
      )
    }
    const [only] = ids
    if (filter === undefined && ids.length === 1 && only !== undefined && pace === undefined) {
      const key = randomUUID()
      const attempt = await cancellable(
        () => session.call('attempts.cancel', { key }),
        () => run(() => session.call('deliveries.resend', { id: only, sign, key, ...common })),
      )
      return await tellAttempt(session, attempt, json)
    }
    if (filter !== undefined && needsIndex(filter)) await untilIndexed(session)
    const which = filter === undefined ? { ids } : { filter }
    return await followJob(
      session,
      () => run(() => session.call('jobs.start', { ...which, sign, pace, ...common })),
      json,
    )
  })
}

function checkWords(values: Values, ids: readonly number[]): void {
  const ways = [
    ids.length > 0 ? 'IDs' : '',
    values.filter === undefined ? '' : '--filter',
    values.continue === undefined ? '' : '--continue',
  ].filter((way) => way !== '')
  if (ways.length === 0) {
    throw new UsageError('resend needs the ID of a delivery, --filter FILTER or --continue JOB.')
  }
  if (ways.length > 1) throw new UsageError(`Give ${ways.join(' or ')}, not both.`)
  if (values['send-uncertain'] && values.continue === undefined) {
    throw new UsageError('--send-uncertain belongs to --continue.')
  }
  checkSignWords(values)
}

/** How fast many go out; undefined: one by one, as nothing was said. Throws `UsageError`. */
function paceOf(values: Values): JobPace | undefined {
  const { rate, spacing, width } = values
  const stopOnFailure = values['stop-on-failure'] ?? false
  const given = [rate, spacing, width].filter((value) => value !== undefined)
  if (given.length + (stopOnFailure ? 1 : 0) > 1) {
    throw new UsageError('Give one of --rate, --spacing, --width and --stop-on-failure.')
  }
  if (rate !== undefined) return { how: 'rate', perSecond: numberOf('rate', rate, 0.1, 1000) }
  if (spacing !== undefined) {
    const speed = numberOf('spacing', spacing, 0.01, 1000)
    return { how: 'spacing', speed, longestGap: 60_000 }
  }
  const at = wholeNumber('width', width, 1, 64)
  if (at !== undefined) return { how: 'at_once', width: at }
  return stopOnFailure ? { how: 'one_by_one', stopOnFailure } : undefined
}

function numberOf(name: string, text: string, from: number, to: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= from && value <= to)) {
    throw new UsageError(`--${name} needs a number from ${from} to ${to}, not "${text}".`)
  }
  return value
}

/** Tells what came of one attempt. Resolves to the exit code. */
export async function tellAttempt(
  session: Session,
  attempt: Attempt,
  json: boolean,
): Promise<number> {
  if (json) writeJson(fullAttemptOutput(attempt, await answerBody(session, attempt)))
  else {
    writeLine(attemptLine(attempt))
    for (const note of attempt.notes) say(printable(note))
  }
  return succeeded(attempt) ? 0 : 1
}

async function answerBody(session: Session, { id, answer }: Attempt): Promise<Uint8Array> {
  if (!answer || answer.bytesKept === 0) return new Uint8Array()
  const whole = { id, which: 'answer', offset: 0, length: keptAnswerBytes } as const
  return (await session.call('attempts.body', whole)).bytes
}
