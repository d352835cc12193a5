import { connect, nkeyAuthenticator, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { isOnLoopback, tlsOptions } from './addresses.ts'
import { connectionProblem, type ConnectionProblem } from './connection-problem.ts'
import { streams } from './format.ts'
import type { RelayAccess } from './messages.ts'
import { oldestServer, versionProblem } from './server-checks.ts'

const connectMs = 10_000
const requestMs = 5_000
/** Of the clocks of the relay and this computer. */
const clockMs = 60_000

/** Why a relay cannot be followed, as a sentence. `refused`: trying again soon does not help. */
export class RelayFailure extends Error {
  override readonly name = 'RelayFailure'
  readonly state: 'offline' | 'refused'

  constructor(state: 'offline' | 'refused', message: string, cause?: unknown) {
    super(message, { cause })
    this.state = state
  }
}

/** Without automatic reconnection: a new session reads everything again. Throws `RelayFailure`. */
export async function openRelay(access: RelayAccess): Promise<NatsConnection> {
  const isPlain = access.servers.every((server) => server.startsWith('nats://'))
  if (isPlain && !access.servers.every(isOnLoopback)) {
    throw new RelayFailure(
      'refused',
      'The relay has no TLS: an address outside of this computer must start with tls://. Ask its administrator for another invitation.',
    )
  }
  let connection: NatsConnection
  try {
    connection = await connect({
      name: 'tabscope',
      servers: [...access.servers],
      timeout: connectMs,
      reconnect: false,
      ignoreClusterUpdates: true,
      pingInterval: 20_000,
      maxPingOut: 2,
      inboxPrefix: `_INBOX_${access.user}`,
      tls: isPlain ? null : tlsOptions(access),
      ...(access.seed === null
        ? {}
        : { authenticator: nkeyAuthenticator(new TextEncoder().encode(access.seed)) }),
    })
  } catch (error) {
    throw failureOf(error, access)
  }
  const version = connection.info?.version ?? ''
  if (versionProblem({ version }) !== null) {
    await connection.close()
    throw new RelayFailure(
      'refused',
      `The relay runs nats-server ${version}, which can lose deliveries. Ask its administrator to update it to ${oldestServer} or later.`,
    )
  }
  return connection
}

export interface StreamState {
  /** RFC 3339. */
  readonly created: string
  readonly firstSeq: number
  readonly lastSeq: number
  /** Of the oldest message, in milliseconds since the epoch; null: there is none. */
  readonly firstAt: number | null
  /** Null: they are kept at any age. */
  readonly maxAgeMs: number | null
  /** A sentence; null: the clocks agree. */
  readonly clockWarning: string | null
}

interface StreamInfo {
  readonly error?: { readonly code: number; readonly description: string }
  readonly created: string
  readonly ts?: string
  readonly config: { readonly subjects?: readonly string[]; readonly max_age: number }
  readonly state: {
    readonly first_seq: number
    readonly last_seq: number
    readonly first_ts: string
  }
}

/** Throws `RelayFailure`. */
export async function readStream(
  connection: NatsConnection,
  access: RelayAccess,
): Promise<StreamState> {
  const info = await ask<StreamInfo>(
    connection,
    access,
    `$JS.API.STREAM.INFO.${streams.deliveries}`,
  )
  if (info.error) {
    throw new RelayFailure(
      'refused',
      `The server has no stream of a relay (${info.error.description}). Ask its administrator to run "tabscope relay check".`,
    )
  }
  const subjects = info.config.subjects ?? []
  if (!subjects.some((subject) => subject === 'hooks.*' || subject === 'hooks.>')) {
    throw new RelayFailure(
      'refused',
      `The stream ${streams.deliveries} of the server belongs to another application. Ask the administrator of the relay for another server or account.`,
    )
  }
  const { first_seq: firstSeq, last_seq: lastSeq, first_ts: firstTs } = info.state
  const off = info.ts === undefined ? 0 : Math.abs(Date.parse(info.ts) - Date.now())
  return {
    created: info.created,
    firstSeq,
    lastSeq,
    firstAt: firstSeq > lastSeq ? null : Date.parse(firstTs),
    maxAgeMs: info.config.max_age === 0 ? null : info.config.max_age / 1e6,
    clockWarning:
      off > clockMs
        ? `The clocks of the relay and this computer differ by ${Math.round(off / 60_000)} minutes, so times and ages are wrong. Set the clock that is off.`
        : null,
  }
}

/** Of the API of JetStream. Throws `RelayFailure` if there is no response. */
export async function ask<T>(
  connection: NatsConnection,
  access: RelayAccess,
  subject: string,
  input?: unknown,
): Promise<T> {
  const message = await request(
    connection,
    access,
    subject,
    input === undefined ? undefined : JSON.stringify(input),
  )
  return message.json<T>()
}

export async function request(
  connection: NatsConnection,
  access: RelayAccess,
  subject: string,
  payload?: string,
): Promise<Msg> {
  try {
    return await connection.request(subject, payload, { timeout: requestMs })
  } catch (error) {
    throw failureOf(error, access)
  }
}

/** Sentences for `user`, who can only ask the administrator. */
const refusals: Readonly<
  Record<Exclude<ConnectionProblem, 'unreachable'>, (user: string, where: string) => string>
> = {
  rights: (user) =>
    `The key of ${user} may not read this from the relay. Ask its administrator for a new invitation.`,
  key: (user) =>
    `The relay refused the key of ${user}: it was revoked or replaced. Ask its administrator for a new invitation.`,
  no_jetstream: () =>
    'The server has no JetStream, so it is not a relay. Ask its administrator to run "tabscope relay check".',
  no_tls: (_, where) =>
    `The server at ${where} has no TLS, so it is not the relay of the invitation. Ask its administrator.`,
  certificate_name: (_, where) =>
    `The certificate of ${where} is for another name. Ask the administrator of the relay for a new one.`,
  certificate_time: (_, where) =>
    `The certificate of ${where} is not valid at this time. Ask the administrator of the relay to renew it, and check the clock.`,
  certificate_authority: (_, where) =>
    `The certificate of ${where} is not of the CA in the invitation: it may be another server. Ask the administrator of the relay.`,
}

export function failureOf(error: unknown, { servers, user }: RelayAccess): RelayFailure {
  if (error instanceof RelayFailure) return error
  const { problem, code } = connectionProblem(error)
  const where = servers.join(', ')
  if (problem !== 'unreachable') {
    return new RelayFailure('refused', refusals[problem](user, where), error)
  }
  return new RelayFailure(
    'offline',
    `The relay at ${where} is not reachable${code === '' ? '' : ` (${code})`}. Check the network, and whether its server runs.`,
    error,
  )
}
