import { portGiven, portWanted } from '#contract/host-messages.ts'
import type { Transport } from '../transport.ts'
import { hostFrame } from '#contract/frame-client.ts'

/** Frames over the port that the preload posts to the page. A second port means the engine was started again. */
export function messagePortTransport(page: Window): Transport {
  return (events) => {
    let current: MessagePort | null = null

    function drop(port: MessagePort): void {
      if (current !== port) return
      current = null
      port.close()
      events.closed(null)
    }

    function take(event: MessageEvent): void {
      const [port] = event.ports
      // Another window may post to us as well: only our own preload shares this very window.
      if (event.source !== page || event.data !== portGiven || !port) return
      if (current) drop(current)
      current = port
      port.addEventListener('message', (message) => {
        const frame = hostFrame(message.data)
        if (frame && current === port) events.received(frame)
      })
      port.addEventListener('close', () => drop(port))
      port.start()
      events.opened((frame) => port.postMessage(frame))
    }

    page.addEventListener('message', take)
    page.postMessage(portWanted, '*')
    return () => {
      page.removeEventListener('message', take)
      current?.close()
      current = null
    }
  }
}
