import { EventEmitter } from 'node:events'

export interface PortMessage {
  readonly data: unknown
  readonly ports: readonly MessagePortMain[]
}

/** How a port goes on in another process or in the page, once it was transferred there. */
export interface FarEnd {
  deliver(data: unknown, ports: readonly MessagePortMain[]): void
  close(): void
}

/** What the far side of a transferred port sends back into this process. */
export interface NearEnd {
  send(data: unknown): void
  close(): void
}

/**
 * One end of a channel, by `shell/browser/api/message_port.cc`. What arrives, and that the other end has closed, waits until `start()`. A port
 * that was closed or transferred drops what is posted to it without a word.
 */
export class MessagePortMain extends EventEmitter {
  #peer: MessagePortMain | undefined
  /** Set on the end of a transferred port that stays in this process. */
  #far: FarEnd | undefined
  /** Null: the other end has closed. */
  #queue: (PortMessage | null)[] = []
  #state: 'paused' | 'started' | 'closed' | 'neutered' = 'paused'
  /** The port that was made of this one when it was transferred. */
  #successor: MessagePortMain | undefined

  static pair(): [MessagePortMain, MessagePortMain] {
    const [one, two] = [new MessagePortMain(), new MessagePortMain()]
    one.#peer = two
    two.#peer = one
    return [one, two]
  }

  postMessage(data?: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (this.#state === 'closed' || this.#state === 'neutered') return
    const clone = cloneMessage(data)
    const own = transfer.indexOf(this)
    if (own !== -1) throw new Error(`Port at index ${own} contains the source port.`)
    const ports = disentangle(transfer)
    const peer = this.#peer
    setImmediate(() => peer?.arrive({ data: clone, ports }))
  }

  /** For the double. A port that was closed is not: it has another, empty, channel by then. */
  get isNeutered(): boolean {
    return this.#state === 'neutered'
  }

  start(): void {
    if (this.#state !== 'paused') return
    this.#state = 'started'
    setImmediate(() => this.#flush())
  }

  /** Emits `close` on this end at once, and on the other one later. */
  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    const peer = this.#peer
    this.#peer = undefined
    setImmediate(() => peer?.arrive(null))
    this.emit('close')
  }

  /** For the double: a new port with what this one held. This one is dead from now on. */
  successor(): MessagePortMain {
    const next = new MessagePortMain()
    next.#peer = this.#peer
    if (this.#peer !== undefined) this.#peer.#peer = next
    next.#queue = this.#state === 'closed' ? [null] : this.#queue.splice(0)
    this.#peer = undefined
    this.#successor = next
    this.#state = 'neutered'
    return next
  }

  /** For the double: from now on this end, which nobody has started, lives elsewhere. What waits goes there. */
  moveTo(far: FarEnd): NearEnd {
    this.#far = far
    this.start()
    return {
      send: (data) => this.#peer?.arrive({ data, ports: [] }),
      close: () => this.close(),
    }
  }

  /** For the double: the port of another process has sent this, with ports that are new here. */
  forward(data: unknown, ports: readonly MessagePortMain[]): void {
    this.#peer?.arrive({ data, ports })
  }

  /** For the double: what came over the channel. Null: the other end has closed. */
  arrive(item: PortMessage | null): void {
    // It was on its way while this end was transferred.
    if (this.#successor !== undefined) return this.#successor.arrive(item)
    if (this.#state === 'closed') return
    this.#queue.push(item)
    if (this.#state === 'started') this.#flush()
  }

  #flush(): void {
    while (this.#state === 'started') {
      const item = this.#queue.shift()
      if (item === undefined) return
      if (item === null) {
        this.#state = 'closed'
        this.#far?.close()
        this.emit('close')
      } else if (this.#far === undefined) {
        this.emit('message', item)
      } else {
        this.#far.deliver(item.data, item.ports)
      }
    }
  }
}

/**
 * As V8's serializer does it. It writes all of the buffer behind a view: what else lies in Node's pool of small buffers would go to a page, so
 * such a view is refused.
 */
export function cloneMessage(data: unknown): unknown {
  const pending = [data]
  for (const value of pending) {
    if (ArrayBuffer.isView(value)) {
      if (value.byteLength < value.buffer.byteLength)
        throw new Error(
          `A view of ${value.byteLength} bytes would be sent with all ${value.buffer.byteLength} of its buffer`,
        )
    } else if (typeof value === 'object' && value !== null) {
      pending.push(...Object.values(value))
    }
  }
  return structuredClone(data)
}

/** What `MessagePort::DisentanglePorts` does with ports that are to be transferred. */
export function disentangle(ports: readonly MessagePortMain[]): MessagePortMain[] {
  for (const [index, port] of ports.entries()) {
    if (port.isNeutered) throw new Error(`Port at index ${index} is already neutered.`)
    if (ports.indexOf(port) !== index) throw new Error(`Port at index ${index} is a duplicate.`)
  }
  return ports.map((port) => port.successor())
}

export class MessageChannelMain {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain

  constructor() {
    ;[this.port1, this.port2] = MessagePortMain.pair()
  }
}
