import { EventEmitter } from 'node:events'

export interface PortMessage {
  readonly data: unknown
  readonly ports: readonly MessagePortMain[]
}

/** How a port goes on in another process or in the page, once it was transferred there. */
export interface FarEnd {
  deliver(data: unknown): void
  close(): void
}

/**
 * One end of a channel. As in Electron it keeps what arrives until `start()`, and is dead here once transferred.
 * Its far side is either its twin in this process or a `FarEnd` elsewhere.
 */
export class MessagePortMain extends EventEmitter {
  #twin: MessagePortMain | undefined
  #far: FarEnd | undefined
  #queue: unknown[] = []
  #started = false
  #state: 'open' | 'transferred' | 'closed' = 'open'

  static pair(): [MessagePortMain, MessagePortMain] {
    const [one, two] = [new MessagePortMain(), new MessagePortMain()]
    one.#twin = two
    two.#twin = one
    return [one, two]
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (this.#state === 'transferred')
      throw new Error('The port was transferred and is no longer ours')
    if (transfer.length > 0) throw new Error('The double hands on no ports over ports')
    if (this.#state === 'closed') return
    const clone: unknown = structuredClone(data)
    const twin = this.#twin
    setImmediate(() => twin?.receive(clone))
  }

  start(): void {
    this.#started = true
    for (const data of this.#queue.splice(0)) this.#emitMessage(data)
  }

  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    const twin = this.#twin
    setImmediate(() => twin?.ended())
  }

  /** For the double: what the other side sent. */
  receive(data: unknown): void {
    if (this.#state === 'closed') return
    if (this.#far !== undefined) this.#far.deliver(data)
    else if (this.#started) this.#emitMessage(data)
    else this.#queue.push(data)
  }

  /** For the double: the other side is gone. */
  ended(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#far?.close()
    this.emit('close')
  }

  /** For the double: from now on this end lives elsewhere. What waits goes there. */
  transferTo(far: FarEnd): { send(data: unknown): void; close(): void } {
    if (this.#state !== 'open' || this.#started)
      throw new Error('Only a fresh port can be transferred')
    this.#state = 'transferred'
    this.#far = far
    for (const data of this.#queue.splice(0)) far.deliver(data)
    return {
      send: (data) => this.#twin?.receive(data),
      close: () => {
        this.#state = 'closed'
        this.#twin?.ended()
      },
    }
  }

  #emitMessage(data: unknown): void {
    const message: PortMessage = { data, ports: [] }
    this.emit('message', message)
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain

  constructor() {
    ;[this.port1, this.port2] = MessagePortMain.pair()
  }
}
