import type { MessagePort } from 'node:worker_threads'
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type ConsumerMessages,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import { createSlots } from '#shared/async/mutex.ts'
import { plural } from '#shared/text/format.ts'
import { failureOf, openConnection, RelayFailure, type Client } from './connection.ts'
import { RecordError, streams, subjectsOf } from './format.ts'
import type { InboundDelivery, Inspector } from './inbound.ts'
import type {
  RelayAccess,
  RelayedGroup,
  RelayedReply,
  RelayStatus,
  RelayTarget,
} from './messages.ts'
import { oldestServer, versionProblem } from './server-checks.ts'

const groupDeliveries = 500
const groupBytes = 2 * 1024 * 1024
/** Of each, the server sends up to 32 MiB ahead. */
const backlogsAtOnce = 8
const tickMs = 10_000
/** Groups at the writer, so that captured deliveries have their turn between them. */
const groupsAtOnce = 3
const requestMs = 5000
const clockMs = 60_000

export function clientOf({ user }: Pick<RelayAccess, 'user'>): Client {
  return {
    name: 'tabscope',
    who: user,
    inboxPrefix: `_INBOX_${user}`,
    advice: 'Ask the administrator of the relay, who may have to make a new invitation.',
  }
}

/** Throws `RelayFailure`. */
export async function openRelay(access: RelayAccess): Promise<NatsConnection> {
  const connection = await openConnection(access, clientOf(access))
  const version = connection.info?.version ?? ''
  if (versionProblem({ version }) === null) return connection
  await connection.close()
  throw new RelayFailure(
    'refused',
    `The relay runs nats-server ${version}, which can lose deliveries. Ask its administrator to update it to ${oldestServer} or later.`,
  )
}

export interface StreamState {
  /** RFC 3339. */
  readonly created: string
  readonly lastSeq: number
  /** Of the oldest and the newest message, in milliseconds since the epoch; null: there is none. */
  readonly firstAt: number | null
  readonly lastAt: number | null
  /** Null: they are kept at any age. */
  readonly maxAgeMs: number | null
  /** A sentence; null: the clocks agree. */
  readonly clockWarning: string | null
}

/** Throws `RelayFailure`. */
export async function readStream(
  connection: NatsConnection,
  access: RelayAccess,
): Promise<StreamState> {
  let info
  try {
    info = await (await managerOf(connection)).streams.info(streams.deliveries)
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw failureOf(error, access, clientOf(access))
    throw new RelayFailure(
      'refused',
      `The server has no stream of a relay (${error.message}). Ask its administrator to run "tabscope relay check".`,
    )
  }
  const { created, config, state, ts } = info
  if (!config.subjects.includes('hooks.*')) {
    throw new RelayFailure(
      'refused',
      `The stream ${streams.deliveries} of the server belongs to another application. Ask the administrator of the relay for another server or account.`,
    )
  }
  const isEmpty = state.first_seq > state.last_seq || state.last_seq === 0
  const off = ts === undefined ? 0 : Math.abs(Date.parse(ts) - Date.now())
  return {
    created,
    lastSeq: state.last_seq,
    firstAt: isEmpty ? null : Date.parse(state.first_ts),
    lastAt: isEmpty ? null : Date.parse(state.last_ts),
    maxAgeMs: config.max_age === 0 ? null : config.max_age / 1e6,
    clockWarning:
      off > clockMs
        ? `The clocks of the relay and this computer differ by ${Math.round(off / 60_000)} minutes, so times and ages are wrong. Set the clock that is off.`
        : null,
  }
}

/** Without a request for the account, for which a desktop has no right. */
function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false, timeout: requestMs })
}

/** Of the messages of `subject` after `position`, in order. Throws `RelayFailure`. */
export async function openConsumer(
  connection: NatsConnection,
  access: RelayAccess,
  subject: string,
  position: number,
): Promise<{ pending: number; messages: ConsumerMessages }> {
  try {
    const consumer = await jetstream(connection, {
      timeout: requestMs,
    }).consumers.getPushConsumer(streams.deliveries, {
      deliver_prefix: createInbox(`_INBOX_${access.user}`),
      filter_subjects: subject,
      opt_start_seq: position + 1,
    })
    const { num_pending: pending } = await consumer.info(true)
    const messages = await consumer.consume()
    // Otherwise it would try to go on without a connection, which throws.
    void connection.closed().then(() => messages.close())
    return { pending, messages }
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw failureOf(error, access, clientOf(access))
    throw new RelayFailure(
      'refused',
      `The relay does not deliver ${subject}: ${error.message}. Ask its administrator to run "tabscope relay check".`,
    )
  }
}

export class Writing {
  readonly #port: MessagePort
  readonly #waiting: ((reply: RelayedReply) => void)[] = []
  readonly #slots = createSlots(groupsAtOnce)

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (reply: RelayedReply) => this.#waiting.shift()?.(reply))
    port.on('close', () => {
      const failed = 'the store is closed'
      for (const resolve of this.#waiting.splice(0)) resolve({ refused: [], failed })
    })
  }

  /** Returns what the store refused. `posted` is called when it is on its way. Throws `RelayFailure` if it cannot be stored. */
  async store(group: RelayedGroup, posted: () => void): Promise<RelayedReply['refused']> {
    const { failed, refused } = await this.#slots(
      () =>
        new Promise<RelayedReply>((resolve) => {
          this.#waiting.push(resolve)
          const { buffer } = group.bodies
          this.#port.postMessage(group, buffer instanceof ArrayBuffer ? [buffer] : [])
          posted()
        }),
    )
    if (failed === null) return refused
    throw new RelayFailure('offline', `What the relay delivers cannot be stored: ${failed}`)
  }
}

export type Lag = Pick<
  RelayStatus,
  'reason' | 'behind' | 'behindSince' | 'expiresAt' | 'lastReceivedAt'
>

export interface SessionPorts {
  readonly connection: NatsConnection
  readonly target: RelayTarget
  readonly stream: StreamState
  /** By subject, of what is stored. It is kept up to date. */
  readonly positions: Map<string, number>
  readonly inspector: Inspector
  readonly writing: Writing
  readonly isForwarding: () => boolean
  readonly lag: (lag: Lag) => void
}

interface Unposted {
  readonly after: number
  position: number
  messages: number
  bytes: number
  skipped: number
  /** A sentence of the last one. */
  why: string | null
  readonly found: InboundDelivery[]
}

/** Reads from the stored positions on, until the connection or the writer fails. A message that cannot be read is skipped. */
export class Session {
  readonly #ports: SessionPorts
  #stream: StreamState
  #unopened: number
  /** By subject: in the stream, after the last message that was read. */
  readonly #pending = new Map<string, number>()
  #unstored = 0
  #readAt: number | null
  #deleted = 0
  #skipped: string | null = null
  readonly #consumers: ConsumerMessages[] = []
  readonly #storing = new Set<Promise<void>>()
  readonly #failed = Promise.withResolvers<never>()
  #isEnded = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#stream = ports.stream
    this.#unopened = subjectsOf(ports.target).length
    this.#readAt = ports.stream.firstAt
    this.#failed.promise.catch(() => undefined)
  }

  /** Never resolves. Throws `RelayFailure`, when the writer has responded to everything. */
  async run(): Promise<never> {
    const { connection, target } = this.#ports
    void connection.closed().then((error) => this.#fail(error ?? gone()))
    const timer = setInterval(() => void this.#tick().catch((error) => this.#fail(error)), tickMs)
    const slots = createSlots(backlogsAtOnce)
    for (const subject of subjectsOf(target)) {
      slots(() => this.#follow(subject)).catch((error: unknown) => this.#fail(error))
    }
    try {
      return await this.#failed.promise
    } finally {
      this.#isEnded = true
      clearInterval(timer)
      for (const consumer of this.#consumers) void consumer.close()
      await Promise.allSettled(this.#storing)
    }
  }

  end(): void {
    this.#fail(gone())
  }

  #fail(error: unknown): void {
    this.#failed.reject(error)
  }

  async #follow(subject: string): Promise<void> {
    if (this.#isEnded) return
    const { connection, target, positions } = this.#ports
    const position = positions.get(subject) ?? 0
    const consumer = await openConsumer(connection, target, subject, position)
    this.#consumers.push(consumer.messages)
    this.#unopened -= 1
    this.#pending.set(subject, consumer.pending)
    const caughtUp = Promise.withResolvers<void>()
    if (consumer.pending === 0) caughtUp.resolve()
    this.#read(subject, position, consumer, caughtUp.resolve).catch((error: unknown) =>
      this.#fail(error),
    )
    this.#report()
    await Promise.race([caughtUp.promise, this.#failed.promise])
  }

  async #read(
    subject: string,
    from: number,
    { pending: waiting, messages }: { pending: number; messages: ConsumerMessages },
    caughtUp: () => void,
  ): Promise<never> {
    const { inspector, isForwarding } = this.#ports
    const readPart = (part: string): Promise<Uint8Array> => this.#part(part)
    // What waited is never forwarded.
    let isBacklog = waiting > 0
    let group = unposted(from)
    for await (const message of messages) {
      if (this.#isEnded) break
      const { streamSequence: position, timestampNanos, pending } = message.info
      let found: InboundDelivery[] = []
      try {
        found = await inspector.read(message, position, readPart)
      } catch (error) {
        if (error instanceof RelayFailure) throw error
        group.skipped += 1
        group.why = skippedText(message.subject, position, error)
      }
      this.#unstored += 1
      this.#readAt = Math.round(timestampNanos / 1e6)
      this.#pending.set(subject, pending)
      // Between messages of one endpoint are those of others.
      if (subject.endsWith('*') && group.position > 0) {
        this.#deleted += position - group.position - 1
      }
      group.found.push(...found)
      group.position = position
      group.messages += 1
      group.bytes += message.data.byteLength + sizeOf(found)
      const isLast = pending === 0 || messages.getPending() === 0
      if (isLast || group.found.length >= groupDeliveries || group.bytes >= groupBytes) {
        await this.#post(subject, group, !isBacklog && isForwarding())
        group = unposted(group.position)
      }
      if (pending === 0 && isBacklog) {
        isBacklog = false
        caughtUp()
      }
    }
    throw gone()
  }

  /** Resolves when it is on its way to the writer, and another one may be read. */
  async #post(subject: string, group: Unposted, forwarded: boolean): Promise<void> {
    const { after, position, found } = group
    if (group.messages === 0) return
    const { target, stream, writing } = this.#ports
    const posted = Promise.withResolvers<void>()
    const deliveries = found.map(({ delivery }) => delivery)
    const storing = this.#stored(
      subject,
      group,
      writing.store(
        {
          relayId: target.id,
          streamCreated: stream.created,
          subject,
          after,
          position,
          forwarded,
          skipped: group.skipped,
          deliveries,
          bodies: packed(found),
        },
        posted.resolve,
      ),
    )
    this.#storing.add(storing)
    void storing.finally(() => this.#storing.delete(storing))
    await posted.promise
  }

  async #stored(
    subject: string,
    group: Unposted,
    storing: Promise<RelayedReply['refused']>,
  ): Promise<void> {
    try {
      const refused = (await storing).at(-1)
      this.#skipped =
        refused === undefined
          ? (group.why ?? this.#skipped)
          : skippedText(subject, refused, new RecordError('It has a value that cannot be stored.'))
      this.#ports.positions.set(subject, group.position)
      this.#unstored -= group.messages
      this.#report()
    } catch (error) {
      this.#fail(error)
    }
  }

  async #part(subject: string): Promise<Uint8Array> {
    const { connection, target } = this.#ports
    let part
    try {
      const { direct } = await managerOf(connection)
      part = await direct.getMessage(streams.bodies, { last_by_subj: subject })
    } catch (error) {
      throw failureOf(error, target, clientOf(target))
    }
    if (part === null) throw new RecordError('A part of the body of a large delivery is missing.')
    return part.data
  }

  async #tick(): Promise<void> {
    const { connection, target, stream } = this.#ports
    this.#stream = await readStream(connection, target)
    if (this.#stream.created !== stream.created) throw gone()
    this.#report()
  }

  #report(): void {
    const pending = [...this.#pending.values()].reduce((sum, each) => sum + each, 0)
    const behind = this.#unopened > 0 ? null : pending + this.#unstored
    const { maxAgeMs, clockWarning, lastAt } = this.#stream
    const behindSince = behind === 0 ? null : this.#readAt
    this.#ports.lag({
      reason: this.#skipped ?? (this.#deleted > 0 ? deletedText(this.#deleted) : clockWarning),
      behind,
      behindSince,
      expiresAt: behindSince === null || maxAgeMs === null ? null : behindSince + maxAgeMs,
      lastReceivedAt: lastAt === null ? null : Math.max(lastAt, this.#readAt ?? 0),
    })
  }
}

function unposted(after: number): Unposted {
  return { after, position: after, messages: 0, bytes: 0, skipped: 0, why: null, found: [] }
}

function sizeOf(found: readonly InboundDelivery[]): number {
  return found.reduce((sum, { body }) => sum + body.byteLength, 0)
}

function packed(found: readonly InboundDelivery[]): Uint8Array {
  const bytes = new Uint8Array(sizeOf(found))
  let at = 0
  for (const { body } of found) {
    bytes.set(body, at)
    at += body.byteLength
  }
  return bytes
}

function deletedText(messages: number): string {
  return `The relay deleted ${plural(messages, 'message', 'messages')} before they were read here. Ask its administrator to keep them for longer.`
}

function gone(): RelayFailure {
  return new RelayFailure('offline', 'The connection to the relay was lost.')
}

function skippedText(subject: string, position: number, error: unknown): string {
  const what = error instanceof RecordError ? error.message : 'A record is damaged.'
  return `Message ${position} of ${subject.split('.').at(-1)} was skipped: ${what}`
}
