import { EventEmitter } from 'node:events'
import { assertReady, PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

/** Whether Electron holds logind's delay lock and emits `shutdown` (Linux). */
let isListeningForShutdown = false

class PowerMonitor extends EventEmitter {
  constructor() {
    super()
    // Electron counts the listeners of `shutdown` before the first listener of any event is added. If that listener listens to `shutdown`,
    // it is not counted, and is never called.
    this.once('newListener', () => {
      isListeningForShutdown = this.listenerCount('shutdown') > 0
      this.on('newListener', (name) => {
        if (name === 'shutdown') isListeningForShutdown = true
      })
      this.on('removeListener', (name) => {
        if (name === 'shutdown') isListeningForShutdown = this.listenerCount('shutdown') > 0
      })
    })
  }

  override on(name: string, listener: (...args: unknown[]) => void): this {
    // Methods of `EventEmitter` are used during construction and by the listeners above.
    if (name !== 'newListener' && name !== 'removeListener') assertReady('powerMonitor')
    return super.on(name, listener)
  }
}

export const powerMonitor = new PowerMonitor()

/** Reported on stderr for tests. The system always grants it. */
class PowerSaveBlocker {
  readonly #started = new Map<number, string>()
  #count = 0

  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    this.#started.set(this.#count, type)
    this.#report()
    return this.#count++
  }

  stop(id: number): boolean {
    const wasStarted = this.#started.delete(id)
    this.#report()
    return wasStarted
  }

  #report(): void {
    process.stderr.write(`[power save] ${[...this.#started.values()].join(', ') || 'allowed'}\n`)
  }
}

export const powerSaveBlocker = new PowerSaveBlocker()

onAction('suspend', () => void powerMonitor.emit('suspend'))
onAction('resume', () => void powerMonitor.emit('resume'))
onAction('shutdown', () => {
  const event = new PreventableEvent()
  if (isListeningForShutdown) powerMonitor.emit('shutdown', event)
  // The system does not wait for an app without a delay lock.
  if (!event.defaultPrevented) process.kill(process.pid, 'SIGKILL')
})
