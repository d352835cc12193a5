import type { Integration } from '#contract/integrations.ts'
import type { Run, RunFailure } from '#contract/authorization.ts'
import { AppError } from '#engine/errors.ts'
import { startRun, type FollowedRun } from '../authorize-run.ts'
import { allIntegrations, chooseIntegration, inSession } from '../in-session.ts'
import { suggestionText } from '../integration-text.ts'
import { parse, wholeNumber } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { readLines } from '../read-lines.ts'
import type { Session } from '../session.ts'
import { expectStop, type Stop } from '../stop.ts'
import { tokenLine } from '../token-text.ts'
import { printable } from '../../printable.ts'

/** Characters of a pasted address, at most; the engine refuses what is longer. */
const longestAddress = 20_001

/** `authorize`: starts the flow, prints the address, waits, and stores the token. 1 when none came of it. */
export async function authorize(args: string[]): Promise<number> {
  const { values } = parse(args, {
    integration: { type: 'string' },
    'redirect-url': { type: 'string' },
    state: { type: 'string' },
    label: { type: 'string' },
    replace: { type: 'string' },
    timeout: { type: 'string' },
    'no-open': { type: 'boolean' },
  })
  const patience = wholeNumber('timeout', values.timeout, 1, 3600)
  const replaces = wholeNumber('replace', values.replace, 1, Number.MAX_SAFE_INTEGER)
  const begun = Promise.withResolvers<{ session: Session; followed: FollowedRun }>()
  cancelOn(expectStop(), begun.promise)
  return inSession(
    values,
    async (session) => {
      const integration = chooseIntegration(await allIntegrations(session), values.integration)
      const json = values.json ?? false
      const wish = {
        integrationId: integration.id,
        agent: values['no-open'] ? ('none' as const) : ('browser' as const),
        redirectUrl: values['redirect-url'],
        state: values.state,
        label: values.label,
        replaces,
        patience,
      }
      const waiting = Promise.withResolvers<Run>()
      const followed = await startRun(session, wish, (run) => {
        tellAddress(run, json)
        waiting.resolve(run)
      })
      begun.resolve({ session, followed })
      const pasting = waiting.promise.then((run) => takePasted(session, run, followed, json))
      const run = await Promise.race([followed.over, pasting.then(() => followed.over)])
      if (run.failure) return tellFailure(session, integration, run, run.failure, json)
      if (integration.kind === 'sandbox' && !session.joined) {
        say(
          'The sandbox ran for this flow alone, and its tokens end with it. tabscope serve keeps one.',
        )
      }
      return tellToken(session, run, json)
    },
    { lasting: true },
  )
}

function cancelOn(stop: Stop, begun: Promise<{ session: Session; followed: FollowedRun }>): void {
  void stop.until(async () => {
    const { session, followed } = await begun
    const { id, over } = followed
    // A run that is over by then says so itself.
    await session.call('authorization.cancel', { runId: id }).catch(() => undefined)
    await over.catch(() => undefined)
  })
}

function tellAddress({ id, authorizeUrl, redirectUrl }: Run, json: boolean): void {
  if (json) writeJson({ event: 'authorize_url', url: authorizeUrl, redirectUrl, runId: id })
  else {
    say('Open this address, and approve:')
    writeLine(printable(authorizeUrl ?? ''))
  }
}

/** Takes addresses from stdin until the run is over. */
async function takePasted(
  session: Session,
  { id, integrationId, redirectUrl }: Run,
  { over }: FollowedRun,
  json: boolean,
): Promise<void> {
  let isOver = false
  void over.finally(() => (isOver = true)).catch(() => undefined)
  const { comesBack, checks } = await session.call('integrations.preflight', {
    id: integrationId,
    redirectUrl,
  })
  const tunnelled = checks.find(
    (check) => check.code === 'redirect_url.tunnel' && check.redirectUrl === redirectUrl,
  )
  if (tunnelled) say(printable(tunnelled.message))
  if (comesBack === 'paste') {
    say(
      `${printable(redirectUrl)} cannot be served here. Paste the address that the browser lands on, whole, and press Enter.`,
    )
  }
  for await (const line of readLines(process.stdin, longestAddress)) {
    if (isOver) return
    if (line.trim() !== '' && (await paste(session, id, line.trim(), json))) return
  }
  if (isOver || comesBack === 'served') return
  say('The input has ended, and nothing can come back in another way.')
  await session.call('authorization.cancel', { runId: id })
}

/** True when the address was taken, or the run is over: no other one is needed. */
async function paste(
  session: Session,
  runId: number,
  address: string,
  json: boolean,
): Promise<boolean> {
  try {
    await session.call('authorization.paste', { runId, address })
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // What came of it is told in a formatTime.
    if (error.code === 'run_over') return true
    if (error.code !== 'bad_input' && error.code !== 'not_ours') throw error
    tellRefusal(error.code, error.message, json)
    return false
  }
}

function tellRefusal(code: string, message: string, json: boolean): void {
  if (json) writeJson({ event: 'refused', code, message })
  else say(`Refused: ${printable(message)}`)
}

async function tellToken(
  session: Session,
  { integrationId, tokenId }: Run,
  json: boolean,
): Promise<number> {
  const tokens = await session.call('tokens.list', { integrationId })
  const token = tokens.find(({ id }) => id === tokenId)
  if (!token) throw new AppError('not_found', 'The token was removed the formatTime it came.')
  const { id, expires, label, findings } = token
  if (json) writeJson({ event: 'token', id, expires, label, findings })
  else {
    writeLine(tokenLine(token, Date.now()))
    for (const { code, message } of findings) say(`${printable(code)}  ${printable(message)}`)
  }
  return 0
}

async function tellFailure(
  session: Session,
  { id }: Integration,
  { redirectUrl }: Run,
  { code, message, meaning, remedy }: RunFailure,
  json: boolean,
): Promise<number> {
  if (json) writeJson({ event: 'failed', code, message, meaning, remedy })
  else for (const line of [message, meaning, remedy]) if (line) say(printable(line))
  if (code === 'not_ready') {
    const { checks } = await session.call('integrations.preflight', { id, redirectUrl })
    for (const { outcome, message, suggestion } of checks) {
      if (outcome === 'error')
        say(`✗ ${printable(message)} ${suggestionText(suggestion)}`.trimEnd())
    }
  }
  return 1
}
