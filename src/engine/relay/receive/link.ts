import { setTimeout as pause } from 'node:timers/promises'
import { payloadProblem, syncProblem, versionProblem } from '../server-checks.ts'
import { RelayRefused } from './refusals.ts'
import { ConnectionLost, NotStored, Session, type Access, type Message } from './session.ts'

export interface LinkOptions extends Access {
  /** Null stands for requests without an endpoint. */
  readonly slugs: readonly (string | null)[]
  /** `http://127.0.0.1:8222`. Null: the server is not asked when it syncs. */
  readonly monitor: string | null
  /** Also servers that may lose what they acknowledged. */
  readonly allowUnsynced: boolean
  /** A sentence when the relay cannot be used; null when it can (again). */
  readonly changed: (reason: string | null) => void
  readonly warn: (sentence: string) => void
}

const runCheck = 'On the computer of the server, run: tabscope relay check'
const notAsked = `Whether the server syncs each message to its disk is unknown: this receiver has no address to ask. ${runCheck}`
const firstPauseMs = 200
const longestPauseMs = 2000

/** The connection to a relay, which connects again for as long as it is open. */
export class RelayLink {
  readonly #options: LinkOptions
  #session: Session | null = null
  /** Why there is no session. */
  #reason = 'The relay is not connected yet.'
  #waiting = new Set<(error: NotStored | null) => void>()
  #next = 0
  #closed = new AbortController()
  #warned = new Set<string>()

  constructor(options: LinkOptions) {
    this.#options = options
  }

  get connected(): boolean {
    return this.#session !== null
  }

  /** Resolves after the first try, whether the relay can be reached or not. Throws `RelayRefused` if a later one would not succeed either. */
  async open(): Promise<void> {
    const { servers } = this.#options
    let first: Session | null = null
    for (let tried = 0; first === null && tried < servers.length; tried += 1) {
      try {
        first = await this.#connect()
      } catch (error) {
        if (error instanceof RelayRefused) throw error
        this.#lost(error)
      }
    }
    void this.#stay(first)
  }

  /** See `Session.send`. Waits for a connection, and sends again when one is lost. */
  async publish(message: Message, deadline: number): Promise<void> {
    for (;;) {
      const session = this.#session ?? (await this.#connected(deadline))
      try {
        await session.send(message, deadline)
        return
      } catch (error) {
        if (error instanceof RelayRefused) throw new NotStored(error.message)
        if (!(error instanceof ConnectionLost)) throw error
        // It may not be known yet that it ended.
        if (this.#session === session) await session.ended
      }
    }
  }

  /** Without an acknowledgement. Does nothing without a connection. */
  notify(subject: string, text: string): void {
    this.#session?.notify(subject, text)
  }

  /** What is not acknowledged yet fails now. */
  giveUp(): void {
    const error = new NotStored('The receiver stops, and the relay did not acknowledge in time.')
    for (const settle of this.#waiting) settle(error)
    this.#session?.giveUp(error)
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#session?.close()
  }

  async #stay(first: Session | null): Promise<void> {
    let pauseMs = firstPauseMs
    for (let session = first; !this.#closed.signal.aborted; session = null) {
      try {
        session ??= await this.#connect()
        pauseMs = firstPauseMs
        if (this.#closed.signal.aborted) await session.close()
        else this.#begin(session)
        throw await session.ended
      } catch (error) {
        this.#lost(error)
      }
      await pause(pauseMs, undefined, { signal: this.#closed.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  #begin(session: Session): void {
    this.#session = session
    for (const settle of this.#waiting) settle(null)
    this.#options.changed(null)
  }

  #lost(error: unknown): void {
    if (this.#closed.signal.aborted) return
    this.#session = null
    if (!(error instanceof Error)) throw error
    this.#reason = error.message
    this.#options.changed(error.message)
  }

  /** To the next of the servers, which must be able to store. */
  async #connect(): Promise<Session> {
    const { servers, slugs } = this.#options
    const server = servers[this.#next % servers.length] ?? ''
    this.#next += 1
    const session = await Session.open(server, this.#options)
    try {
      await this.#check(session)
      await session.probe(slugs)
    } catch (error) {
      await session.close()
      throw error instanceof ConnectionLost ? await session.ended : error
    }
    // The next time, this one first.
    this.#next -= 1
    return session
  }

  async #check({ info }: Session): Promise<void> {
    const { monitor, allowUnsynced } = this.#options
    if (!info) throw new ConnectionLost()
    const payload = payloadProblem(info)
    if (payload !== null) throw new RelayRefused(payload)
    const version = versionProblem(info)
    if (version !== null) this.#unsafe(version, allowUnsynced)
    if (monitor === null) return this.#warn(notAsked)
    const { problem, unknown } = await syncProblem(monitor)
    if (unknown) this.#warn(`${problem} ${runCheck}`)
    else if (problem !== null) this.#unsafe(problem, allowUnsynced)
  }

  #unsafe(problem: string, allowed: boolean): void {
    if (!allowed) throw new RelayRefused(`${problem} To use it anyway: --allow-unsynced`)
    this.#warn(problem)
  }

  #warn(sentence: string): void {
    if (this.#warned.has(sentence)) return
    this.#warned.add(sentence)
    this.#options.warn(sentence)
  }

  #connected(deadline: number): Promise<Session> {
    return new Promise((resolve, reject) => {
      const settle = (error: NotStored | null): void => {
        clearTimeout(timer)
        this.#waiting.delete(settle)
        if (this.#session) resolve(this.#session)
        else reject(error ?? new NotStored(this.#reason))
      }
      const left = Math.max(0, deadline - performance.now())
      const timer = setTimeout(() => settle(new NotStored(this.#reason)), left)
      this.#waiting.add(settle)
    })
  }
}
