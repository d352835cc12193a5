import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { assertReady } from './app.ts'
import type { MessagePortMain } from './ports.ts'
import { Wire } from './wire.ts'
import { onWish } from './wishes.ts'

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

// By this a test ends the engine as a crash would.
onWish('crash-engine', () => {
  for (const child of children) child.kill('SIGKILL')
})

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly #ports = new Map<number, { send(data: unknown): void; close(): void }>()
  #lastPort = 0

  constructor(entry: string, args: readonly string[]) {
    super()
    const shim = new URL('./utility-child.ts', import.meta.url).href
    this.#child = fork(entry, [...args], {
      execArgv: ['--import', shim],
      serialization: 'advanced',
    })
    children.add(this.#child)
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', (wire) => this.#receive(Wire.parse(wire)))
    this.#child.on('exit', (code) => {
      children.delete(this.#child)
      for (const port of this.#ports.values()) port.close()
      this.emit('exit', code ?? 1)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    const ports = transfer.map((port) => {
      this.#lastPort += 1
      const id = this.#lastPort
      const near = port.transferTo({
        deliver: (sent) => this.#send({ kind: 'port', port: id, data: sent }),
        close: () => this.#send({ kind: 'port-closed', port: id }),
      })
      this.#ports.set(id, near)
      return id
    })
    this.#send({ kind: 'message', data, ports })
  }

  kill(): boolean {
    return this.#child.kill('SIGKILL')
  }

  #send(wire: Wire): void {
    if (this.#child.connected) this.#child.send(wire)
  }

  #receive(wire: Wire): void {
    switch (wire.kind) {
      case 'message':
        this.emit('message', wire.data)
        break
      case 'port':
        this.#ports.get(wire.port)?.send(wire.data)
        break
      case 'port-closed':
        this.#ports.get(wire.port)?.close()
        this.#ports.delete(wire.port)
        break
    }
  }
}

export const utilityProcess = {
  fork(entry: string, args: readonly string[] = []): UtilityProcess {
    assertReady('utilityProcess.fork')
    if (!existsSync(entry)) throw new Error(`utilityProcess.fork: there is no ${entry}`)
    return new UtilityProcess(entry, args)
  },
}
