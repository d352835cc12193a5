import { createHash, randomUUID } from 'node:crypto'
import { heldBytes, type ReceivedRequest } from '../../listener/received-request.ts'
import type { HeldMemory } from '../../listener/request-reader.ts'
import { explanationOf, sendStatus } from '../../listener/send-response.ts'
import {
  deliverySubject,
  encodeRecord,
  maxMessageBytes,
  noEndpoint,
  partSubject,
  recordFormat,
  type RecordHead,
} from '../format.ts'
import { NotStored, type Message } from './link.ts'

export interface OutboxEndpoint {
  readonly slug: string
  /** Of the response to every complete delivery. */
  readonly status: number
}

export interface OutboxOptions {
  readonly receiver: string
  /** Null: none has the path. */
  readonly endpointOf: (received: ReceivedRequest) => OutboxEndpoint | null
  readonly held: HeldMemory
  /** See `RelayLink.publish`. */
  readonly publish: (message: Message, deadline: number) => Promise<void>
  /** A sentence when a delivery was not stored; null when one was. */
  readonly failing: (reason: string | null) => void
}

interface Pending {
  readonly received: ReceivedRequest
  readonly id: string
  /** Null: the endpoint's default. */
  readonly status: number | null
  readonly explanation: string | undefined
  readonly record: Uint8Array
  /** On the monotonic clock. */
  readonly since: number
  readonly deadline: number
}

interface Lane {
  readonly slug: string
  queue: Pending[]
  /** The number of requests in each message that is not acknowledged yet. */
  readonly inFlight: number[]
  scheduled: boolean
}

const patienceMs = 5000
/** When the receiver stops. */
const shortPatienceMs = 1000
const maxInFlight = 2
const partsInFlight = 4
const retryAfterSeconds = '5'

/**
 * Sends requests to the relay, and responds to each when the stream has acknowledged it. All requests of an endpoint that wait become one message, since
 * the server syncs its disk for each message.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #lanes = new Map<string, Lane>()
  #patienceMs = patienceMs
  #idle: (() => void)[] = []
  accepted = 0
  refused = 0
  /** Of accepted bodies. */
  bytes = 0
  /** Requests without a response. */
  waiting = 0
  #longestWaitMs = 0

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Since the last call. */
  takeLongestWaitMs(): number {
    const longest = this.#longestWaitMs
    this.#longestWaitMs = 0
    return longest
  }

  add(received: ReceivedRequest): void {
    if (received.status === 503) {
      // Too much memory is held already, and the sender has to try again anyway.
      this.#refuse(received)
      return
    }
    this.waiting += 1
    this.#options.held.addWaiting(costOf(received))
    const endpoint = this.#options.endpointOf(received)
    const isDefault = endpoint !== null && received.status === 200
    const status = isDefault ? endpoint.status : received.status
    const id = uuidV7(received.receivedUs)
    const lane = this.#laneOf(endpoint?.slug ?? noEndpoint)
    const head = recordHead(received, id, status)
    const record = recordOf(head, received.body)
    // Of an endpoint's status there is nothing to explain.
    const explanation = isDefault ? '' : explanationOf(received)
    const since = performance.now()
    const pending = { received, id, status, explanation, since }
    if (record) {
      this.#enqueue(lane, { ...pending, record, deadline: since + this.#patienceMs })
    } else {
      void this.#sendParts(lane, head, pending)
    }
  }

  /** The receiver stops: from now on, requests wait for a shorter time. */
  hurry(): void {
    this.#patienceMs = shortPatienceMs
  }

  /** Resolves when no request waits. */
  async drained(): Promise<void> {
    if (this.waiting > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #laneOf(slug: string): Lane {
    const known = this.#lanes.get(slug)
    if (known) return known
    const lane: Lane = { slug, queue: [], inFlight: [], scheduled: false }
    this.#lanes.set(slug, lane)
    return lane
  }

  #enqueue(lane: Lane, pending: Pending): void {
    lane.queue.push(pending)
    this.#schedule(lane)
  }

  /** After all sockets that are readable now were read. */
  #schedule(lane: Lane): void {
    if (lane.scheduled) return
    lane.scheduled = true
    setImmediate(() => {
      lane.scheduled = false
      this.#sendNext(lane)
    })
  }

  #sendNext(lane: Lane): void {
    const [sent] = lane.inFlight
    // A second message is worth its sync only once it is as large as the first.
    const isDue = sent === undefined || lane.queue.length >= sent
    if (lane.queue.length === 0 || !isDue || lane.inFlight.length >= maxInFlight) return
    const group = takeGroup(lane)
    lane.inFlight.push(group.length)
    void this.#send(lane, group)
    if (lane.queue.length > 0) this.#schedule(lane)
  }

  async #send(lane: Lane, group: readonly Pending[]): Promise<void> {
    const [first] = group
    if (!first) return
    const message: Message = {
      subject: deliverySubject(lane.slug, this.#options.receiver),
      payload: group.length === 1 ? first.record : Buffer.concat(group.map(({ record }) => record)),
      id: first.id,
      records: group.length,
    }
    const failed = await this.#published(message, first.deadline)
    lane.inFlight.splice(lane.inFlight.indexOf(group.length), 1)
    // Before the responses, so that the relay does not wait for them.
    this.#sendNext(lane)
    for (const pending of group) {
      this.#release(pending)
      if (failed) this.#refuse(pending.received)
      else this.#accept(pending)
    }
    this.#options.failing(failed)
    this.#reportIdle()
  }

  async #published(message: Message, deadline: number): Promise<string | null> {
    try {
      await this.#options.publish(message, deadline)
      return null
    } catch (error) {
      if (error instanceof NotStored) return error.message
      throw error
    }
  }

  /** A body that does not fit into a message. If it is not sent completely, nobody looks for its parts, since there is no record. */
  async #sendParts(
    lane: Lane,
    head: RecordHead,
    pending: Omit<Pending, 'record' | 'deadline'>,
  ): Promise<void> {
    const { body } = pending.received
    const count = Math.ceil(body.byteLength / maxMessageBytes)
    const part = (index: number): Promise<string | null> =>
      this.#published(
        {
          subject: partSubject(lane.slug, this.#options.receiver, head.id, index),
          payload: body.subarray(index * maxMessageBytes, (index + 1) * maxMessageBytes),
          id: `${head.id}.${index}`,
          records: 0,
        },
        performance.now() + this.#patienceMs,
      )
    for (let from = 0; from < count; from += partsInFlight) {
      const some = Array.from({ length: Math.min(partsInFlight, count - from) }, (_, n) => from + n)
      const failed = (await Promise.all(some.map(part))).find((reason) => reason !== null)
      if (failed === undefined) continue
      this.#release(pending)
      this.#refuse(pending.received)
      this.#options.failing(failed)
      this.#reportIdle()
      return
    }
    const sha256 = createHash('sha256').update(body).digest('hex')
    const parts = { count, bytes: body.byteLength, sha256 }
    this.#enqueue(lane, {
      ...pending,
      record: encodeRecord({ ...head, bodyBytes: 0, parts }, new Uint8Array()),
      deadline: performance.now() + this.#patienceMs,
    })
  }

  #release({ received, since }: Pick<Pending, 'received' | 'since'>): void {
    this.waiting -= 1
    this.#options.held.addWaiting(-costOf(received))
    this.#longestWaitMs = Math.max(this.#longestWaitMs, performance.now() - since)
  }

  #accept({ received, status, explanation }: Pending): void {
    this.accepted += 1
    this.bytes += received.body.byteLength
    sendStatus(received.channel, status, explanation)
  }

  #refuse({ channel, status }: ReceivedRequest): void {
    this.refused += 1
    if (channel.kind === 'response' && !channel.response.headersSent) {
      channel.response.setHeader('Retry-After', retryAfterSeconds)
    }
    sendStatus(channel, status === null ? null : 503)
  }

  #reportIdle(): void {
    if (this.waiting > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

/**
 * A UUIDv7 of a time in microseconds since the epoch (RFC 9562, section 5.7). The fraction of a millisecond is in `rand_a` (section 6.2, method 3), so that
 * IDs of one receiver sort as its requests began.
 */
export function uuidV7(us: number): string {
  const ms = Math.floor(us / 1000)
    .toString(16)
    .padStart(12, '0')
  const fraction = Math.floor(((us % 1000) * 4096) / 1000)
    .toString(16)
    .padStart(3, '0')
  // The end of a UUIDv4: the variant and 62 random bits.
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${fraction}-${randomUUID().slice(19)}`
}

function recordHead(received: ReceivedRequest, id: string, status: number | null): RecordHead {
  return {
    format: recordFormat,
    id,
    receivedUs: received.receivedUs,
    method: received.method,
    path: received.path,
    httpVersion: received.httpVersion,
    rawHeaders: received.rawHeaders,
    rawTrailers: received.rawTrailers,
    remoteAddress: received.remoteAddress,
    arrival: received.arrival,
    reason: received.reason,
    bytes: received.bytes,
    status,
    nearPath: received.nearPath ?? null,
    protocol: received.protocol ?? null,
    bodyBytes: received.body.byteLength,
    parts: null,
  }
}

function costOf({ rawHeaders, bodyBytes }: ReceivedRequest): number {
  return heldBytes(rawHeaders, bodyBytes)
}

/** Null: it does not fit into a message. */
function recordOf(head: RecordHead, body: Uint8Array): Uint8Array | null {
  if (body.byteLength >= maxMessageBytes) return null
  const record = encodeRecord(head, body)
  return record.byteLength <= maxMessageBytes ? record : null
}

function takeGroup(lane: Lane): Pending[] {
  let bytes = 0
  let count = 0
  for (const { record, received } of lane.queue) {
    bytes += record.byteLength
    // Its body is in parts, so a reader accepts it only alone.
    const isAlone = record.byteLength < received.body.byteLength
    if (count > 0 && (isAlone || bytes > maxMessageBytes)) break
    count += 1
    if (isAlone) break
  }
  return lane.queue.splice(0, count)
}
