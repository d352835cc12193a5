import { setTimeout as pause } from 'node:timers/promises'
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream'
import { headers, NoRespondersError, type NatsConnection } from '@nats-io/transport-node'
import { backoff } from '#shared/async/retry.ts'
import {
  causesOf,
  failureOf,
  openConnection,
  RelayFailure,
  type Access,
  type Client,
} from '../connection.ts'
import {
  bodiesStream,
  deliverySubject,
  messageHeaders,
  partSubject,
  recordFormat,
  streamOf,
} from '../format.ts'
import { payloadProblem, syncProblem, versionProblem } from '../server-checks.ts'

export interface LinkOptions extends Access {
  readonly receiver: string
  /** With that of requests without an endpoint. */
  readonly slugs: readonly string[]
  /** `http://127.0.0.1:8222`. Null: the server is not asked when it syncs. */
  readonly monitor: string | null
  /** Also servers that may lose what they acknowledged. */
  readonly allowUnsynced: boolean
  /** A sentence when the relay cannot be used; null when it can (again). */
  readonly changed: (reason: string | null) => void
  readonly warn: (sentence: string) => void
}

export interface Message {
  readonly subject: string
  readonly payload: Uint8Array
  /** `Nats-Msg-Id`: the server ignores a second message with it. */
  readonly id: string
  /** 0: a part of a body. */
  readonly records: number
}

/** The message is not in the stream, or that is unknown. Its text is a sentence. */
export class NotStored extends Error {
  override readonly name = 'NotStored'
}

const runCheck = 'On the computer of the server, run: tabscope relay check'
const notAsked = `Whether the server syncs each message to its disk is unknown: this receiver has no address to ask. ${runCheck}`
const tooLate = 'The relay does not acknowledge deliveries in time.'
const stopped = 'The receiver stops, and the relay did not acknowledge in time.'
const waits = { shortest: 200, longest: 2000 } as const
const probeMs = 5000
/** While the replicas of a stream elect a leader, or the stream is missing. */
const noStreamMs = 250
/** Of JetStream: the stream is not the one that the message expects. */
const otherStreamCode = 10_060
/** Of JetStream: of the server or the account, and of a stream, for any reason. */
const noResources = new Set([10_023, 10_047])
const full = /maximum (?:bytes|messages)|no space/

interface Connected {
  readonly connection: NatsConnection
  readonly stream: JetStreamClient
}

/** The connection to a relay, which connects again for as long as it is open. */
export class RelayLink {
  readonly #options: LinkOptions
  readonly #client: Client
  #connected: Connected | null = null
  #reason = 'The relay is not connected yet.'
  #waiting = new Set<() => void>()
  #closed = new AbortController()
  #warned = new Set<string>()

  constructor(options: LinkOptions) {
    this.#options = options
    const { receiver } = options
    this.#client = {
      name: `tabscope receive ${receiver}`,
      who: `the receiver ${receiver}`,
      advice: 'Use the receiver file as it was made, or ask for a new one.',
    }
  }

  get connected(): boolean {
    return this.#connected !== null
  }

  /** Resolves after the first try, whether the relay can be reached or not. Throws `RelayFailure` if a later one would not succeed either. */
  async open(): Promise<void> {
    let first: Connected | null = null
    try {
      first = await this.#connect()
    } catch (error) {
      if (error instanceof RelayFailure && error.state === 'refused') throw error
      this.#lost(error)
    }
    void this.#stay(first)
  }

  /**
   * Resolves when the stream has the message on its disk. Waits for a connection, and sends again when one is lost. Throws `NotStored` if the relay refuses it,
   * or does not answer until `deadline` (milliseconds on the monotonic clock).
   */
  async publish({ subject, payload, id, records }: Message, deadline: number): Promise<void> {
    const fields = headers()
    fields.set(messageHeaders.format, String(recordFormat))
    if (records > 0) fields.set(messageHeaders.records, String(records))
    for (;;) {
      const { connection, stream } = this.#connected ?? (await this.#untilConnected(deadline))
      const timeout = deadline - performance.now()
      if (timeout <= 0) throw new NotStored(tooLate)
      try {
        await stream.publish(subject, payload, { msgID: id, headers: fields, timeout })
        return
      } catch (error) {
        if (this.#closed.signal.aborted) throw new NotStored(stopped)
        if (connection.isClosed()) this.#left(connection)
        else if (isNoResponders(error)) {
          if (timeout <= noStreamMs) throw new NotStored(noStream(subject))
          await pause(noStreamMs)
        } else throw new NotStored(this.#publishFailure(error))
      }
    }
  }

  /** What is not acknowledged yet fails now. */
  async close(): Promise<void> {
    this.#closed.abort()
    for (const settle of this.#waiting) settle()
    await this.#connected?.connection.close()
  }

  async #stay(first: Connected | null): Promise<void> {
    const { signal } = this.#closed
    let failures = 0
    for (let next = first; !signal.aborted; next = null) {
      try {
        const opened = next ?? (await this.#connect())
        failures = 0
        this.#begin(opened)
        const error = await opened.connection.closed()
        this.#left(opened.connection)
        this.#lost(error ?? new Error('The connection to the relay was lost.'))
      } catch (error) {
        this.#lost(error)
      }
      await pause(backoff(waits, failures), undefined, { signal }).catch(() => undefined)
      failures += 1
    }
  }

  #begin(opened: Connected): void {
    if (this.#closed.signal.aborted) return void opened.connection.close()
    this.#connected = opened
    for (const settle of this.#waiting) settle()
    this.#options.changed(null)
  }

  #left(connection: NatsConnection): void {
    if (this.#connected?.connection === connection) this.#connected = null
  }

  #lost(error: unknown): void {
    if (this.#closed.signal.aborted) return
    const { message } = failureOf(error, this.#options, this.#client)
    this.#reason = message
    this.#options.changed(message)
  }

  async #connect(): Promise<Connected> {
    const connection = await openConnection(this.#options, this.#client)
    try {
      await this.#check(connection)
      await this.#probe(connection)
      return { connection, stream: jetstream(connection) }
    } catch (error) {
      await connection.close()
      throw failureOf(error, this.#options, this.#client)
    }
  }

  async #check({ info }: NatsConnection): Promise<void> {
    if (!info) return
    const { monitor, allowUnsynced } = this.#options
    const payload = payloadProblem(info)
    if (payload !== null) throw new RelayFailure('refused', payload)
    const version = versionProblem(info)
    if (version !== null) this.#unsafe(version, allowUnsynced)
    if (monitor === null) return this.#warn(notAsked)
    const { problem, unknown } = await syncProblem(monitor)
    if (unknown) this.#warn(`${problem} ${runCheck}`)
    else if (problem !== null) this.#unsafe(problem, allowUnsynced)
  }

  /** Whether messages of all endpoints would be stored: sends some that expect another stream, which the right one refuses. */
  async #probe(connection: NatsConnection): Promise<void> {
    const fields = headers()
    fields.set('Nats-Expected-Stream', 'none')
    const probe = async (subject: string, wanted: string): Promise<void> => {
      const message = await connection
        .request(subject, '', { headers: fields, timeout: probeMs })
        .catch((error: unknown) => {
          throw isNoResponders(error) ? new RelayFailure('offline', noStream(subject)) : error
        })
      const { stream, error } = message.json<{
        readonly stream?: string
        readonly error?: { readonly err_code: number; readonly description: string }
      }>()
      if (stream !== undefined && stream !== wanted) {
        throw new RelayFailure(
          'refused',
          `${subject} belongs to the stream ${stream} of the server instead of ${wanted}. Run: tabscope relay check`,
        )
      }
      if (error?.err_code !== otherStreamCode) {
        throw new RelayFailure('offline', refused(error?.err_code ?? 0, error?.description ?? ''))
      }
    }
    const { slugs, receiver } = this.#options
    // One stream after the other: what is wrong with the first one is said first.
    await Promise.all(slugs.map((slug) => probe(deliverySubject(slug, receiver), streamOf(slug))))
    await Promise.all(
      slugs.map((slug) => probe(partSubject(slug, receiver, 'probe', 0), bodiesStream)),
    )
  }

  #publishFailure(error: unknown): string {
    if (error instanceof JetStreamApiError) return refused(error.code, error.message)
    const failure = failureOf(error, this.#options, this.#client)
    return failure.state === 'refused' ? failure.message : tooLate
  }

  #unsafe(problem: string, allowed: boolean): void {
    if (!allowed) {
      throw new RelayFailure('refused', `${problem} To use it anyway: --allow-unsynced`)
    }
    this.#warn(problem)
  }

  #warn(sentence: string): void {
    if (this.#warned.has(sentence)) return
    this.#warned.add(sentence)
    this.#options.warn(sentence)
  }

  #untilConnected(deadline: number): Promise<Connected> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(settle)
        if (this.#connected) resolve(this.#connected)
        else reject(new NotStored(this.#closed.signal.aborted ? stopped : this.#reason))
      }
      const timer = setTimeout(settle, Math.max(0, deadline - performance.now()))
      this.#waiting.add(settle)
    })
  }
}

function isNoResponders(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof NoRespondersError)
}

function noStream(subject: string): string {
  const [kind, slug = '', receiver] = subject.split('.')
  const stream = kind === 'parts' ? bodiesStream : streamOf(slug)
  return `The relay has no stream ${stream} yet, or the key may not write deliveries of ${slug} as ${receiver}. Run: tabscope relay check`
}

/** `code`: `err_code` of JetStream. */
function refused(code: number, description: string): string {
  return noResources.has(code) || full.test(description)
    ? 'The relay is full. Allow it more space, or keep deliveries for a shorter time.'
    : `The relay did not store a delivery: ${description}.`
}
