import { EventEmitter } from 'node:events'
import { assertReady, PreventableEvent } from './app.ts'
import { onWish } from './wishes.ts'

/** Whether Electron holds logind's delay lock and passes `shutdown` on (Linux). */
let isListeningForShutdown = false

class PowerMonitor extends EventEmitter {
  constructor() {
    super()
    // Electron counts the listeners of `shutdown` when the first listener of any event is about to be added. If that one listens to `shutdown`,
    // it is not counted, and it is never told.
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
    // `EventEmitter` itself is used while this is constructed, and by the listeners above.
    if (name !== 'newListener' && name !== 'removeListener') assertReady('powerMonitor')
    return super.on(name, listener)
  }
}

export const powerMonitor = new PowerMonitor()

onWish('suspend', () => void powerMonitor.emit('suspend'))
onWish('resume', () => void powerMonitor.emit('resume'))
onWish('shutdown', () => {
  const event = new PreventableEvent()
  if (isListeningForShutdown) powerMonitor.emit('shutdown', event)
  // The system does not wait for an app that does not ask it to.
  if (!event.defaultPrevented) process.kill(process.pid, 'SIGKILL')
})
