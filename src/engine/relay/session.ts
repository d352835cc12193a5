import type { NatsConnection } from '@nats-io/transport-node'
import { readStream, RelayFailure, request, type StreamState } from './connection.ts'
import { openConsumer, type Consumer, type ConsumerItem } from './consumer.ts'
import { RecordError, streams, subjectsOf } from './format.ts'
import type { InboundDelivery, Inspector } from './inbound.ts'
import type { Advance, RelayedGroup, RelayTarget, Removed } from './messages.ts'
import type { Positions } from './positions.ts'
import type { Writing } from './writing.ts'

const groupDeliveries = 500
const groupBytes = 2 * 1024 * 1024
/** Of each, the server sends up to 32 MiB ahead. */
const backlogsAtOnce = 8
/** How often the stream is asked for its limits and its end. */
const tickMs = 10_000

/** One granted subject. */
interface Channel {
  readonly subject: string
  /** Until nothing waits: what arrives is never forwarded. */
  isBacklog: boolean
  /** In the stream, after the last message that was received here. */
  pending: number
  /** The end of the stream, to which everything was delivered at the next `idle` but one: the next may cross with a message. */
  end: number | null
  /** The same, for the next `idle`. */
  due: number | null
}

interface Queued {
  readonly channel: Channel
  readonly item: ConsumerItem
  /** Of an `idle`: everything up to there was delivered. */
  readonly end: number | null
}

export interface Lag {
  /** Null: unknown, since not all endpoints are read yet. */
  readonly behind: number | null
  readonly behindSince: number | null
  readonly expiresAt: number | null
  readonly isBacklog: boolean
}

export interface SessionPorts {
  readonly connection: NatsConnection
  readonly target: RelayTarget
  readonly stream: StreamState
  readonly positions: Positions
  readonly inspector: Inspector
  readonly writing: Writing
  readonly isForwarding: () => boolean
  readonly lag: (lag: Lag) => void
}

/** Reads from the stored positions on, until the connection, the writer or a message fails. */
export class Session {
  readonly #ports: SessionPorts
  readonly #channels: Channel[] = []
  readonly #unopened: string[]
  readonly #consumers: Consumer[] = []
  readonly #queue: Queued[] = []
  /** Of the queue: taken already. */
  #taken = 0
  readonly #failed = Promise.withResolvers<never>()
  #wake = Promise.withResolvers<void>()
  #stream: StreamState
  /** Of messages that are not stored yet. */
  #unstored = 0
  #lastAt: number | null
  #isEnded = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#unopened = subjectsOf(ports.target)
    this.#stream = ports.stream
    this.#lastAt = ports.stream.firstAt
    this.#failed.promise.catch(() => undefined)
  }

  /** Never resolves. Throws `RelayFailure` or `RecordError`, when the writer has responded to everything. */
  async run(): Promise<never> {
    const { connection } = this.#ports
    void connection.closed().then((error) => this.#fail(error ?? gone()))
    const timer = setInterval(() => void this.#tick(), tickMs)
    try {
      return await Promise.race([this.#failed.promise, this.#consume()])
    } finally {
      this.#isEnded = true
      clearInterval(timer)
      for (const consumer of this.#consumers) consumer.close()
      this.#wake.resolve()
      await this.#ports.positions.settled()
    }
  }

  end(): void {
    this.#fail(gone())
  }

  #fail(error: unknown): void {
    this.#failed.reject(error)
  }

  async #openMore(): Promise<void> {
    if (this.#unopened.length === 0) return
    for (;;) {
      const backlogs = this.#channels.filter(({ isBacklog }) => isBacklog)
      const subject = backlogs.length < backlogsAtOnce ? this.#unopened.shift() : undefined
      if (subject === undefined) break
      await this.#open(subject)
    }
    this.#report()
  }

  async #open(subject: string): Promise<void> {
    const { connection, target, positions } = this.#ports
    const end = this.#stream.lastSeq
    const channel: Channel = { subject, isBacklog: true, pending: 0, end, due: null }
    const from = positions.of(subject) + 1
    const consumer = await openConsumer(
      connection,
      target,
      { subject, from },
      {
        item: (item) => {
          if (item.kind === 'message') {
            channel.pending = item.pending
            this.#unstored += 1
          }
          const idle = item.kind === 'idle'
          this.#queue.push({ channel, item, end: idle ? channel.due : null })
          if (idle) [channel.due, channel.end] = [channel.end, null]
          this.#wake.resolve()
        },
        failed: (error) => this.#fail(error),
      },
    )
    this.#consumers.push(consumer)
    this.#channels.push(channel)
    channel.isBacklog = consumer.pending !== 0
    channel.pending = consumer.pending ?? channel.pending
  }

  async #tick(): Promise<void> {
    try {
      const stream = await readStream(this.#ports.connection, this.#ports.target)
      this.#stream = stream
      for (const channel of this.#channels) channel.end ??= stream.lastSeq
      this.#report()
    } catch (error) {
      this.#fail(error)
    }
  }

  async #consume(): Promise<never> {
    for (;;) {
      await this.#openMore()
      // During a long backlog it is never empty.
      this.#queue.splice(0, this.#taken)
      this.#taken = 0
      if (this.#queue.length === 0) {
        this.#wake = Promise.withResolvers()
        await this.#wake.promise
      }
      if (this.#isEnded) return this.#failed.promise
      await this.#ports.writing.room()
      await this.#takeGroup()
    }
  }

  /** What one transaction stores: messages of the same kind. */
  async #takeGroup(): Promise<void> {
    const found: InboundDelivery[] = []
    const advances = new Map<string, Advance>()
    const resume: (() => void)[] = []
    let [bytes, messages] = [0, 0]
    let isBacklog: boolean | null = null
    let failure: unknown = null
    let removed: Removed | null = null
    while (found.length < groupDeliveries && bytes < groupBytes) {
      const next = this.#queue[this.#taken]
      if (!next) break
      const { channel, item, end } = next
      if (item.kind === 'message') isBacklog ??= channel.isBacklog
      if (item.kind === 'message' && channel.isBacklog !== isBacklog) break
      this.#taken += 1
      if (item.kind === 'flow') resume.push(item.resume)
      else if (item.kind === 'idle') {
        removed = merged(removed, this.#endReached(channel, end, advances))
      } else {
        let deliveries: InboundDelivery[]
        try {
          deliveries = await this.#ports.inspector.read(item, (part) => this.#part(part))
        } catch (error) {
          failure = error instanceof RelayFailure ? error : unreadable(error, item.position)
          break
        }
        found.push(...deliveries)
        messages += 1
        bytes += item.message.data.byteLength + sizeOf(deliveries)
        this.#lastAt = item.atMs
        removed = merged(removed, this.#removedBefore(channel, advances, item.position, item.atMs))
        this.#advance(advances, channel.subject, item.position, item.atMs)
        if (item.pending === 0) channel.isBacklog = false
      }
    }
    this.#post(found, { positions: [...advances.values()], removed }, isBacklog ?? false, () => {
      this.#unstored -= messages
      for (const each of resume) each()
      this.#report()
    })
    if (failure !== null) this.#fail(failure)
  }

  #post(
    found: readonly InboundDelivery[],
    { positions, removed }: Pick<RelayedGroup, 'positions' | 'removed'>,
    isBacklog: boolean,
    stored: () => void,
  ): void {
    if (this.#isEnded) return
    if (positions.length === 0) return stored()
    const { target, writing, isForwarding } = this.#ports
    const reply = writing.post({
      relayId: target.id,
      streamCreated: this.#ports.stream.created,
      removed,
      positions,
      isBacklog,
      forwarded: !isBacklog && isForwarding(),
      deliveries: found.map(({ delivery }) => delivery),
      bodies: packed(found.map(({ body }) => body)),
    })
    this.#ports.positions.posted(positions, reply).then(stored, (error: unknown) => {
      this.#fail(error)
    })
  }

  #advance(
    advances: Map<string, Advance>,
    subject: string,
    position: number,
    atMs: number | null,
  ): void {
    const { positions } = this.#ports
    const after = advances.get(subject)?.after ?? positions.of(subject)
    advances.set(subject, { subject, position, atMs, after })
  }

  /** So that the removal of messages of other endpoints is not taken for one of unread ones. */
  #endReached(
    channel: Channel,
    end: number | null,
    advances: Map<string, Advance>,
  ): Removed | null {
    const { subject } = channel
    channel.isBacklog = false
    if (end === null || end <= this.#reached(subject, advances)) return null
    const removed = this.#removedBefore(channel, advances, end + 1, null)
    this.#advance(advances, subject, end, null)
    return removed
  }

  /** What the relay deleted during this session between the last position and this one. */
  #removedBefore(
    { subject }: Channel,
    advances: Map<string, Advance>,
    position: number,
    to: number | null,
  ): Removed | null {
    const reached = this.#reached(subject, advances)
    // Between messages of one endpoint are those of others. The start of the stream is known with a delay of one tick.
    const next = subject.endsWith('*') ? position : Math.min(position, this.#stream.firstSeq)
    if (reached === 0 || next <= reached + 1) return null
    return { messages: next - reached - 1, from: this.#ports.positions.atOf(subject), to }
  }

  #reached(subject: string, advances: ReadonlyMap<string, Advance>): number {
    return advances.get(subject)?.position ?? this.#ports.positions.of(subject)
  }

  async #part(subject: string): Promise<Uint8Array> {
    const { connection, target } = this.#ports
    const subjectOfGet = `$JS.API.DIRECT.GET.${streams.bodies}.${subject}`
    const { data, headers } = await request(connection, target, subjectOfGet)
    if (headers?.code) throw new RecordError('A part of the body of a large delivery is missing.')
    return data
  }

  #report(): void {
    const pending = this.#channels.reduce((sum, channel) => sum + channel.pending, 0)
    const behind = pending + this.#unstored
    const { maxAgeMs } = this.#stream
    const isBacklog = this.#unopened.length > 0 || behind > 0
    const behindSince = isBacklog ? this.#lastAt : null
    this.#ports.lag({
      behind: this.#unopened.length > 0 ? null : behind,
      behindSince,
      expiresAt: behindSince === null || maxAgeMs === null ? null : behindSince + maxAgeMs,
      isBacklog: isBacklog && this.#channels.some((channel) => channel.isBacklog),
    })
  }
}

/** The range is the same for each endpoint. */
function merged(before: Removed | null, now: Removed | null): Removed | null {
  if (before === null || now === null) return before ?? now
  return { ...before, messages: Math.max(before.messages, now.messages), to: now.to }
}

function sizeOf(deliveries: readonly InboundDelivery[]): number {
  return deliveries.reduce((sum, { body }) => sum + body.byteLength, 0)
}

function packed(bodies: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(bodies.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.byteLength
  }
  return bytes
}

function gone(): RelayFailure {
  return new RelayFailure('offline', 'The connection to the relay was lost.')
}

function unreadable(error: unknown, position: number): RelayFailure {
  const what = error instanceof RecordError ? error.message : 'A record is damaged.'
  return new RelayFailure(
    'refused',
    `Message ${position} of the relay cannot be read: ${what} Nothing after it is read, so that nothing is passed over.`,
    error,
  )
}
