import { EventEmitter } from 'node:events'
import { assertReady, PreventableEvent } from './app.ts'
import { onWish } from './wishes.ts'

class PowerMonitor extends EventEmitter {
  override on(name: string, listener: (...args: unknown[]) => void): this {
    assertReady('powerMonitor')
    return super.on(name, listener)
  }
}

export const powerMonitor = new PowerMonitor()

onWish('suspend', () => void powerMonitor.emit('suspend'))
onWish('resume', () => void powerMonitor.emit('resume'))
onWish('shutdown', () => {
  const event = new PreventableEvent()
  powerMonitor.emit('shutdown', event)
  // The system does not wait for who does not ask it to.
  if (!event.defaultPrevented) process.kill(process.pid, 'SIGKILL')
})
