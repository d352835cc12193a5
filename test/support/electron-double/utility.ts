import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import { assertReady } from './app.ts'
import { cloneMessage, disentangle, type MessagePortMain, type NearEnd } from './ports.ts'
import { Wire } from './utility-messages.ts'
import { onAction } from './actions.ts'

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

onAction('crash-engine', () => {
  for (const child of children) child.kill('SIGKILL')
})
// Like Ctrl+C and a log-off, which signal all processes. SIGSTOP simulates a hanging process.
onAction('signal-engine', ({ signal }) => {
  for (const child of children) child.kill(toSignal(signal))
})
// A fatal V8 error, such as out of memory, is reported before the exit.
onAction('fatal-engine', () => {
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
  readonly env?: NodeJS.ProcessEnv
}

/** Returns the requested stdout and stderr. Throws like Electron if stdin is not ignored. */
function stdioOf({ stdio = 'inherit' }: ForkOptions): ('pipe' | 'ignore' | 'inherit')[] {
  const all = typeof stdio === 'string' ? ['ignore', stdio, stdio] : stdio
  if (all.length < 3) throw new Error('configuration missing for stdin, stdout or stderr.')
  const [stdin, ...out] = all
  if (stdin !== 'ignore') throw new Error('stdin value other than ignore is not supported.')
  // On Windows, a GUI process has no standard handles, and if one of the two is given, Chromium's launcher checks that the other is valid.
  if (out.includes('inherit') && new Set(out).size > 1)
    throw new Error(`stdio: 'inherit' beside '${out.join(' and ')}' ends main on Windows`)
  return out.map((value) => {
    if (value === 'pipe' || value === 'ignore' || value === 'inherit') return value
    throw new Error('configuration must be of the following values: inherit, pipe, ignore')
  })
}

/** Delay between the end of the channel and `exit` in milliseconds. Posting in between crashes main. */
const DYING_MS = 20

const running = new Set<UtilityProcess>()

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly #ports = new Map<number, NearEnd>()
  #state: 'launching' | 'running' | 'dying' | 'gone' = 'launching'
  #killed = false
  #lastPort = 0
  #stdout: PassThrough | null
  #stderr: PassThrough | null

  constructor(entry: string, args: readonly string[], options: ForkOptions) {
    super()
    const shim = new URL('./utility-child.ts', import.meta.url).href
    this.#child = fork(entry, [...args], {
      execPath: process.env['DOUBLE_NODE'],
      execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', shim],
      serialization: 'advanced',
      ...(options.env === undefined ? {} : { env: options.env }),
      stdio: ['ignore', ...stdioOf(options), 'ipc'],
    })
    const { stdout, stderr } = this.#child
    this.#stdout = stdout === null ? null : stdout.pipe(new PassThrough())
    this.#stderr = stderr === null ? null : stderr.pipe(new PassThrough())
    children.add(this.#child)
    running.add(this)
    this.#child.on('spawn', () => {
      this.#state = 'running'
      this.emit('spawn')
    })
    this.#child.on('message', (wire) => this.#receive(Wire.parse(wire)))
    this.#child.on('disconnect', () => (this.#state = 'dying'))
    this.#child.on('exit', (code, signal) => {
      children.delete(this.#child)
      running.delete(this)
      this.#state = 'dying'
      for (const port of this.#ports.values()) port.close()
      setTimeout(() => this.#exit(code, signal), DYING_MS)
    })
  }

  get pid(): number | undefined {
    return this.#state === 'running' ? this.#child.pid : undefined
  }

  get stdout(): PassThrough | null {
    return this.#stdout
  }

  get stderr(): PassThrough | null {
    return this.#stderr
  }

  /** For the double. Without a listener, Node throws an uncaught error, like in Electron. */
  fatal(): void {
    this.#child.kill('SIGKILL')
    this.emit('error', 'FatalError', 'v8::ToLocalChecked', '{"environmentVariables":{}}')
  }

  postMessage(data?: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (this.#state === 'gone') return
    if (this.#state === 'dying') {
      process.stderr.write('[double] main crashed: it posted to a utility process that is ending\n')
      process.kill(process.pid, 'SIGKILL')
    }
    const clone = cloneMessage(data)
    const ports = disentangle(transfer).map((port) => this.#hand(port))
    this.#send({ kind: 'message', data: clone, ports })
  }

  /** False if the process has not started or has ended. */
  kill(): boolean {
    if (this.#state !== 'running') return false
    this.#killed = this.#child.kill('SIGTERM')
    // Like `base::EnsureProcessTerminated`.
    setTimeout(() => this.#child.kill('SIGKILL'), 2_000).unref()
    return this.#killed
  }

  /** The port's id in the other process. */
  #hand(port: MessagePortMain): number {
    this.#lastPort += 1
    const id = this.#lastPort
    const near = port.moveTo({
      deliver: (data, ports) =>
        this.#send({ kind: 'port', port: id, data, ports: ports.map((one) => this.#hand(one)) }),
      close: () => this.#send({ kind: 'port-closed', port: id }),
    })
    this.#ports.set(id, near)
    return id
  }

  #send(wire: Wire): void {
    // It may have ended a moment ago: the message is lost, as in Electron.
    if (this.#child.connected) this.#child.send(wire, () => undefined)
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

  #exit(code: number | null, signal: NodeJS.Signals | null): void {
    const byKill = this.#killed && (signal === 'SIGTERM' || signal === 'SIGKILL')
    try {
      this.emit('exit', code ?? (byKill ? 0 : constants.signals[signal ?? 'SIGKILL']))
    } finally {
      this.#state = 'gone'
      this.#stdout?.removeAllListeners()
      this.#stderr?.removeAllListeners()
      this.#stdout = null
      this.#stderr = null
    }
  }
}

export const utilityProcess = {
  fork(entry: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    assertReady('utilityProcess.fork')
    return new UtilityProcess(entry, args, options)
  },
}
