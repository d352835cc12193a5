import type { MessagePort } from 'node:worker_threads'
import type { RelayedGroup, RelayedReply } from './messages.ts'

/** Groups at the writer, so that captured deliveries have their turn between them. */
const atMost = 3

/** Of all relays. */
export class Writing {
  readonly #port: MessagePort
  readonly #waiting: ((reply: RelayedReply) => void)[] = []
  readonly #turns: (() => void)[] = []

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (reply: RelayedReply) => {
      this.#waiting.shift()?.(reply)
      this.#turns.shift()?.()
    })
    port.on('close', () => {
      const failed = 'the store is closed'
      for (const resolve of this.#waiting.splice(0)) resolve({ ids: [], failed })
    })
  }

  /** Resolves when another group may be posted. */
  async room(): Promise<void> {
    while (this.#waiting.length >= atMost) {
      await new Promise<void>((resolve) => this.#turns.push(resolve))
    }
  }

  post(group: RelayedGroup): Promise<RelayedReply> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      const { buffer } = group.bodies
      this.#port.postMessage(group, buffer instanceof ArrayBuffer ? [buffer] : [])
    })
  }
}
