import { assistantTexts } from '#contract/assistants.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { openSession, type Session } from '../session/session.ts'

const idleMs = 1000

/** For a client that stays for hours: joins a running Tabscope; without one, it holds the folder only while there are calls. */
export class Connection implements AsyncDisposable {
  readonly #dataDir: string
  #session: Promise<Session> | null = null
  #joined = false
  #calls = 0
  #idle: NodeJS.Timeout | undefined
  readonly #listed = new Set<number>()

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** Throws `AppError`. */
  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    clearTimeout(this.#idle)
    this.#calls += 1
    try {
      const session = await this.#open()
      return await session.call(name, input)
    } finally {
      this.#calls -= 1
      this.#closeWhenIdle()
    }
  }

  /** Tabscope lists the call. `given`: its arguments. Throws `access_off` if the access is off or was turned off meanwhile. */
  async listed<T>(
    { client, tool, given }: { client: string; tool: string; given: unknown },
    work: (callId: number) => T | Promise<T>,
  ): Promise<T> {
    const { id } = await this.call('assistants.begin', {
      client: client.slice(0, assistantTexts.client),
      tool: tool.slice(0, assistantTexts.tool),
      arguments: JSON.stringify(given).slice(0, assistantTexts.arguments),
    })
    this.#listed.add(id)
    try {
      const result = await work(id)
      await this.call('assistants.end', { id, outcome: 'done' })
      return result
    } catch (error) {
      await this.call('assistants.end', { id, outcome: 'failed' })
      throw error
    } finally {
      this.#listed.delete(id)
    }
  }

  /** The assistant has disappeared: withdraws what the user has not confirmed yet, and ends the calls in progress. */
  async abandon(): Promise<void> {
    const ending = [...this.#listed].map(async (id) => {
      await this.call('assistants.decide', { id, allowed: false })
      await this.call('assistants.end', { id, outcome: 'failed' })
    })
    // Tabscope may have exited, or the access may be off.
    await Promise.allSettled(ending)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle)
    await this.#close()
  }

  async #open(): Promise<Session> {
    const opening = (this.#session ??= openSession(this.#dataDir, { access: 'change' }))
    try {
      const session = await opening
      if (!this.#joined && this.#session === opening && session.joined) {
        this.#joined = true
        void this.#closeAfter(session, opening)
      }
      return session
    } catch (error) {
      if (this.#session === opening) this.#session = null
      throw error
    }
  }

  async #closeAfter({ gone }: Session, opening: Promise<Session>): Promise<void> {
    await gone
    if (this.#session === opening) await this.#close()
  }

  #closeWhenIdle(): void {
    if (this.#calls > 0 || this.#joined) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#close(), idleMs)
  }

  async #close(): Promise<void> {
    const closing = this.#session
    this.#session = null
    this.#joined = false
    const session = await closing?.catch(() => null)
    await session?.[Symbol.asyncDispose]()
  }
}
