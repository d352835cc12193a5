import type { AskRequest, AskResponse, OtherResponse } from '../../sending/messages.ts'
import type { HttpResponseChannel } from '../received-request.ts'

export interface AskPort {
  post(request: AskRequest): void
}

interface Pending {
  readonly channel: HttpResponseChannel
  readonly resolve: (response: OtherResponse | null) => void
}

const maxPending = 1000

/**
 * Asks the sender thread whether a durable delivery gets another response than planned: that of a script, or of the user while it is held. It answers each
 * question once, in its own time limits; with null, the planned response is sent, which also happens if the sender ends, the listener closes, or too many wait.
 */
export class Asking {
  readonly #port: AskPort
  readonly #pending = new Map<number, Pending>()
  #nextKey = 1
  #isSenderClosed = false

  constructor(port: AskPort) {
    this.#port = port
  }

  get size(): number {
    return this.#pending.size
  }

  ask(
    question: Omit<AskRequest, 'kind' | 'key'>,
    channel: HttpResponseChannel,
    resolve: Pending['resolve'],
  ): void {
    if (this.#isSenderClosed || this.#pending.size >= maxPending || channel.connection.closing) {
      resolve(null)
      return
    }
    const key = this.#nextKey
    this.#nextKey += 1
    this.#pending.set(key, { channel, resolve })
    channel.connection.waiting += 1
    this.#port.post({ kind: 'ask', key, ...question })
  }

  /** Ignored if it came too late. */
  receive({ key, response }: Omit<AskResponse, 'kind'>): void {
    this.#end(key, response)
  }

  /** On connections that are being closed. */
  expedite(): void {
    for (const [key, { channel }] of this.#pending) {
      if (channel.connection.closing) this.#end(key, null)
    }
  }

  senderClosed(): void {
    this.#isSenderClosed = true
    for (const key of this.#pending.keys()) this.#end(key, null)
  }

  #end(key: number, response: OtherResponse | null): void {
    const pending = this.#pending.get(key)
    if (!pending) return
    this.#pending.delete(key)
    pending.channel.connection.waiting -= 1
    pending.resolve(response)
  }
}
