/**
 * Functions that the double injects into a page as source code, so they must not use outer variables.
 */
import type { ToPage } from './utility-messages.ts'

/** Runs in the main world before the page. Receives the API that the preload script exposes, through a DOM event because it must be synchronous. */
export function mainWorldSide(): void {
  if (window.top !== window) return
  window.addEventListener('double:expose', (event) => {
    if (!(event instanceof CustomEvent)) return
    const { name, value }: { name: string; value: unknown } = JSON.parse(String(event.detail))
    Object.defineProperty(window, name, { value: Object.freeze(value), enumerable: true })
    event.stopImmediatePropagation()
  })
  // Electron notifies a port when its other end is closed; Chromium alone does not. The double sends a final message instead, which is not visible to the page.
  window.addEventListener('message', ({ ports }) => {
    for (const port of ports) {
      port.addEventListener('message', (message) => {
        if (message.data !== 'double:closed') return
        message.stopImmediatePropagation()
        port.dispatchEvent(new Event('close'))
      })
    }
  })
}

/** Runs in the isolated world of the preload script: provides Electron's two modules, then runs the script. */
export function isolatedSide(
  encode: (value: unknown) => string,
  revive: (key: string, inner: unknown) => unknown,
  preload: (require: unknown, module: unknown, exports: unknown) => void,
): void {
  if (window.top !== window) return
  type Listener = (event: { ports: MessagePort[] }, ...args: unknown[]) => void
  const toMain: (text: string) => void = Reflect.get(globalThis, '__doubleToMain')
  const listeners = new Map<string, { listener: Listener; once: boolean }[]>()
  const pumps = new Map<number, MessagePort>()

  function openPump(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', (event) => {
      toMain(encode({ kind: 'port', port: id, data: event.data }))
    })
    port1.start()
    pumps.set(id, port1)
    return port2
  }

  Reflect.set(globalThis, '__doubleFromMain', (text: string) => {
    const message: ToPage = JSON.parse(text, revive)
    if (message.kind === 'port') pumps.get(message.port)?.postMessage(message.data)
    else if (message.kind === 'port-closed') pumps.get(message.port)?.postMessage('double:closed')
    else {
      const event = { sender: electron.ipcRenderer, ports: message.ports.map(openPump) }
      const found = listeners.get(message.channel) ?? []
      listeners.set(
        message.channel,
        found.filter(({ once }) => !once),
      )
      for (const { listener } of found) listener(event, ...message.args)
    }
  })

  const add = (channel: string, listener: Listener, once: boolean): void => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once }])
  }
  const electron = {
    ipcRenderer: {
      on: (channel: string, listener: Listener) => add(channel, listener, false),
      once: (channel: string, listener: Listener) => add(channel, listener, true),
      send: (channel: string, ...args: unknown[]) => toMain(encode({ kind: 'ipc', channel, args })),
    },
    contextBridge: {
      exposeInMainWorld(name: string, value: unknown): void {
        window.dispatchEvent(new CustomEvent('double:expose', { detail: encode({ name, value }) }))
      },
    },
  }
  const module = { exports: {} }
  preload(
    (name: string) => {
      if (name !== 'electron') throw new Error(`module not found: ${name}`)
      return electron
    },
    module,
    module.exports,
  )
}
