import { portGiven, portWanted } from '#contract/host-messages.ts'
import type { Transport } from '../client.ts'
import { hostFrame } from '#contract/frame-client.ts'

/** Sends frames over the port that the preload posts to the page. A second port means that the engine was restarted. */
export function messagePortTransport(page: Window): Transport {
  return (events) => {
    let current: MessagePort | null = null

    function drop(port: MessagePort): void {
      if (current !== port) return
      current = null
      port.close()
      events.closed(null)
    }

    function receivePort(event: MessageEvent): void {
      const [port] = event.ports
      // Other windows can post messages too. Only Tabscope's preload has this window as its source.
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

    page.addEventListener('message', receivePort)
    page.postMessage(portWanted, '*')
    return () => {
      page.removeEventListener('message', receivePort)
      current?.close()
      current = null
    }
  }
}
