// Imported before the entry of a utility process: gives it `process.parentPort`. Electron itself is not to be had there.
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { MessagePortMain, type PortMessage } from './ports.ts'
import { Wire } from './wire.ts'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron') {
      return { url: new URL('../no-electron.ts', import.meta.url).href, shortCircuit: true }
    }
    return next(specifier, context)
  },
})
Object.defineProperty(process, 'type', { value: 'utility' })

const send = (wire: Wire): void => {
  process.send?.(wire)
}

class ParentPort extends EventEmitter {
  #queue: PortMessage[] = []

  constructor() {
    super()
    // As documented: what comes before there is a handler waits for it.
    this.on('newListener', (name) => {
      if (name !== 'message') return
      setImmediate(() => {
        for (const message of this.#queue.splice(0)) this.emit('message', message)
      })
    })
  }

  postMessage(data: unknown): void {
    send({ kind: 'message', data, ports: [] })
  }

  receive(message: PortMessage): void {
    if (this.listenerCount('message') > 0) this.emit('message', message)
    else this.#queue.push(message)
  }
}

const parentPort = new ParentPort()
/** Ends of the channels whose other end is in the main process. */
const relays = new Map<number, MessagePortMain>()

function openRelay(id: number): MessagePortMain {
  const [ours, relay] = MessagePortMain.pair()
  relay.on('message', ({ data }: PortMessage) => send({ kind: 'port', port: id, data }))
  relay.on('close', () => {
    relays.delete(id)
    send({ kind: 'port-closed', port: id })
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
      relays.get(wire.port)?.postMessage(wire.data)
      break
    case 'port-closed':
      relays.get(wire.port)?.close()
      break
  }
})
// A utility process ends with its parent.
process.on('disconnect', () => process.exit(0))
Object.defineProperty(process, 'parentPort', { value: parentPort })
