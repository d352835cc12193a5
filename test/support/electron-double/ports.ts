import { EventEmitter } from 'node:events'

export interface PortMessage {
  readonly data: unknown
  readonly ports: readonly MessagePortMain[]
}

export interface FarEnd {
  deliver(data: unknown, ports: readonly MessagePortMain[]): void
  close(): void
}

export interface NearEnd {
  send(data: unknown): void
  close(): void
}

/** Like Electron's `message_port.cc`: messages and the close event wait until `start()`. */
export class MessagePortMain extends EventEmitter {
  #peer: MessagePortMain | undefined
  /** Set on the local end of a transferred port. */
  #far: FarEnd | undefined
  /** Null: the other end is closed. */
  #queue: (PortMessage | null)[] = []
  #state: 'paused' | 'started' | 'closed' | 'neutered' = 'paused'
  /** The port that replaced this one when it was transferred. */
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

  /** For the double. False for a closed port, which has a new, empty channel. */
  get isNeutered(): boolean {
    return this.#state === 'neutered'
  }

  start(): void {
    if (this.#state !== 'paused') return
    this.#state = 'started'
    setImmediate(() => this.#flush())
  }

  /** Emits `close` on this end immediately, and on the other one later. */
  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    const peer = this.#peer
    this.#peer = undefined
    setImmediate(() => peer?.arrive(null))
    this.emit('close')
  }

  /** For the double: returns a new port with the channel of this one. This port becomes unusable. */
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

  /** For the double: moves this unstarted end to another process or page, including waiting messages. */
  moveTo(far: FarEnd): NearEnd {
    this.#far = far
    this.start()
    return { send: (data) => this.#peer?.arrive({ data, ports: [] }), close: () => this.close() }
  }

  /** For the double: handles a message from the port of another process, with newly transferred ports. */
  forward(data: unknown, ports: readonly MessagePortMain[]): void {
    this.#peer?.arrive({ data, ports })
  }

  /** For the double: handles a message of the channel. Null: the other end is closed. */
  arrive(item: PortMessage | null): void {
    // The message was in transit while this end was transferred.
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
 * Clones like V8's serializer, which writes the complete buffer of a view. Views on Node's shared pool of small buffers would leak other data to a page, so
 * they are rejected.
 */
export function cloneMessage(data: unknown): unknown {
  const pending = [data]
  for (const value of pending) {
    if (ArrayBuffer.isView(value)) {
      if (value.byteLength < value.buffer.byteLength)
        throw new Error(
          `A view of ${value.byteLength} bytes would be sent with all ${value.buffer.byteLength} of its buffer`,
        )
    } else if (typeof value === 'object' && value !== null) pending.push(...Object.values(value))
  }
  return structuredClone(data)
}

/** Prepares ports for a transfer, like `MessagePort::DisentanglePorts`. */
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
