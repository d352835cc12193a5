import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
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
// As Ctrl+C and a log-off do, which are told to every process; SIGSTOP is one that hangs.
onWish('signal-engine', ({ signal }) => {
  for (const child of children) child.kill(toSignal(signal))
})
// What V8 ends, as where there is no memory left, is told before.
onWish('fatal-engine', () => {
  for (const one of running) one.fatal()
})

function toSignal(signal: unknown): NodeJS.Signals {
  switch (signal) {
    case 'SIGINT':
    case 'SIGTERM':
    case 'SIGSTOP':
      return signal
    default:
      throw new Error(`The double sends no ${String(signal)}`)
  }
}

interface ForkOptions {
  readonly serviceName?: string
  readonly stdio?: string | readonly string[]
}

/** stdout and stderr as asked. Throws, as Electron does, for a stdin that is not ignored. */
function stdioOf({ stdio = 'inherit' }: ForkOptions): ('pipe' | 'ignore' | 'inherit')[] {
  const [stdin, ...out] = typeof stdio === 'string' ? ['ignore', stdio, stdio] : stdio
  if (stdin !== 'ignore') throw new Error('stdin value other than ignore is not supported.')
  return out.map((value) => {
    if (value === 'pipe' || value === 'ignore' || value === 'inherit') return value
    throw new Error(`stdio: ${value} is not known`)
  })
}

const running = new Set<UtilityProcess>()

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly #ports = new Map<number, { send(data: unknown): void; close(): void }>()
  #lastPort = 0

  constructor(entry: string, args: readonly string[], options: ForkOptions) {
    super()
    const shim = new URL('./utility-child.ts', import.meta.url).href
    this.#child = fork(entry, [...args], {
      execPath: process.env['DOUBLE_NODE'],
      execArgv: ['--import', shim],
      serialization: 'advanced',
      stdio: ['ignore', ...stdioOf(options), 'ipc'],
    })
    children.add(this.#child)
    running.add(this)
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', (wire) => this.#receive(Wire.parse(wire)))
    this.#child.on('exit', (code) => {
      children.delete(this.#child)
      running.delete(this)
      for (const port of this.#ports.values()) port.close()
      this.emit('exit', code ?? 1)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get stdout(): Readable | null {
    return this.#child.stdout
  }

  get stderr(): Readable | null {
    return this.#child.stderr
  }

  /** For the double. Where nobody listens Node makes an uncaught error of it, as in Electron. */
  fatal(): void {
    this.#child.kill('SIGKILL')
    this.emit('error', 'FatalError', 'v8::ToLocalChecked', '{"environmentVariables":{}}')
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
    return this.#child.kill('SIGTERM')
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
  fork(entry: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    assertReady('utilityProcess.fork')
    if (!existsSync(entry)) throw new Error(`utilityProcess.fork: there is no ${entry}`)
    return new UtilityProcess(entry, args, options)
  },
}
