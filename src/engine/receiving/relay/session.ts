import { setTimeout as pause } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import { createSlots } from '#shared/async/mutex.ts'
import { plural } from '#shared/text/format.ts'
import { failureOf, openConnection, RelayFailure, type Client } from './connection.ts'
import { Slug } from './files.ts'
import {
  bodiesStream,
  deliverySubject,
  desktopApi,
  directGet,
  hintSubject,
  noEndpoint,
  RecordError,
  slugOf,
  streamOf,
} from './format.ts'
import type { InboundDelivery, Inspector, StoredMessage } from './inbound.ts'
import type { RelayAccess, RelayedReply, RelayStatus, RelayTarget } from './messages.ts'
import type { Position, RelayedGroup } from '../../deliveries/groups.ts'
import { oldestServer, versionProblem } from './server-checks.ts'

const groupDeliveries = 500
const groupBytes = 2 * 1024 * 1024
const backlogsAtOnce = 8
/** Messages that are requested or wait for those before them, of up to 512 KiB. */
const messagesAhead = 16
const statesAtOnce = 8
const maxStreams = 10_000
const tickMs = 3000
const unknownAfterMs = 2000
/** Groups at the writer, so that captured deliveries have their turn between them. */
const groupsAtOnce = 3
const requestMs = 5000
const clockMs = 60_000
/** A replica may be behind the one that knows the state of the stream. */
const lateTries = 10
const lateMs = 200

export function clientOf({ user }: Pick<RelayAccess, 'user'>): Client {
  return {
    name: 'tabscope',
    who: user,
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

const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
const Count = z.int().nonnegative()
const StreamInfo = z.object({
  created: Time,
  ts: Time.optional(),
  config: z.object({
    name: z.string(),
    subjects: z.array(z.string()),
    // Nanoseconds, of a year more than an integer has digits for.
    max_age: z
      .number()
      .min(0)
      .max(2 ** 63),
  }),
  state: z.object({
    messages: Count,
    first_seq: Count,
    last_seq: Count,
    first_ts: Time,
    last_ts: Time,
    num_deleted: Count.default(0),
  }),
})
type StreamInfo = z.infer<typeof StreamInfo>

const Names = z.object({ total: Count, streams: z.array(z.string()).nullable() })
const Failed = z.object({ error: z.object({ code: z.number(), description: z.string().max(300) }) })

/** Of the streams of the endpoints by slug, also those that were added after an invitation for all. Throws `RelayFailure`. */
export async function readStreams(
  connection: NatsConnection,
  access: RelayAccess,
): Promise<Map<string, StreamInfo>> {
  const slots = createSlots(statesAtOnce)
  const isAll = access.endpoints.includes('*')
  const slugs = isAll ? [] : [...access.endpoints]
  const found = new Map<string, StreamInfo>()
  // The client of JetStream reads on for as long as the server says that there is more.
  const ask = async <T>(request: string, input: string, answer: z.ZodType<T>): Promise<T> => {
    const subject = `${desktopApi}.STREAM.${request}`
    const json = (await connection.request(subject, input, { timeout: requestMs })).json<unknown>()
    const { data: failed } = Failed.safeParse(json)
    // Other than a missing stream, such as a cluster without a leader, it may be over soon.
    if (failed)
      throw noStream(failed.error.description, failed.error.code === 404 ? 'refused' : 'offline')
    const { success, data } = answer.safeParse(json)
    if (success) return data
    throw noStream(`its answer to ${subject} cannot be read`, 'refused')
  }
  try {
    for (let offset = 0, total = isAll ? 1 : 0; offset < total;) {
      const page = await ask('NAMES', JSON.stringify({ offset }), Names)
      const names = page.streams ?? []
      offset += names.length
      if (offset > maxStreams) throw noStream('too many', 'refused')
      total = names.length === 0 ? 0 : page.total
      for (const slug of names.map(slugOf))
        if (slug === noEndpoint || Slug.safeParse(slug).success) slugs.push(slug ?? '')
    }
    const read = async (slug: string): Promise<void> =>
      void found.set(slug, await ask(`INFO.${streamOf(slug)}`, '', StreamInfo))
    await Promise.all(slugs.map((slug) => slots(() => read(slug))))
  } catch (error) {
    throw failureOf(error, access, clientOf(access))
  }
  if (slugs.length === 0) throw noStream('none of an endpoint', 'refused')
  for (const [slug, { config }] of found) {
    if (config.subjects.includes(deliverySubject(slug, '*'))) continue
    throw new RelayFailure(
      'refused',
      `The stream ${config.name} of the server belongs to another application. Ask the administrator of the relay for another server or account.`,
    )
  }
  return found
}

function noStream(why: string, state: RelayFailure['state']): RelayFailure {
  return new RelayFailure(
    state,
    `The server has no stream of a relay for this key (${why}). Ask its administrator to run "tabscope relay check".`,
  )
}

/** A sentence; null: the clocks agree. */
export function clockWarning({ ts }: Pick<StreamInfo, 'ts'>): string | null {
  const off = ts === undefined ? 0 : Math.abs(Date.parse(ts) - Date.now())
  return off > clockMs
    ? `The clocks of the relay and this computer differ by ${Math.round(off / 60_000)} minutes, so times and ages are wrong. Set the clock that is off.`
    : null
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
  /** By slug, of what is stored. They are kept up to date. */
  readonly positions: Map<string, Omit<Position, 'slug'>>
  readonly inspector: Inspector
  readonly writing: Writing
  readonly isForwarding: () => boolean
  readonly lag: (lag: Lag) => void
}

/** Messages of an endpoint on their way to the writer. */
interface Group {
  readonly after: number
  position: number
  bytes: number
  skipped: number
  /** A sentence of the last one. */
  why: string | null
  readonly found: InboundDelivery[]
}

/** It takes one of `messagesAhead` until it is released. */
interface Requested {
  readonly seq: number
  readonly message: Promise<StoredMessage | null>
  readonly release: () => void
  isHere: boolean
}

interface Feed {
  readonly slug: string
  info: StreamInfo
  /** The newest message that is known. */
  last: number
  /** When the oldest message was received that is not stored. */
  oldestAt: number
  /** Continues when there is more to read. */
  wake: () => void
}

/** Reads from the stored positions on, until the connection or the writer fails. A message that cannot be read is skipped. */
export class Session {
  readonly #ports: SessionPorts
  /** By slug. */
  readonly #feeds = new Map<string, Feed>()
  readonly #backlogs = createSlots(backlogsAtOnce)
  readonly #ahead = createSlots(messagesAhead)
  readonly #inbox = createInbox()
  /** By their reply subjects. */
  readonly #requests = new Map<string, PromiseWithResolvers<Msg>>()
  #requested = 0
  #deleted = 0
  #skipped: string | null = null
  /** Why it is not known what waits, as a sentence. */
  #unknown: string | null = null
  readonly #storing = new Set<Promise<void>>()
  readonly #over = Promise.withResolvers<void>()
  #isEnded = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#over.promise.catch(() => undefined)
  }

  /** Resolves if a stream was created anew. Throws `RelayFailure`. Both when the writer has responded to everything. */
  async run(): Promise<void> {
    const { connection, target } = this.#ports
    void connection.closed().then((error) => this.#fail(error ?? gone()))
    this.#subscribe(`${this.#inbox}.*`, (message) =>
      this.#requests.get(message.subject)?.resolve(message),
    )
    for (const slug of target.endpoints.includes('*') ? ['*'] : target.endpoints)
      this.#subscribe(hintSubject(slug), (message) => this.#hint(message))
    const refresh = (): void => void this.#refresh().catch((error) => this.#fail(error))
    refresh()
    const timer = setInterval(refresh, tickMs)
    try {
      await this.#over.promise
    } finally {
      this.#isEnded = true
      clearInterval(timer)
      for (const { reject } of this.#requests.values()) reject(gone())
      await Promise.allSettled(this.#storing)
    }
  }

  end(): void {
    this.#fail(gone())
  }

  #fail(error: unknown): void {
    this.#over.reject(error)
  }

  #subscribe(subject: string, received: (message: Msg) => void): void {
    this.#ports.connection.subscribe(subject, {
      callback: (error, message) => (error ? this.#fail(error) : received(message)),
    })
  }

  #hint(message: Msg): void {
    const feed = this.#feeds.get(message.subject.split('.')[1] ?? '')
    const seq = Number(headersOf(message)?.last('Nats-Sequence'))
    if (feed && Number.isSafeInteger(seq)) this.#advance(feed, seq)
  }

  async #refresh(): Promise<void> {
    const { connection, target, positions } = this.#ports
    const before = new Map(positions)
    const timer = setTimeout(() => {
      if (this.#feeds.size > 0 && !this.#isEnded) this.#report(noAnswer)
    }, unknownAfterMs)
    const streams = await readStreams(connection, target).finally(() => clearTimeout(timer))
    for (const [slug, info] of streams) {
      const stored = before.get(slug)
      const { last_seq: last } = info.state
      if (stored && (stored.created !== info.created || last < stored.position)) {
        return this.#over.resolve()
      }
      const feed = this.#feeds.get(slug)
      if (feed) {
        feed.info = info
        this.#advance(feed, last)
      } else this.#open(slug, info)
    }
    const missing = [...this.#feeds.keys()].find((slug) => !streams.has(slug))
    this.#report(missing === undefined ? null : goneText(missing))
  }

  #advance(feed: Feed, last: number): void {
    if (last <= feed.last) return
    if (this.#behind(feed) === 0) feed.oldestAt = Date.now()
    feed.last = last
    feed.wake()
  }

  #open(slug: string, info: StreamInfo): void {
    const { last_seq: last, first_ts: first } = info.state
    const feed: Feed = { slug, info, last, oldestAt: Date.parse(first), wake: () => undefined }
    this.#feeds.set(slug, feed)
    const follow = async (): Promise<void> => {
      const caughtUp = Promise.withResolvers<void>()
      this.#read(feed, caughtUp.resolve).catch((error: unknown) => this.#fail(error))
      await Promise.race([caughtUp.promise, this.#over.promise])
    }
    const following = this.#behind(feed) === 0 ? follow() : this.#backlogs(follow)
    following.catch(() => undefined)
  }

  #position({ slug }: Feed): number {
    return this.#ports.positions.get(slug)?.position ?? 0
  }

  #behind(feed: Feed): number {
    return Math.max(0, feed.last - Math.max(this.#position(feed), feed.info.state.first_seq - 1))
  }

  async #read(feed: Feed, caughtUp: () => void): Promise<void> {
    // What waited is never forwarded.
    let isBacklog = this.#behind(feed) > 0
    let group = emptyGroup(this.#position(feed))
    let next = group.position + 1
    const ahead: Requested[] = []
    while (!this.#isEnded) {
      const { first_seq: from } = feed.info.state
      if (ahead.length === 0 && from > next) {
        if (next > 1) this.#deleted += from - next
        next = from
        group.position = from - 1
      }
      while (ahead.length < messagesAhead && next <= feed.last) {
        ahead.push(this.#request(feed, next))
        next += 1
      }
      const first = ahead.shift()
      if (first) await this.#take(feed, group, first)
      const isCaughtUp = ahead.length === 0 && next > feed.last
      const isFull = group.found.length >= groupDeliveries || group.bytes >= groupBytes
      if (isCaughtUp || isFull || ahead[0]?.isHere === false) {
        await this.#post(feed, group, !isBacklog && this.#ports.isForwarding())
        group = emptyGroup(group.position)
      }
      if (isCaughtUp && next > feed.last) {
        isBacklog = false
        caughtUp()
        await new Promise<void>((resolve) => (feed.wake = resolve))
      }
    }
  }

  #request(feed: Feed, seq: number): Requested {
    const handled = Promise.withResolvers<void>()
    const message = Promise.withResolvers<StoredMessage | null>()
    const requested = { seq, message: message.promise, release: handled.resolve, isHere: false }
    void this.#ahead(async () => {
      await this.#fetch(feed, seq).then(message.resolve, message.reject)
      requested.isHere = true
      await handled.promise
    })
    message.promise.catch(() => undefined)
    return requested
  }

  /** Null: the relay deleted it. */
  async #fetch(feed: Feed, seq: number): Promise<StoredMessage | null> {
    const { connection, target } = this.#ports
    for (let tries = 1; tries <= lateTries; tries += 1) {
      const message = await this.#get(streamOf(feed.slug), JSON.stringify({ seq }))
      if (message) return message
      const infos = await readStreams(connection, { ...target, endpoints: [feed.slug] })
      const info = infos.get(feed.slug)
      if (info?.created !== feed.info.created) break
      feed.info = info
      const { first_seq: first, num_deleted: holes } = info.state
      if (seq < first || (holes > 0 && tries === lateTries)) return null
      await pause(lateMs)
    }
    throw gone()
  }

  async #part(subject: string): Promise<Uint8Array> {
    for (let tries = 1; tries <= lateTries; tries += 1) {
      const part = await this.#get(`${bodiesStream}.${subject}`)
      if (part) return part.data
      await pause(lateMs)
    }
    throw new RecordError('A part of the body of a large delivery is missing.')
  }

  /** Null: it is not there (yet). Requests of the client would take a stored message with the status of an error for an error of the server. */
  async #get(stream: string, query = ''): Promise<StoredMessage | null> {
    const reply = `${this.#inbox}.${(this.#requested += 1)}`
    const response = Promise.withResolvers<Msg>()
    this.#requests.set(reply, response)
    const timer = setTimeout(() => response.reject(gone()), requestMs)
    try {
      this.#ports.connection.publish(directGet(stream), query, { reply })
      return storedOf(await response.promise)
    } finally {
      clearTimeout(timer)
      this.#requests.delete(reply)
    }
  }

  async #take(feed: Feed, group: Group, { seq, message, release }: Requested): Promise<void> {
    try {
      const stored = await message
      if (stored === null) this.#deleted += 1
      else {
        feed.oldestAt = stored.at
        const part = (subject: string): Promise<Uint8Array> => this.#part(subject)
        const found = await this.#ports.inspector.read(stored, feed.slug, seq, part)
        group.found.push(...found)
        group.bytes += stored.data.byteLength + sizeOf(found)
      }
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      group.skipped += 1
      group.why = skippedText(feed, seq, error.message)
    } finally {
      release()
    }
    group.position = seq
  }

  /** Resolves when it is on its way to the writer, and another one may be read. */
  async #post(feed: Feed, group: Group, forwarded: boolean): Promise<void> {
    const { after, position, skipped, found } = group
    if (position === after) return
    const { target, writing } = this.#ports
    const posted = Promise.withResolvers<void>()
    const given: RelayedGroup = {
      relayId: target.id,
      slug: feed.slug,
      created: feed.info.created,
      after,
      position,
      forwarded,
      skipped,
      deliveries: found.map(({ delivery }) => delivery),
      bodies: packed(found),
    }
    const storing = this.#stored(feed, group, writing.store(given, posted.resolve))
    this.#storing.add(storing)
    void storing.finally(() => this.#storing.delete(storing))
    await posted.promise
  }

  async #stored(
    feed: Feed,
    { position, why }: Group,
    storing: Promise<RelayedReply['refused']>,
  ): Promise<void> {
    try {
      const refused = (await storing).at(-1)
      this.#skipped =
        refused === undefined
          ? (why ?? this.#skipped)
          : skippedText(feed, refused, 'It has a value that cannot be stored.')
      this.#ports.positions.set(feed.slug, { created: feed.info.created, position })
      this.#report()
    } catch (error) {
      this.#fail(error)
    }
  }

  #report(unknown = this.#unknown): void {
    this.#unknown = unknown
    const feeds = [...this.#feeds.values()]
    const late = feeds.filter((feed) => this.#behind(feed) > 0)
    const behindSince = late.length > 0 ? Math.min(...late.map(({ oldestAt }) => oldestAt)) : null
    const received = feeds
      .filter(({ last, info: { state } }) => state.messages > 0 || last > state.last_seq)
      .map(({ oldestAt, info: { state } }) => Math.max(oldestAt, Date.parse(state.last_ts)))
    const behind = late.reduce((sum, feed) => sum + this.#behind(feed), 0)
    const [newest] = feeds
    const maxAge = newest?.info.config.max_age ?? 0
    const deleted = this.#deleted > 0 ? deletedText(this.#deleted) : null
    this.#ports.lag({
      reason: unknown ?? this.#skipped ?? deleted ?? (newest ? clockWarning(newest.info) : null),
      behind: unknown !== null && late.length === 0 ? null : behind,
      behindSince,
      expiresAt: behindSince === null || maxAge === 0 ? null : behindSince + maxAge / 1e6,
      lastReceivedAt: received.length > 0 ? Math.max(...received) : null,
    })
  }
}

/** Null: the server has no such message. Throws `RecordError` for one with a damaged head. */
function storedOf(message: Msg): StoredMessage | null {
  const headers = headersOf(message)
  if (headers === null) throw new RecordError('The head of the message is damaged.')
  // The server adds its fields after those of the sender, who may have sent the same ones. It has a subject in other answers, too, but a time only of a message.
  const at = Date.parse(headers?.last('Nats-Time-Stamp') ?? '')
  if (headers && at > 0) {
    return { subject: headers.last('Nats-Subject'), at, headers, data: message.data }
  }
  if (headers?.code === 404) return null
  throw new RelayFailure('offline', 'The relay does not return messages. Check its server.')
}

/** Null: they cannot be read. */
function headersOf(message: Msg): Msg['headers'] | null {
  try {
    return message.headers
  } catch {
    return null
  }
}

function emptyGroup(after: number): Group {
  return { after, position: after, bytes: 0, skipped: 0, why: null, found: [] }
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

const noAnswer = 'The relay does not answer, so it is not known what waits there.'

function goneText(slug: string): string {
  return `The relay has no stream for ${slug} any more, so it keeps none of its deliveries. Ask its administrator.`
}

function deletedText(messages: number): string {
  return `The relay deleted ${plural(messages, 'message', 'messages')} before they were read here. Ask its administrator to keep them for longer.`
}

function gone(): RelayFailure {
  return new RelayFailure('offline', 'The connection to the relay was lost.')
}

function skippedText({ slug }: Feed, position: number, why: string): string {
  return `Message ${position} of ${slug} was skipped: ${why}`
}
