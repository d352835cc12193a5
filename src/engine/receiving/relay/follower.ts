import type { NatsConnection } from '@nats-io/transport-node'
import { backoff } from '#shared/async/retry.ts'
import { failureOf, type RelayFailure } from './connection.ts'
import type { Inspector } from './inbound.ts'
import type { RelayEvent, RelayStatus, RelayTarget } from './messages.ts'
import { clientOf, openRelay, Session, type SessionPorts, type Writing } from './session.ts'
import { idleStatus } from './view.ts'

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
  readonly #positions: SessionPorts['positions']
  readonly #loop: Promise<void>
  forward: boolean
  #status: RelayStatus = idleStatus({ enabled: true }, null, Date.now())
  #session: Session | null = null
  #connection: NatsConnection | null = null
  #isStopped = false
  #failures = 0
  #retry: (() => void) | null = null

  constructor(target: RelayTarget, ports: FollowerPorts) {
    this.#target = target
    this.#ports = ports
    this.forward = target.forward
    this.#positions = new Map(target.positions.map(({ slug, ...position }) => [slug, position]))
    this.#loop = this.#run()
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
        await this.#wait(failureOf(error, this.#target, clientOf(this.#target)))
      }
    }
  }

  async #wait(failure: RelayFailure): Promise<void> {
    const ms =
      failure.state === 'refused' ? waits.longest : backoff(waits, this.#failures, Math.random())
    this.#failures += 1
    const retried = new Promise<void>((resolve) => (this.#retry = resolve))
    const timer = setTimeout(() => this.#retry?.(), ms)
    this.#set({ state: failure.state, reason: failure.message, nextTryAt: Date.now() + ms })
    await retried
    clearTimeout(timer)
    this.#retry = null
  }

  /** Returns only in the state `replaced`. */
  async #follow(): Promise<void> {
    this.#set({ state: 'connecting', nextTryAt: null })
    const connection = await openRelay(this.#target)
    this.#connection = connection
    try {
      if (this.#isStopped) return
      this.#session = new Session({
        connection,
        target: this.#target,
        positions: this.#positions,
        inspector: this.#ports.inspector,
        writing: this.#ports.writing,
        isForwarding: () => this.forward,
        lag: (lag) => {
          this.#failures = 0
          this.#set({ state: 'live', nextTryAt: null, ...lag })
        },
      })
      await this.#session.run()
      this.#set({ state: 'replaced', reason: replaced })
    } finally {
      this.#session = null
      this.#connection = null
      await connection.close().catch(() => undefined)
    }
  }

  #set(change: Partial<RelayStatus> & Pick<RelayStatus, 'state'>): void {
    const isNew = change.state !== this.#status.state
    this.#status = { ...this.#status, ...change, ...(isNew ? { since: Date.now() } : {}) }
    if (this.#isStopped) return
    this.#ports.emit({ event: 'status', id: this.#target.id, status: this.#status })
  }
}

const replaced =
  'A stream of the relay was created again, so it is not known what of it is stored here. Connect again to read the relay from its start: what is stored already is not stored again.'
