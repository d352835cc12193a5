import { Option } from '@commander-js/extra-typings'
import type { Run } from '#contract/authorization.ts'
import type { CallInput } from '#contract/calls.ts'
import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/errors.ts'
import { exits, leaf } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { duration, id } from '../command-line/values.ts'
import { allIntegrations, chooseIntegration, withSession } from '../in-session.ts'
import { print, say, sayError, writeJson } from '../output.ts'
import { printable } from '../../printable.ts'
import { readLines } from '../read-lines.ts'
import { RunFailed } from '../run-failed.ts'
import type { Session } from '../session.ts'
import { expectStop, type Stop } from '../stop.ts'
import { tokenById, tokenOutput, tokenText } from '../token-text.ts'

/** Characters of a pasted address, at most; the engine refuses what is longer. */
const longestAddress = 20_001

export const command = leaf(
  'authorize',
  'Run the authorization code flow in the browser, and store the token',
  [
    ['With the only integration, in the browser', 'authorize'],
    [
      'Print the address instead of opening it, and label the token',
      'authorize --integration "My bar" --no-open --label Mara',
    ],
    ['Replace token 3', 'authorize --replace 3'],
  ],
)
  .option('--integration <name>', 'Integration; required where there are several')
  .option('--redirect-url <url>', 'Another redirect URL of the integration')
  .option('--state <state>', 'Value of the state parameter; random if omitted')
  .option('--label <text>', 'Label of the token')
  .option('--replace <token>', 'ID of the token that the new one replaces', id)
  .addOption(
    new Option('--timeout <duration>', 'How long to wait for the redirect')
      .argParser(duration('--timeout', { from: 1000, to: 3_600_000, plainUnit: 's' }))
      .default(300_000, '5m'),
  )
  .option('--no-open', 'Do not open the browser')
  .action(
    exits((options) => {
      const started = Promise.withResolvers<{ session: Session; followed: FollowedRun }>()
      const isInterrupted = cancelOn(expectStop(), started.promise)
      return withSession(
        'create',
        async (session) => {
          const integration = chooseIntegration(await allIntegrations(session), options.integration)
          if (options.replace !== undefined) {
            tokenById(await session.call('tokens.list', {}), options.replace)
          }
          const waiting = Promise.withResolvers<Run>()
          const followed = await startRun(
            session,
            {
              integrationId: integration.id,
              agent: options.open ? 'browser' : 'none',
              redirectUrl: options.redirectUrl,
              state: options.state,
              label: options.label,
              replaces: options.replace,
              patience: Math.round(options.timeout / 1000),
            },
            (run) => {
              printAddress(run)
              waiting.resolve(run)
            },
          )
          started.resolve({ session, followed })
          const pasting = waiting.promise.then((run) => readPasted(session, run, followed))
          const run = await Promise.race([followed.ended, pasting.then(() => followed.ended)])
          if (run.failure) {
            const exitCode = isInterrupted() && run.failure.code === 'cancelled' ? 130 : 1
            const details = await failedChecks(session, integration, run)
            throw new RunFailed(run.failure, exitCode, details)
          }
          if (integration.kind === 'sandbox' && !session.joined) {
            say(
              'The sandbox ran only for this authorization, and its tokens end with it. To keep one running: tabscope serve',
            )
          }
          await printToken(session, run)
          return 0
        },
        { lasting: true },
      )
    }),
  )

/** Cancels the run on Ctrl+C; the function says whether that has happened. */
function cancelOn(
  stop: Stop,
  started: Promise<{ session: Session; followed: FollowedRun }>,
): () => boolean {
  let interrupted = false
  void stop.until(async () => {
    interrupted = true
    const { session, followed } = await started
    // Fails where the run has ended.
    await session.call('authorization.cancel', { runId: followed.id }).catch(() => undefined)
    await followed.ended.catch(() => undefined)
  })
  return () => interrupted
}

interface FollowedRun {
  readonly id: number
  /** The run when it has ended. Rejects with `connection_lost` when its Tabscope ends before. */
  readonly ended: Promise<Run>
}

/** Starts a run and follows it, wherever its engine runs. `waiting`: the address is known, and the redirect can be received. */
async function startRun(
  session: Session,
  wanted: CallInput<'authorization.start'>,
  waiting: (run: Run) => void,
): Promise<FollowedRun> {
  const ended = Promise.withResolvers<Run>()
  const early: Run[] = []
  let runId: number | null = null
  let seen = 0
  let isWaiting = false
  const take = (run: Run): void => {
    // A push may be older than the response to the start.
    if (run.id !== runId || run.steps.length < seen) return
    if (run.state === 'waiting' && !isWaiting) {
      isWaiting = true
      waiting(run)
    }
    seen = run.steps.length
    if (run.endedAt !== null) ended.resolve(run)
  }
  session.on('authorization.changed', (run) => {
    if (runId === null) early.push(run)
    else take(run)
  })
  void session.gone.then(() =>
    ended.reject(
      new AppError('connection_lost', 'The Tabscope that ran the authorization has ended.'),
    ),
  )
  // It is awaited later; until then nobody handles a rejection.
  ended.promise.catch(() => undefined)
  const first = await session.call('authorization.start', wanted)
  runId = first.id
  take(first)
  for (const run of early) take(run)
  return { id: runId, ended: ended.promise }
}

function printAddress({ id: runId, authorizeUrl, redirectUrl }: Run): void {
  if (!globals.json) say('Open this address and approve:')
  print({ event: 'authorize_url', url: authorizeUrl, redirectUrl, runId }, () =>
    printable(authorizeUrl ?? ''),
  )
}

/** Takes addresses from stdin until the run has ended. */
async function readPasted(
  session: Session,
  { id: runId, integrationId, redirectUrl }: Run,
  { ended }: FollowedRun,
): Promise<void> {
  let hasEnded = false
  void ended.finally(() => (hasEnded = true)).catch(() => undefined)
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
      `Tabscope cannot receive ${printable(redirectUrl)}. Paste the complete address that the browser is sent to, and press Enter.`,
    )
  }
  for await (const line of readLines(process.stdin, longestAddress)) {
    if (hasEnded) return
    if (line.trim() !== '' && (await paste(session, runId, line.trim()))) return
  }
  if (hasEnded || comesBack === 'served') return
  say('The input has ended, so the redirect cannot be received.')
  await session.call('authorization.cancel', { runId })
}

/** True when the address was accepted, or the run has ended: no other one is required. */
async function paste(session: Session, runId: number, address: string): Promise<boolean> {
  try {
    await session.call('authorization.paste', { runId, address })
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'run_over') return true
    if (error.code !== 'bad_input' && error.code !== 'not_ours') throw error
    const { code, message } = error
    if (globals.json) writeJson({ event: 'refused', code, message })
    else sayError(`Refused: ${printable(message)}`)
    return false
  }
}

async function printToken(session: Session, { integrationId, tokenId }: Run): Promise<void> {
  const tokens = await session.call('tokens.list', { integrationId })
  const token = tokens.find((each) => each.id === tokenId)
  if (!token) throw new AppError('not_found', `Token ${tokenId ?? ''} was removed meanwhile.`)
  print(tokenOutput(token), () => tokenText(token))
}

/** What has to be fixed before the authorization can start, a line each. */
async function failedChecks(
  session: Session,
  { id: integrationId }: Integration,
  { failure, redirectUrl }: Run,
): Promise<string[]> {
  if (failure?.code !== 'not_ready') return []
  const { checks } = await session.call('integrations.preflight', {
    id: integrationId,
    redirectUrl,
  })
  return checks
    .filter(({ outcome }) => outcome === 'error')
    .map(
      ({ message, suggestion }) => `✗ ${message}${suggestion === null ? '' : ` (${suggestion})`}`,
    )
}
