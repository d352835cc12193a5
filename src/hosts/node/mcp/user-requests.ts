import type { CallInput } from '#contract/calls.ts'
import { AppError } from '#engine/platform/errors.ts'
import { plural } from '#shared/text/format.ts'
import type { Connection } from './connection.ts'

/** Per session. */
const maxRequests = 20

/** The user confirms each of them in Tabscope. */
export class UserRequests {
  readonly #connection: Connection
  #left = maxRequests

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Throws `AppError`. */
  async send(id: number, input: Omit<CallInput<'assistants.send'>, 'id'>, signal: AbortSignal) {
    const { status, error, durationMs } = await this.#ask(id, signal, () =>
      this.#connection.call('assistants.send', { id, ...input }),
    )
    const outcome = status === null ? `no response (${error ?? 'failed'})` : `status ${status}`
    return {
      text: `Sent: ${outcome}. ${this.#leftText()}`,
      result: { status, error, durationMs: Math.round(durationMs) },
    }
  }

  /** Throws `AppError`. */
  async rehearse(
    id: number,
    input: Omit<CallInput<'assistants.rehearse'>, 'id' | 'seed'>,
    signal: AbortSignal,
  ) {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const run = await this.#ask(id, signal, () =>
      this.#connection.call('assistants.rehearse', { id, ...input, seed }),
    )
    return {
      text: `Rehearsal ${run.id} of ${plural(run.total, 'case', 'cases')} is running. Read it with get_rehearsal until its state is "done". ${this.#leftText()}`,
      result: { id: run.id, state: run.state, total: run.total },
    }
  }

  async #ask<T>(id: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#left === 0) {
      throw new AppError(
        'declined',
        `Only ${maxRequests} requests can be sent in one session. The user can start another one.`,
      )
    }
    if (!this.#connection.isJoined) {
      throw new AppError(
        'confirmation_required',
        'Nobody can confirm: Tabscope is not running. Nothing was sent. Ask the user to open Tabscope, then retry.',
      )
    }
    this.#left -= 1
    // A client that does not wait any longer must not cause anything.
    const decline = (): void => {
      this.#connection.call('assistants.decide', { id, allowed: false }).catch(() => undefined)
    }
    signal.addEventListener('abort', decline, { once: true })
    try {
      return await work()
    } catch (error) {
      // The user was not asked.
      if (error instanceof AppError && ['bad_input', 'not_found'].includes(error.code)) {
        this.#left += 1
      }
      throw error
    } finally {
      signal.removeEventListener('abort', decline)
    }
  }

  #leftText(): string {
    return `${plural(this.#left, 'request is', 'requests are')} left in this session.`
  }
}
