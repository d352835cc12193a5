import type { NatsConnection } from '@nats-io/transport-node'
import type { RelayView } from '#contract/relay.ts'
import { backoff } from '#shared/async/retry.ts'
import {
  failureOf,
  openRelay,
  readStream,
  type RelayFailure,
  type StreamState,
} from './connection.ts'
import type { Inspector } from './inbound.ts'
import type { RelayEvent, RelayStatus, RelayTarget } from './messages.ts'
import { Positions } from './positions.ts'
import { Receivers } from './receivers.ts'
import { Session, type Lag } from './session.ts'
import { subjectsOf } from './format.ts'
import { idleStatus } from './view.ts'
import type { Writing } from './writing.ts'

const waits = { shortest: 1000, longest: 60_000 } as const

export interface FollowerPorts {
  readonly inspector: Inspector
  readonly writing: Writing
  readonly emit: (event: RelayEvent) => void
}

/** One relay, connected again and again until it is stopped. */
export class Follower {
  readonly #ports: FollowerPorts
  readonly #target: RelayTarget
  readonly #positions: Positions
  readonly #receivers = new Receivers()
  readonly #loop: Promise<void>
  #forward: boolean
  #created: string | null
  #status: RelayStatus = idleStatus({ enabled: true }, null, Date.now())
  #session: Session | null = null
  #connection: NatsConnection | null = null
  #isStopped = false
  #failures = 0
  #retry: (() => void) | null = null

  constructor(target: RelayTarget, ports: FollowerPorts) {
    this.#target = target
    this.#ports = ports
    this.#forward = target.forward
    this.#created = target.streamCreated
    this.#positions = new Positions(target.positions)
    this.#loop = this.#run()
  }

  set forward(forward: boolean) {
    this.#forward = forward
  }

  /** Also ends a session, if the connection is not trusted. */
  retry(slept: boolean): void {
    this.#failures = 0
    if (slept) {
      this.#session?.end()
      void this.#connection?.close().catch(() => undefined)
    }
    this.#retry?.()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const isReading = this.#session !== null
    this.retry(true)
    // A connection that is not there yet has given nothing to the writer.
    if (isReading) await this.#loop
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#follow()
        return
      } catch (error) {
        if (this.#isStopped) return
        await this.#wait(failureOf(error, this.#target))
      }
    }
  }

  async #wait(failure: RelayFailure): Promise<void> {
    const ms =
      failure.state === 'refused' ? waits.longest : backoff(waits, this.#failures, Math.random())
    this.#failures += 1
    const retried = new Promise<void>((resolve) => (this.#retry = resolve))
    const timer = setTimeout(() => this.#retry?.(), ms)
    // What was known of the lag stays.
    this.#set({ state: failure.state, reason: failure.message, nextTryAt: Date.now() + ms })
    await retried
    clearTimeout(timer)
    this.#retry = null
  }

  /** Returns only in the state `replaced`. */
  async #follow(): Promise<void> {
    this.#set({ state: 'connecting', reason: this.#status.reason, nextTryAt: null })
    const connection = await openRelay(this.#target)
    this.#connection = connection
    try {
      if (this.#isStopped) return
      const stream = await readStream(connection, this.#target)
      if (this.#isReplaced(stream)) return this.#set({ state: 'replaced', reason: replaced })
      this.#created = stream.created
      await this.#noteRemoved(stream)
      const beats = this.#listen(connection)
      const session = new Session({
        connection,
        target: this.#target,
        stream,
        positions: this.#positions,
        inspector: this.#ports.inspector,
        writing: this.#ports.writing,
        isForwarding: () => this.#forward,
        lag: (lag) => this.#lag(lag, stream.clockWarning),
      })
      this.#session = session
      try {
        return await session.run()
      } finally {
        this.#session = null
        beats()
      }
    } finally {
      this.#connection = null
      await connection.close().catch(() => undefined)
    }
  }

  #isReplaced({ created, lastSeq }: StreamState): boolean {
    if (this.#created === null) return false
    const positions = subjectsOf(this.#target).map((subject) => this.#positions.of(subject))
    return created !== this.#created || lastSeq < Math.max(...positions)
  }

  /** While nothing waits for the writer. */
  async #noteRemoved({ created, firstSeq, firstAt }: StreamState): Promise<void> {
    const missing = subjectsOf(this.#target).filter((subject) => {
      const position = this.#positions.of(subject)
      return position > 0 && firstSeq > position + 1
    })
    if (missing.length === 0) return
    const advances = missing.map((subject) => {
      const after = this.#positions.of(subject)
      return { subject, after, position: firstSeq - 1, atMs: null }
    })
    const times = missing.flatMap((subject) => this.#positions.atOf(subject) ?? [])
    const removed = {
      messages: Math.max(...advances.map(({ position, after }) => position - after)),
      from: times.length === 0 ? null : Math.min(...times),
      to: firstAt,
    }
    const reply = this.#ports.writing.post({
      relayId: this.#target.id,
      streamCreated: created,
      positions: advances,
      removed,
      isBacklog: false,
      forwarded: false,
      deliveries: [],
      bodies: new Uint8Array(),
    })
    await this.#positions.posted(advances, reply)
  }

  #lag({ isBacklog, ...lag }: Lag, warning: string | null): void {
    this.#failures = 0
    const state = isBacklog ? 'catching_up' : 'live'
    this.#set({ state, reason: warning, nextTryAt: null, ...lag })
  }

  #set(change: Partial<RelayStatus> & { state: RelayView['state'] }): void {
    const isNew = change.state !== this.#status.state
    this.#status = {
      ...this.#status,
      ...change,
      ...(isNew ? { since: Date.now() } : {}),
      receivers: this.#receivers.list(),
    }
    if (this.#isStopped) return
    this.#ports.emit({ event: 'status', id: this.#target.id, status: this.#status })
  }

  /** Returns a function that ends it. */
  #listen(connection: NatsConnection): () => void {
    const report = (): void => this.#set({ state: this.#status.state })
    this.#receivers.connected(Date.now())
    const subscription = connection.subscribe('receivers.*', {
      callback: (error, message) => {
        if (!error && this.#receivers.heard(message.data, Date.now())) report()
      },
    })
    const timer = setInterval(() => {
      if (this.#receivers.check(Date.now())) report()
    }, 5000)
    return () => {
      clearInterval(timer)
      subscription.unsubscribe()
      this.#receivers.disconnected()
    }
  }
}

const replaced =
  'The stream of the relay was created again, so it is not known what of it is stored here. Connect again to read it from its start: what is stored already is not stored again.'
