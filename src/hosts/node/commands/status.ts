import type { CliLine } from '#contract/cli-output.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import { AppError } from '#engine/platform/errors.ts'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { formatElapsed, plural } from '#shared/text/format.ts'
import { alertText } from '../output/alert-text.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { configurationOf } from '../session/in-session.ts'
import { verdictText } from '../output/delivery-line.ts'
import { print } from '../output/output.ts'
import { damageLines } from '../session/running.ts'
import { relayProblem } from '../output/relay-text.ts'
import { openSession, type Session } from '../session/session.ts'
import { facts, formatTime } from '../output/text.ts'
import { stateOf } from '../output/token-text.ts'
import type { Configuration } from '../session/stored-calls.ts'
import { version } from '../version.ts'
import { warningText } from '../session/tunnel-follow.ts'

type Status = CliLine<'status'>

export const command = defineCommand(
  'status',
  'Show whether Tabscope is running, with its endpoints, tunnel, tokens and problems',
  [
    ['Of the default data folder', 'status'],
    ['In a script, the URL of the first endpoint', "status --json | jq -r '.endpoints[0].url'"],
  ],
).action(
  action(async () => {
    const status = await statusOf(dataFolder())
    print('status', status, () => statusText(status))
  }),
)

async function statusOf(dataDir: string): Promise<Status> {
  const before = readHolder(dataDir)?.control?.program ?? null
  try {
    // A short command is done soon; a process that does not answer may never be.
    await using session = await openSession(dataDir, { access: 'read', waits: before === null })
    const process = processOf(dataDir, session.joined)
    return { ...process, ...(await contentOf(session, process.running)) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'bad_input') throw error
    const { code, message, details } = error
    const other = details?.['version']
    const isHeld = other !== undefined || code === 'store_in_use'
    return {
      ...processOf(dataDir, isHeld, other),
      deliveries: null,
      endpoints: [],
      tunnel: null,
      tokens: [],
      relays: [],
      problems:
        code === 'not_found'
          ? []
          : [{ code: other === undefined ? code : 'other_version', message }],
    }
  }
}

type Process = 'running' | 'program' | 'pid' | 'version' | 'runningVersion' | 'dataDir' | 'listener'

function processOf(
  dataDir: string,
  isHeld: boolean,
  otherVersion: unknown = version(),
): Pick<Status, Process> {
  const holder = isHeld ? readHolder(dataDir) : null
  const program = holder?.control?.program ?? null
  const running = program !== null
  return {
    running,
    program,
    pid: (running ? holder?.pid : null) ?? null,
    version: version(),
    runningVersion: running ? String(otherVersion) : null,
    dataDir,
    listener: holder?.listener ?? null,
  }
}

async function contentOf(session: Session, running: boolean): Promise<Omit<Status, Process>> {
  const snapshot = await configurationOf(session)
  const tunnel = running ? (await session.call('app.snapshot', {})).tunnel : null
  const activity = await session.call('endpoints.activity', {})
  const { listener, integrations, stats } = snapshot
  const relays = await session.call('relay.list', {})
  return {
    deliveries: stats.deliveries,
    endpoints: snapshot.endpoints.map(({ id, name, slug }) => {
      const { last = null, tenMinutes = 0 } =
        activity.find(({ endpointId }) => endpointId === id) ?? {}
      const url = listener.state === 'listening' ? `${listener.origin}/hooks/${slug}` : null
      return { id, name, slug, url, last, tenMinutes }
    }),
    tunnel: tunnel && tunnelOf(tunnel),
    tokens: (await session.call('tokens.list', {}))
      .filter(({ status }) => status !== 'forgotten')
      .map((token) => ({
        id: token.id,
        integration: integrations.find(({ id }) => id === token.integrationId)?.name ?? '',
        label: token.label,
        state: stateOf(token, Date.now()),
        expiresAt: token.expires === null ? null : token.expires * 1000,
      })),
    relays: relays.map(({ id, name, state, behind, expiresAt }) => ({
      id,
      name,
      state,
      behind,
      expiresAt,
    })),
    problems: [
      ...problemsOf(snapshot, tunnel),
      // Without a running Tabscope none is connected.
      ...(running ? (await session.call('health.alerts', {})).alerts : []).map((alert) => ({
        code: 'alert',
        message: alertText(alert, snapshot.endpoints),
      })),
      ...(running ? relays : []).flatMap((relay) => {
        const message = relayProblem(relay)
        return message === null ? [] : [{ code: 'relay_failed', message }]
      }),
    ],
  }
}

function tunnelOf({ state, since, cause, reason, url, using }: TunnelView): Status['tunnel'] {
  return { state, since, cause, reason, url, provider: using?.provider ?? null }
}

function problemsOf(snapshot: Configuration, tunnel: TunnelView | null): Status['problems'] {
  const { listener, endpoints, integrations, forwards, forwardHealth } = snapshot
  const problems: Status['problems'] = []
  const add = (code: string, message: string): void => void problems.push({ code, message })
  if (listener.state === 'failed') add(listener.code, listener.message)
  if (listener.state === 'listening' && listener.failing !== null) {
    add('store_failed', `${listener.failing}.`)
  }
  for (const line of damageLines(snapshot.damagedFiles)) add('damaged_file', line)
  const sealed = [
    ...endpoints
      .filter(({ secret, previousSecret }) => secret.unavailable || previousSecret.unavailable)
      .map(({ name }) => `The secret of the endpoint "${name}"`),
    ...integrations
      .filter(({ accessSecret }) => accessSecret.unavailable)
      .map(({ name }) => `The access secret of "${name}"`),
  ]
  if (snapshot.secretsLocked) {
    add('secrets_locked', 'The keyring of the system is locked: no secret can be used. Unlock it.')
  } else {
    for (const what of sealed) {
      add(
        'secret_unavailable',
        `${what} cannot be read here: it was encrypted by another host, such as the desktop app, or with another key.`,
      )
    }
  }
  const isDown = ['offline', 'reconnecting', 'degraded'].includes(tunnel?.state ?? '')
  if (tunnel && isDown) {
    add(`tunnel_${tunnel.state}`, `The tunnel is ${tunnel.state}: ${tunnel.reason}`)
  }
  for (const warning of tunnel?.warnings ?? []) {
    add('tunnel_address', warningText(warning, endpoints[0]?.slug ?? null))
  }
  for (const { forwardId, state, lastStatus, lastError } of forwardHealth) {
    const target = forwards.find(({ id }) => id === forwardId)
    if (!target || (state !== 'failing' && state !== 'down')) continue
    const reason = lastError ?? (lastStatus === null ? 'no response' : `status ${lastStatus}`)
    add('forward_failing', `Forwards to ${target.url} fail: ${reason}`)
  }
  return problems
}

function statusText(status: Status): string {
  const { running, program, pid, runningVersion, deliveries, listener, tunnel } = status
  const other = runningVersion === status.version ? '' : ` (this command: ${status.version})`
  const now = Date.now()
  const state = running
    ? `running: ${program === 'desktop' ? 'desktop app' : program} ${runningVersion}${other}, process ${pid}`
    : `not running (version ${status.version})`
  return facts([
    ['Tabscope', state],
    ['Data folder', status.dataDir],
    ['Deliveries', deliveries ?? 'none'],
    ['Listener', running ? (listener ?? 'not listening') : null],
    ...status.endpoints.map(({ name, slug, url, last }) => {
      const received =
        last === null
          ? 'no delivery'
          : `last delivery ${verdictText(last.verdict)}, ${formatElapsed(now - last.receivedAt)} ago${handlerText(last.handler)}`
      return ['Endpoint', `${name}  ${url ?? `/hooks/${slug}`}  ${received}`] as const
    }),
    ['Tunnel', tunnel && [tunnel.state, tunnel.provider, tunnel.url].filter(Boolean).join('  ')],
    ...status.tokens.map(({ integration, label, state: of, expiresAt }) => {
      const expires = expiresAt === null ? '' : `, expires ${formatTime(expiresAt)}`
      return [
        'Token',
        `${integration}${label === '' ? '' : ` (${label})`}  ${of}${expires}`,
      ] as const
    }),
    ...status.relays.map(({ name, state: of, behind }) => {
      const waiting = behind ? `, ${plural(behind, 'message', 'messages')} to read` : ''
      return ['Relay', `${name}  ${of}${waiting}`] as const
    }),
    ...status.problems.map(({ message }) => ['Problem', message] as const),
  ])
}

function handlerText(status: number | null): string {
  if (status === null) return ''
  return status === 0 ? ', no response of your handler' : `, your handler responded ${status}`
}
