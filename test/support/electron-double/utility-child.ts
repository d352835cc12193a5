// Imported before the entry of a utility process. Provides `process.parentPort`. The `electron` module is not available there.
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { cloneMessage, MessagePortMain, type PortMessage } from './ports.ts'
import { Wire } from './utility-messages.ts'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron')
      return { url: new URL('../no-electron.ts', import.meta.url).href, shortCircuit: true }
    return next(specifier, context)
  },
})
Object.defineProperty(process, 'type', { value: 'utility' })

const send = (wire: Wire): void => {
  // Main may have been killed without this process having noticed. Electron drops such a message; without a callback, Node would throw.
  if (process.connected) process.send?.(wire, undefined, undefined, () => undefined)
}

/** Messages wait until there is a listener. The end of main is not reported. */
class ParentPort extends EventEmitter {
  #queue: PortMessage[] = []
  #started = false

  constructor() {
    super()
    this.on('newListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) this.start()
    })
    this.on('removeListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) this.pause()
    })
  }

  start(): void {
    this.#started = true
    setImmediate(() => this.#flush())
  }

  pause(): void {
    this.#started = false
  }

  postMessage(data: unknown): void {
    send({ kind: 'message', data: cloneMessage(data), ports: [] })
  }

  /** For the double. */
  receive(message: PortMessage): void {
    this.#queue.push(message)
    this.#flush()
  }

  #flush(): void {
    while (this.#started) {
      const message = this.#queue.shift()
      if (message === undefined) return
      this.emit('message', message)
    }
  }
}

const parentPort = new ParentPort()
const relays = new Map<number, MessagePortMain>()

function openRelay(id: number): MessagePortMain {
  const [ours, relay] = MessagePortMain.pair()
  relay.on('message', ({ data, ports }: PortMessage) => {
    if (ports.length > 0) throw new Error('The double hands on no ports from a utility process')
    send({ kind: 'port', port: id, data, ports: [] })
  })
  relay.on('close', () => {
    if (relays.delete(id)) send({ kind: 'port-closed', port: id })
  })
  relay.start()
  relays.set(id, relay)
  return ours
}

process.on('message', (value) => {
  const wire = Wire.parse(value)
  switch (wire.kind) {
    case 'message':
      parentPort.receive({ data: wire.data, ports: wire.ports.map(openRelay) })
      break
    case 'port':
      relays.get(wire.port)?.forward(wire.data, wire.ports.map(openRelay))
      break
    case 'port-closed':
      relays.get(wire.port)?.close()
      break
  }
})
// Main has ended. Chromium may end this process without notifying its scripts. Otherwise the scripts only see that their ports close.
process.on('disconnect', () => {
  if (process.env['DOUBLE_PARENT_LOSS'] === 'exit') process.kill(process.pid, 'SIGKILL')
  for (const relay of relays.values()) relay.close()
})
Object.defineProperty(process, 'parentPort', { value: parentPort })
