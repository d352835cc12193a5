import { randomBytes } from 'node:crypto'
import { connect as connectSocket, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { formatDuration, formatSize } from '#shared/text/format.ts'
import { messageOf } from '#shared/text/errors.ts'
import { AppError } from '../../platform/errors.ts'
import { tlsOptions } from '../addresses.ts'
import { connectionProblem } from '../connection-problem.ts'
import { partSubject, streams } from '../format.ts'
import { payloadProblem, syncProblem, versionProblem } from '../server-checks.ts'
import type { AdminFile } from './state.ts'

export interface CheckedStream {
  readonly name: string
  readonly change: 'created' | 'updated' | 'none'
  readonly messages: number
  readonly bytes: number
  readonly maxBytes: number
  readonly maxAgeMs: number
  readonly replicas: number
}

export interface RelayCheck {
  readonly name: string
  readonly server: string
  readonly version: string
  /** `unknown`: its monitoring port did not answer. */
  readonly sync: 'always' | 'interval' | 'unknown'
  readonly streams: CheckedStream[]
  /** How far the clock of the server is ahead of this computer's. */
  readonly clockMs: number
  /** Of the certificate that the server shows. Null: no TLS. */
  readonly certificateExpiresAt: number | null
  readonly users: AdminFile['users']
  readonly receivers: string[]
  /** Sentences. Empty: deliveries are safe there. */
  readonly problems: string[]
  /** Sentences about what could not be checked. */
  readonly hints: string[]
}

const timeoutMs = 10_000
const clockToleranceMs = 60_000
const warnDays = 30
const fullShare = 0.8
const dayMs = 86_400_000
const nanosecondsPerMs = 1e6

/** Creates missing streams, updates limits that differ, and stores and reads a message. Throws `relay_failed` if the relay cannot be reached or used at all. */
export async function checkRelay(admin: AdminFile): Promise<RelayCheck> {
  const [server = ''] = admin.servers
  const connection = await open(admin, server)
  try {
    return await checkConnected(admin, server, connection)
  } catch (error) {
    throw error instanceof AppError ? error : unusable(error)
  } finally {
    await connection.close()
  }
}

async function checkConnected(
  admin: AdminFile,
  server: string,
  connection: NatsConnection,
): Promise<RelayCheck> {
  const problems: string[] = []
  const hints: string[] = []
  const { info } = connection
  if (info) {
    problems.push(...[versionProblem(info), payloadProblem(info)].filter((each) => each !== null))
  }
  const synced = await syncProblem(admin.monitor)
  if (synced.unknown) {
    hints.push(
      `${synced.problem ?? ''} Run this check on the computer of the server, or look for sync_interval: always in its nats.conf.`,
    )
  } else if (synced.problem !== null) problems.push(synced.problem)

  const manager = await jetstreamManager(connection, { timeout: timeoutMs })
  const checked: CheckedStream[] = []
  for (const wanted of wantedStreams(admin)) {
    const outcome = await settleStream(manager, wanted)
    if ('problem' in outcome) problems.push(outcome.problem)
    if ('stream' in outcome) {
      checked.push(outcome.stream)
      problems.push(...fullness(outcome.stream))
    }
  }
  const bodies = checked.find(({ name }) => name === streams.bodies)
  const stored = bodies ? await storeAndRead(connection, manager) : null
  if (stored !== null) problems.push(stored)

  const clockMs = await clockDifference(connection)
  if (Math.abs(clockMs) > clockToleranceMs) {
    problems.push(
      `The clock of the server differs from this computer's by ${formatDuration(Math.abs(clockMs))}, so that times and ages are wrong. Set the clock that is off.`,
    )
  }
  const certificateExpiresAt = admin.ca === null ? null : await expiryOf(server, admin.ca)
  if (certificateExpiresAt !== null) problems.push(...expiryProblem(certificateExpiresAt))
  return {
    name: admin.name,
    server,
    version: info?.version ?? 'unknown',
    sync: synced.unknown ? 'unknown' : synced.problem === null ? 'always' : 'interval',
    streams: checked,
    clockMs,
    certificateExpiresAt,
    users: admin.users,
    receivers: admin.receivers,
    problems,
    hints,
  }
}

async function open({ seed, ca }: AdminFile, server: string): Promise<NatsConnection> {
  try {
    return await connect({
      servers: server,
      name: 'tabscope relay check',
      timeout: timeoutMs,
      reconnect: false,
      ignoreClusterUpdates: true,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      tls: ca === null ? null : tlsOptions({ servers: [server], ca }),
    })
  } catch (error) {
    throw unreachable(server, error)
  }
}

function unreachable(server: string, error: unknown): AppError {
  const { problem, code } = connectionProblem(error)
  const message =
    problem === 'key'
      ? `The server at ${server} refused the key of the administrator. Copy nats.conf of this folder to the server, and reload or restart it.`
      : problem.startsWith('certificate')
        ? `The certificate of ${server} is expired, for another name, or not of this relay (${code}). Copy the folder tls to the server; for a new certificate run "tabscope relay init --force".`
        : `The relay at ${server} is not reachable${code === '' ? '' : ` (${code})`}. Start nats-server in its folder, and check name, port and firewall.`
  return new AppError('relay_failed', message, { cause: error })
}

function unusable(error: unknown): AppError {
  return new AppError(
    'relay_failed',
    `The server has no working JetStream: ${messageOf(error)}. Start it with the nats.conf of this folder.`,
    { cause: error },
  )
}

type WantedStream = Pick<
  StreamConfig,
  | 'name'
  | 'subjects'
  | 'storage'
  | 'retention'
  | 'discard'
  | 'max_bytes'
  | 'max_age'
  | 'num_replicas'
  | 'duplicate_window'
  | 'deny_delete'
  | 'allow_direct'
  | 'consumer_limits'
>

/** With a full disk or limit, new messages are refused, and none are deleted before their time. */
export function wantedStreams({
  keepDays,
  maxBytes,
  replicas,
}: Pick<AdminFile, 'keepDays' | 'maxBytes' | 'replicas'>): WantedStream[] {
  const bodiesBytes = Math.floor(maxBytes / 4)
  const common = {
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: replicas,
    duplicate_window: 120_000 * nanosecondsPerMs,
    deny_delete: true,
  } as const
  return [
    {
      ...common,
      name: streams.deliveries,
      subjects: ['hooks.*'],
      max_bytes: maxBytes - bodiesBytes,
      max_age: keepDays * dayMs * nanosecondsPerMs,
      allow_direct: false,
      // Whatever a desktop creates is gone soon after it leaves.
      consumer_limits: { inactive_threshold: 300_000 * nanosecondsPerMs },
    },
    {
      ...common,
      name: streams.bodies,
      subjects: ['parts.>'],
      max_bytes: bodiesBytes,
      // Longer than what refers to them.
      max_age: (keepDays * dayMs + 3_600_000) * nanosecondsPerMs,
      allow_direct: true,
    },
  ]
}

type Outcome = { readonly problem: string } | { readonly stream: CheckedStream }

async function settleStream(manager: JetStreamManager, wanted: WantedStream): Promise<Outcome> {
  const found = await streamInfo(manager, wanted.name)
  if (found === null) {
    try {
      return { stream: view(await manager.streams.add(wanted), 'created') }
    } catch (error) {
      return {
        problem: `The stream ${wanted.name} cannot be created: ${messageOf(error)}. Allow JetStream more space (max_file_store), or choose a smaller --max-size.`,
      }
    }
  }
  const { config } = found
  if (config.subjects.join() !== wanted.subjects.join()) {
    return {
      problem: `The stream ${wanted.name} belongs to another application (its subjects are ${config.subjects.join(', ')}), and was not changed. Use a server or account of its own for the relay.`,
    }
  }
  if (!differs(config, wanted)) return { stream: view(found, 'none') }
  try {
    return { stream: view(await manager.streams.update(wanted.name, wanted), 'updated') }
  } catch (error) {
    return {
      problem: `The limits of the stream ${wanted.name} cannot be changed: ${messageOf(error)}.`,
    }
  }
}

async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return null
    throw error
  }
}

/** The server adds settings of its own. */
function differs(config: StreamConfig, wanted: WantedStream): boolean {
  const { consumer_limits: limits, subjects: _, ...plain } = wanted
  const entries = new Map<string, unknown>(Object.entries(config))
  return (
    Object.entries(plain).some(([key, value]) => (entries.get(key) ?? false) !== value) ||
    config.consumer_limits?.inactive_threshold !== limits?.inactive_threshold
  )
}

function view({ config, state }: StreamInfo, change: CheckedStream['change']): CheckedStream {
  return {
    name: config.name,
    change,
    messages: state.messages,
    bytes: state.bytes,
    maxBytes: config.max_bytes,
    maxAgeMs: config.max_age / nanosecondsPerMs,
    replicas: config.num_replicas,
  }
}

function fullness({ name, bytes, maxBytes }: CheckedStream): string[] {
  if (bytes < maxBytes * fullShare) return []
  return [
    `The stream ${name} is ${Math.floor((bytes / maxBytes) * 100)}% full (${formatSize(bytes)} of ${formatSize(maxBytes)}). Beyond it, deliveries get 503: allow more space or fewer days with "tabscope relay init --force --max-size … --keep-days …".`,
  ]
}

/** A message that no desktop reads. Null: it is there. */
async function storeAndRead(
  connection: NatsConnection,
  manager: JetStreamManager,
): Promise<string | null> {
  const subject = partSubject(null, 'check', 0)
  const payload = randomBytes(32)
  try {
    const { seq } = await jetstream(connection, { timeout: timeoutMs }).publish(subject, payload)
    const read = await manager.streams.getMessage(streams.bodies, { seq })
    if (read && Buffer.compare(read.data, payload) === 0) return null
    return 'The server stored a message, but returned another one. Check its disk and its log.'
  } catch (error) {
    return `The server did not store a message: ${messageOf(error)}. Check its disk, its limits and its log.`
  }
}

/** Of the server, in milliseconds ahead of this computer. */
async function clockDifference(connection: NatsConnection): Promise<number> {
  const before = Date.now()
  const message = await connection.request(`$JS.API.STREAM.INFO.${streams.bodies}`, '', {
    timeout: timeoutMs,
  })
  const after = Date.now()
  const at = Date.parse(message.json<{ ts?: string }>().ts ?? '')
  return Number.isNaN(at) ? 0 : Math.round(at - (before + after) / 2)
}

/** Of the certificate that the server shows now, which may be older than the file. NATS greets in plain text before TLS. */
function expiryOf(server: string, ca: string): Promise<number | null> {
  const { hostname, port } = new URL(server)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve) => {
    const socket = connectSocket({ host, port: Number(port) })
    const end = (expiry: number | null): void => {
      socket.destroy()
      resolve(expiry)
    }
    socket.setTimeout(timeoutMs, () => end(null))
    socket.once('error', () => end(null))
    socket.once('data', () => {
      const secure = connectTls({
        socket,
        host,
        ca,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      })
      secure.once('error', () => end(null))
      secure.once('secureConnect', () => {
        const { valid_to: until } = secure.getPeerCertificate()
        end(Date.parse(until))
      })
    })
  })
}

function expiryProblem(expiresAt: number): string[] {
  const days = Math.floor((expiresAt - Date.now()) / dayMs)
  if (days >= warnDays) return []
  return [
    `The certificate of the server expires in ${days} days. Run "tabscope relay init --force" in the folder of the relay, copy tls/server.crt and tls/server.key to the server, and reload it: invitations stay valid.`,
  ]
}
