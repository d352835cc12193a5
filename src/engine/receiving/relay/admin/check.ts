import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { CliLine } from '#contract/cli-output.ts'
import { messageOf } from '#shared/text/errors.ts'
import { formatDuration, formatSize, plural } from '#shared/text/format.ts'
import { AppError } from '../../../platform/errors.ts'
import { openConnection, type Client } from '../connection.ts'
import {
  bodiesStream,
  deliverySubject,
  noEndpoint,
  partSubject,
  slugOf,
  streamOf,
} from '../format.ts'
import { payloadProblem, syncProblem, versionProblem } from '../server-checks.ts'
import type { AdminFile } from './state.ts'

export type RelayCheck = CliLine<'relay_check'>
type CheckedStream = RelayCheck['streams'][number]

const timeoutMs = 10_000
const clockToleranceMs = 60_000
const warnDays = 30
const fullShare = 0.8
const dayMs = 86_400_000
const nanosecondsPerMs = 1e6
const client: Client = {
  name: 'tabscope relay check',
  who: 'the administrator',
  advice:
    'Copy nats.conf and the folder tls of the relay to the server, and start or reload it there. For a new certificate: tabscope relay init --force',
}

/** Creates missing streams, updates limits that differ, and stores and reads a message. Throws `relay_failed` if the relay cannot be reached or used at all. */
export async function checkRelay(admin: AdminFile): Promise<RelayCheck> {
  const [server = ''] = admin.servers
  const { seed, ca } = admin
  let certificateExpiresAt: number | null = null
  const connection = await openConnection({ servers: [server], seed, ca }, client, (shown) => {
    certificateExpiresAt = Date.parse(shown.valid_to)
  })
  try {
    const checked = await checkConnected(admin, connection)
    return {
      name: admin.name,
      server,
      certificateExpiresAt,
      ...checked,
      problems: [...checked.problems, ...expiryProblem(certificateExpiresAt)],
    }
  } catch (error) {
    throw new AppError(
      'relay_failed',
      `The server has no working JetStream: ${messageOf(error)}. Start it with the nats.conf of this folder.`,
      { cause: error },
    )
  } finally {
    await connection.close()
  }
}

async function checkConnected(
  admin: AdminFile,
  connection: NatsConnection,
): Promise<Omit<RelayCheck, 'name' | 'server' | 'certificateExpiresAt'>> {
  const { info } = connection
  const { problem: unsynced, unknown } = await syncProblem(admin.monitor)
  const problems = info
    ? [versionProblem(info), payloadProblem(info)].filter((each) => each !== null)
    : []
  if (unsynced !== null && !unknown) problems.push(unsynced)
  const manager = await jetstreamManager(connection, { timeout: timeoutMs })
  const checked: CheckedStream[] = []
  let clockMs = 0
  for (const wanted of wantedStreams(admin)) {
    const outcome = await settleStream(manager, wanted)
    if ('problem' in outcome) {
      problems.push(outcome.problem)
      continue
    }
    clockMs = Date.parse(outcome.info.ts ?? '') - Date.now()
    checked.push(view(outcome, admin))
  }
  const bodies = checked.find(({ name }) => name === bodiesStream)
  const all: StreamInfo[] = []
  for await (const info of manager.streams.list()) all.push(info)
  const bytes = all.reduce((sum, { state }) => sum + state.bytes, 0)
  problems.push(...fullness('The relay', bytes, admin.maxBytes))
  if (bodies) {
    problems.push(...fullness(`The stream ${bodies.name}`, bodies.bytes, bodies.maxBytes))
    problems.push(...(await storeAndRead(connection, manager)))
  }
  if (Math.abs(clockMs) > clockToleranceMs) {
    problems.push(
      `The clock of the server differs from this computer's by ${formatDuration(Math.abs(clockMs))}, so that times and ages are wrong. Set the clock that is off.`,
    )
  }
  return {
    version: info?.version ?? 'unknown',
    sync: unknown ? 'unknown' : unsynced === null ? 'always' : 'interval',
    streams: checked,
    clockMs,
    users: admin.users,
    receivers: admin.receivers,
    problems,
    hints: [
      ...(unknown
        ? [
            `${unsynced} Run this check on the computer of the server, or look for sync_interval: always in its nats.conf.`,
          ]
        : []),
      ...formerEndpoints(all, admin),
    ],
  }
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
  | 'republish'
>

/** With a full disk or limit, new messages are refused, and none are deleted before their time: only the server limits all streams together. */
export function wantedStreams({
  keepDays,
  maxBytes,
  replicas,
  endpoints,
}: Pick<AdminFile, 'keepDays' | 'maxBytes' | 'replicas' | 'endpoints'>): WantedStream[] {
  const common = {
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: replicas,
    duplicate_window: 120_000 * nanosecondsPerMs,
    deny_delete: true,
    allow_direct: true,
  } as const
  return [
    ...endpoints.map((slug) => ({
      ...common,
      name: streamOf(slug),
      subjects: [deliverySubject(slug, '*')],
      max_bytes: -1,
      max_age: keepDays * dayMs * nanosecondsPerMs,
      republish: {
        src: deliverySubject(slug, '*'),
        dest: `live.${slug}.{{wildcard(1)}}`,
        headers_only: true,
      },
    })),
    {
      ...common,
      name: bodiesStream,
      subjects: ['parts.>'],
      max_bytes: Math.floor(maxBytes / 4),
      // Longer than what refers to them.
      max_age: (keepDays * dayMs + 3_600_000) * nanosecondsPerMs,
    },
  ]
}

/** Sentences about streams that have messages of endpoints which the relay no longer has. */
function formerEndpoints(all: readonly StreamInfo[], { endpoints }: AdminFile): string[] {
  return all.flatMap(({ config: { name }, state: { messages } }) => {
    const slug = slugOf(name)
    if (slug === null || endpoints.includes(slug) || messages === 0) return []
    return [
      `The relay no longer has the endpoint ${slug}: the ${plural(messages, 'message', 'messages')} in ${name} can be read until they expire.`,
    ]
  })
}

type Outcome =
  | { readonly problem: string }
  | { readonly info: StreamInfo; readonly change: CheckedStream['change'] }

async function settleStream(manager: JetStreamManager, wanted: WantedStream): Promise<Outcome> {
  const found = await streamInfo(manager, wanted.name)
  if (found !== null && found.config.subjects.join() !== wanted.subjects.join()) {
    return {
      problem: `The stream ${wanted.name} belongs to another application (its subjects are ${found.config.subjects.join(', ')}), and was not changed. Use a server or account of its own for the relay.`,
    }
  }
  try {
    if (found === null) return { info: await manager.streams.add(wanted), change: 'created' }
    if (!differs(found.config, wanted)) return { info: found, change: 'none' }
    return { info: await manager.streams.update(wanted.name, wanted), change: 'updated' }
  } catch (error) {
    return {
      problem: `The stream ${wanted.name} cannot be created or changed: ${messageOf(error)}. Allow JetStream more space (max_file_store), or choose a smaller --max-size.`,
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
  return !isDeepStrictEqual({ ...config, ...wanted }, config)
}

function view(
  { info: { config, state }, change }: Exclude<Outcome, { problem: string }>,
  { maxBytes }: AdminFile,
): CheckedStream {
  return {
    name: config.name,
    change,
    messages: state.messages,
    bytes: state.bytes,
    maxBytes: config.max_bytes === -1 ? maxBytes : config.max_bytes,
    maxAgeMs: config.max_age / nanosecondsPerMs,
    replicas: config.num_replicas,
  }
}

function fullness(what: string, bytes: number, maxBytes: number): string[] {
  if (bytes < maxBytes * fullShare) return []
  return [
    `${what} is ${Math.floor((bytes / maxBytes) * 100)}% full (${formatSize(bytes)} of ${formatSize(maxBytes)}). Beyond it, deliveries get 503: allow more space or fewer days with "tabscope relay init --force --max-size … --keep-days …".`,
  ]
}

/** A message that no desktop reads. */
async function storeAndRead(
  connection: NatsConnection,
  manager: JetStreamManager,
): Promise<string[]> {
  const subject = partSubject(noEndpoint, 'check', 'check', 0)
  const payload = randomBytes(32)
  try {
    const { seq } = await jetstream(connection, { timeout: timeoutMs }).publish(subject, payload)
    const read = await manager.streams.getMessage(bodiesStream, { seq })
    if (read && Buffer.compare(read.data, payload) === 0) return []
    return ['The server stored a message, but returned another one. Check its disk and its log.']
  } catch (error) {
    return [
      `The server did not store a message: ${messageOf(error)}. Check its disk, its limits and its log.`,
    ]
  }
}

function expiryProblem(expiresAt: number | null): string[] {
  if (expiresAt === null) return []
  const days = Math.floor((expiresAt - Date.now()) / dayMs)
  if (days >= warnDays) return []
  return [
    `The certificate of the server expires in ${days} days. Run "tabscope relay init --force" in the folder of the relay, copy tls/server.crt and tls/server.key to the server, and reload it: invitations stay valid.`,
  ]
}
