import { Option } from '@commander-js/extra-typings'
import type { Run, RunStep } from '#contract/authorization.ts'
import type { CallInput } from '#contract/calls.ts'
import type { Integration } from '#contract/integrations.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { duration, id } from '../command-line/values.ts'
import { allIntegrations, selectIntegration, withSession } from '../session/in-session.ts'
import { print, printMessage, printError, writeJson } from '../output/output.ts'
import { RunFailed } from '../command-line/errors.ts'
import type { Session } from '../session/session.ts'
import { expectStop, type Stop } from '../session/stop.ts'
import { tokenById, tokenJson, tokenText } from '../output/token-text.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import { io } from '../command-line/io.ts'

/** The engine refuses longer ones. */
const maxUrlLength = 20_001

export const command = defineCommand(
  'authorize',
  'Run the authorization code flow in the browser and store the token',
  [
    ['Use the only integration, and open the browser', 'authorize'],
    [
      'Print the URL instead of opening it, and label the token',
      'authorize --integration "My bar" --no-open --label Mara',
    ],
    ['Replace token 3', 'authorize --replace 3'],
  ],
)
  .option('--integration <name>', 'Integration to use; required if there are several')
  .option('--redirect-url <url>', 'Another of the redirect URLs of the integration')
  .option('--state <state>', 'Value of the state parameter (default: random)')
  .option('--label <text>', 'Label of the token')
  .option('--replace <token>', 'ID of the token that the new one replaces', id)
  .addOption(
    new Option('--timeout <duration>', 'How long to wait for the redirect')
      .argParser(duration('--timeout', { from: 1000, to: 3_600_000 }))
      .default(300_000, '5m'),
  )
  .option('--no-open', 'Do not open the browser')
  .action(
    action((options) => {
      const started = Promise.withResolvers<{ session: Session; followed: FollowedRun }>()
      const isInterrupted = cancelOn(expectStop(), started.promise)
      return withSession(
        'create',
        async (session) => {
          const integration = selectIntegration(await allIntegrations(session), options.integration)
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
              timeoutSeconds: Math.round(options.timeout / 1000),
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
            printMessage(
              'The sandbox stops when this command exits, so its tokens stop working. To keep it running: tabscope serve',
            )
          }
          await printToken(session, run)
          return 0
        },
        { lasting: true },
      )
    }),
  )

function cancelOn(
  stop: Stop,
  started: Promise<{ session: Session; followed: FollowedRun }>,
): () => boolean {
  let interrupted = false
  void stop.until(async () => {
    interrupted = true
    const { session, followed } = await started
    // Fails if the run has ended.
    await session.call('authorization.cancel', { runId: followed.id }).catch(() => undefined)
    await followed.ended.catch(() => undefined)
  })
  return () => interrupted
}

interface FollowedRun {
  readonly id: number
  /** Rejects with `connection_lost` if the engine closes first. */
  readonly ended: Promise<Run>
}

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
  const update = (run: Run): void => {
    // A push may be older than the response to the start.
    if (run.id !== runId || run.steps.length < seen) return
    if (run.state === 'waiting' && !isWaiting) {
      isWaiting = true
      waiting(run)
    }
    for (const step of run.steps.slice(seen)) printNote(step)
    seen = run.steps.length
    if (run.endedAt !== null) ended.resolve(run)
  }
  session.on('authorization.changed', (run) => {
    if (runId === null) early.push(run)
    else update(run)
  })
  void session.gone.then(() =>
    ended.reject(
      new AppError(
        'connection_lost',
        'Tabscope exited during the authorization. Run the command again.',
      ),
    ),
  )
  handledLater(ended.promise)
  const first = await session.call('authorization.start', wanted)
  runId = first.id
  update(first)
  for (const run of early) update(run)
  return { id: runId, ended: ended.promise }
}

function printAddress({ id: runId, authorizeUrl, redirectUrl }: Run): void {
  if (!globals.json) printMessage('Open this URL and approve:')
  const accessId = URL.parse(authorizeUrl ?? '')?.searchParams.get('access_id') ?? ''
  print('authorize_url', { url: authorizeUrl, redirectUrl, accessId, runId }, () =>
    escapeControls(authorizeUrl ?? ''),
  )
  if (globals.json) return
  printMessage(
    `If the page shows an error, compare these with the dashboard, character by character (an assumption: the API documentation does not describe the errors of this page):\n  Redirect URL  ${escapeControls(redirectUrl)}\n  Access ID     ${escapeControls(accessId)}`,
  )
}

/** A visit of the redirect URL, or of another address, that the run did not accept; or a service that does not answer. */
function printNote({ kind, outcome, title, detail }: RunStep): void {
  if (outcome !== 'note' || (kind !== 'returned' && kind !== 'probe')) return
  const event = kind === 'probe' ? 'service_problem' : 'visit_ignored'
  if (globals.json) writeJson(event, { title, detail: detail ?? '' })
  else printMessage(`${escapeControls(title)}. ${escapeControls(detail ?? '')}`)
}

async function readPasted(
  session: Session,
  { id: runId, integrationId, redirectUrl }: Run,
  { ended }: FollowedRun,
): Promise<void> {
  let hasEnded = false
  handledLater(ended.finally(() => (hasEnded = true)))
  const { redirectMode, checks } = await session.call('integrations.preflight', {
    id: integrationId,
    redirectUrl,
  })
  const tunnelled = checks.find(
    (check) => check.code === 'redirect_url.tunnel' && check.redirectUrl === redirectUrl,
  )
  if (tunnelled) printMessage(escapeControls(tunnelled.message))
  if (redirectMode === 'paste') {
    printMessage(
      `Tabscope cannot receive the redirect to ${escapeControls(redirectUrl)}. After you approve, paste the complete URL from the address bar of the browser, and press Enter.`,
    )
  }
  for await (const line of readLines(io.stdin, maxUrlLength)) {
    if (hasEnded) return
    if (line.trim() !== '' && (await paste(session, runId, line.trim()))) return
  }
  if (hasEnded || redirectMode === 'served') return
  printMessage('Cancelled: stdin was closed before a redirect URL was pasted.')
  await session.call('authorization.cancel', { runId })
}

async function paste(session: Session, runId: number, address: string): Promise<boolean> {
  try {
    await session.call('authorization.paste', { runId, address })
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'run_over') return true
    if (error.code !== 'bad_input' && error.code !== 'not_ours') throw error
    const { code, message } = error
    if (globals.json) writeJson('refused', { code, message })
    else printError(`Refused: ${escapeControls(message)}`)
    return false
  }
}

async function printToken(session: Session, { integrationId, tokenId }: Run): Promise<void> {
  const tokens = await session.call('tokens.list', { integrationId })
  const token = tokens.find((each) => each.id === tokenId)
  if (!token) throw new AppError('not_found', `Token ${tokenId ?? ''} has been removed.`)
  print('token', tokenJson(token), () => tokenText(token))
}

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

/** Without line breaks. Cuts lines at `maxLength` characters, so that a stream without line breaks does not fill the memory. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  for await (const chunk of chunks) {
    const [more = '', ...nextLines] = decoder.decode(chunk, { stream: true }).split('\n')
    line = (line + more).slice(0, maxLength)
    for (const next of nextLines) {
      yield line.replace(/\r$/, '')
      line = next.slice(0, maxLength)
    }
  }
  if (line !== '') yield line
}
