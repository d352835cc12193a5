import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  connect,
  headers,
  nkeyAuthenticator,
  PermissionViolationError,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node'
import { messageOf } from '#shared/text/errors.ts'
import { isOnLoopback, tlsOptions } from '../addresses.ts'
import { deliverySubject, messageHeaders, partSubject, recordFormat, streams } from '../format.ts'
import type { ServerInfo } from '../server-checks.ts'
import { connectionFailure, noStream, publishFailure, RelayRefused } from './refusals.ts'

export interface Access {
  /** `tls://relay.example.com:4222`, in the order in which they are tried. */
  readonly servers: readonly string[]
  /** An nkey seed. Null: the server needs none. */
  readonly seed: string | null
  /** PEM. Null: authorities that the system trusts. */
  readonly ca: string | null
  readonly receiver: string
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

/** The connection ended before the acknowledgement. The message can be sent again on another one. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

interface Unacknowledged {
  readonly subject: string
  settle(error: Error | null, answer?: Answer): void
}

interface Answer {
  readonly stream?: string
  readonly error?: { readonly err_code?: number; readonly description?: string }
}

const connectMs = 5000
/** Finds a connection that is dead without having ended. */
const pingMs = 10_000
const flushMs = 500
/** A server that does not acknowledge for so long is left, and connected to again. */
const hangsMs = 3000
/** Of JetStream: the stream is not the one that the message expects. */
const otherStreamCode = 10_060

/** One connection to one server. It does not reconnect: see `RelayLink`. */
export class Session {
  readonly server: string
  /** Resolves when it has ended, to the reason. */
  readonly ended: Promise<Error>
  readonly #connection: NatsConnection
  readonly #inbox: string
  readonly #sent = new Map<string, Unacknowledged>()
  #count = 0
  #reason: Error | null = null

  /** Throws `RelayRefused`, or another error if a later try may succeed. Both have sentences. */
  static async open(server: string, access: Access): Promise<Session> {
    try {
      return new Session(server, access, await connect(optionsFor(server, access)))
    } catch (error) {
      throw connectionFailure(server, error)
    }
  }

  private constructor(server: string, { receiver }: Access, connection: NatsConnection) {
    this.server = server
    this.#connection = connection
    this.#inbox = `_INBOX_${receiver}.${randomUUID()}`
    connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (!error) this.#answered(message)
      },
    })
    this.ended = this.#untilEnd()
    void this.#watch()
  }

  get info(): ServerInfo | undefined {
    return this.#connection.info
  }

  /**
   * Resolves when the stream has the message on its disk. Throws `NotStored` if it refuses, or does not answer until `deadline` (milliseconds on the
   * monotonic clock), and `ConnectionLost`.
   */
  async send(message: Message, deadline: number): Promise<void> {
    const { subject, payload, id, records } = message
    const fields = headers()
    fields.set('Nats-Msg-Id', id)
    fields.set(messageHeaders.format, String(recordFormat))
    if (records > 0) fields.set(messageHeaders.records, String(records))
    const { error } = await this.#request(subject, payload, fields, deadline)
    if (error) {
      throw new NotStored(publishFailure(error.err_code ?? 0, error.description ?? 'no reason'))
    }
  }

  /** Not stored by anybody, and not acknowledged. */
  notify(subject: string, text: string): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subject, text)
  }

  /**
   * Whether messages of these endpoints would be stored: sends some that expect another stream, which the right one refuses. Throws `RelayRefused`, or
   * another error if a later try may succeed.
   */
  async probe(slugs: readonly (string | null)[]): Promise<void> {
    const deadline = performance.now() + connectMs
    const fields = headers()
    fields.set('Nats-Expected-Stream', 'none')
    const probe = async (subject: string, wanted: string): Promise<void> => {
      const { stream, error } = await this.#request(subject, new Uint8Array(), fields, deadline)
      if (stream !== undefined && stream !== wanted) {
        throw new RelayRefused(
          `On the server ${this.server}, ${subject} belongs to the stream ${stream} instead of ${wanted}. Run: tabscope relay check`,
        )
      }
      if (error?.err_code !== otherStreamCode) {
        throw new Error(publishFailure(error?.err_code ?? 0, error?.description ?? 'no reason'))
      }
    }
    // One stream after the other: a missing one ends the connection.
    await Promise.all(slugs.map((slug) => probe(deliverySubject(slug), streams.deliveries)))
    await Promise.all(slugs.map((slug) => probe(partSubject(slug, 'probe', 0), streams.bodies)))
  }

  /** Everything that is not acknowledged yet fails. */
  giveUp(error: NotStored | ConnectionLost): void {
    for (const sent of this.#sent.values()) sent.settle(error)
  }

  async close(): Promise<void> {
    const flushed = this.#connection.isClosed() ? null : this.#connection.flush()
    const ended = new AbortController()
    const { signal } = ended
    // A server that hangs does not answer, nor one that is gone: then nothing but the timer keeps the process alive.
    const timer = pause(flushMs, null, { signal }).catch(() => undefined)
    await Promise.race([flushed?.catch(() => undefined), timer])
    ended.abort()
    await this.#connection.close()
  }

  async #request(
    subject: string,
    payload: Uint8Array,
    fields: ReturnType<typeof headers>,
    deadline: number,
  ): Promise<Answer> {
    const left = deadline - performance.now()
    if (left <= 0) throw tooLate()
    this.#count += 1
    const token = String(this.#count)
    const answered = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => {
      settle(tooLate())
      // What else would be sent would only be kept in memory.
      if (left >= hangsMs) this.#end(new Error(`The relay at ${this.server} hangs.`))
    }, left)
    const settle = (error: Error | null, answer: Answer = {}): void => {
      this.#sent.delete(token)
      clearTimeout(timer)
      if (error) answered.reject(error)
      else answered.resolve(answer)
    }
    this.#sent.set(token, { subject, settle })
    try {
      const reply = `${this.#inbox}.${token}`
      this.#connection.publish(subject, payload, { reply, headers: fields })
    } catch (error) {
      const lost = this.#connection.isClosed()
      settle(
        lost ? new ConnectionLost() : new NotStored(`A message was not sent: ${messageOf(error)}.`),
      )
    }
    return answered.promise
  }

  #answered(message: Msg): void {
    const sent = this.#sent.get(message.subject.slice(this.#inbox.length + 1))
    if (!sent) return
    if (message.data.byteLength === 0 && message.headers?.code === 503) {
      // No stream has the subject: it was deleted, or its replicas elect a leader.
      const stream = sent.subject.startsWith('parts.') ? streams.bodies : streams.deliveries
      this.#end(new Error(noStream(stream)))
      return
    }
    try {
      sent.settle(null, message.json<Answer>())
    } catch {
      sent.settle(new NotStored('The relay sent an unknown answer. Run: tabscope relay check'))
    }
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError) {
        this.#denied(status.error)
      }
    }
  }

  #denied({ operation, subject }: PermissionViolationError): void {
    if (operation === 'subscription') {
      this.#end(
        new RelayRefused(
          `The key of this receiver does not belong to its name, so that it gets no acknowledgements. Use the receiver file as it was made.`,
        ),
      )
      return
    }
    const error = new RelayRefused(
      `The key of this receiver may not send to ${subject}. Use a receiver file whose endpoints were given to it.`,
    )
    for (const sent of this.#sent.values()) if (sent.subject === subject) sent.settle(error)
  }

  #end(reason: Error): void {
    this.#reason ??= reason
    void this.#connection.close()
  }

  async #untilEnd(): Promise<Error> {
    const error = await this.#connection.closed()
    const reason =
      this.#reason ??
      (error instanceof Error
        ? connectionFailure(this.server, error)
        : new Error(`The connection to the relay at ${this.server} was lost.`))
    this.giveUp(new ConnectionLost(reason.message, { cause: reason }))
    return reason
  }
}

function tooLate(): NotStored {
  return new NotStored('The relay does not acknowledge deliveries in time.')
}

function optionsFor(server: string, { seed, ca, receiver }: Access): ConnectionOptions {
  const tls = { ...tlsOptions({ servers: [server], ca }), minVersion: 'TLSv1.3' }
  return {
    servers: server,
    name: `tabscope receive ${receiver}`,
    inboxPrefix: `_INBOX_${receiver}`,
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: connectMs,
    pingInterval: pingMs,
    // Another computer must use TLS, whatever its server says.
    ...(ca === null && isOnLoopback(server) ? {} : { tls }),
    ...(seed === null ? {} : { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
  }
}
