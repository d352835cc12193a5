import type { MessagePortMain, WebFrameMain } from 'electron'
import { z } from 'zod'
import { portGiven, portWanted } from '#contract/host-messages.ts'
import { isAppUrl } from '../app-url.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { Ipc } from '../ipc.ts'

/** Sends a page its port to the engine when it asks for one. If no engine is running, the page gets a port later, from `sendPort`. */
export function handlePortRequests(ipc: Ipc, openPort: () => MessagePortMain | null): void {
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => {
    const port = openPort()
    if (port !== null) postPort(frame, port)
  })
}

/** Sends the current page a port to the restarted engine. A page that is still loading asks for one itself. */
export function sendPort(window: InterfaceWindow, openPort: () => MessagePortMain): void {
  const contents = window.current?.webContents
  if (contents === undefined || contents.isCrashed() || !isAppUrl(contents.getURL())) return
  postPort(contents, openPort())
}

/** Electron throws if the page is gone. The page that replaces it asks for a port itself. */
function postPort(page: Pick<WebFrameMain, 'postMessage'>, port: MessagePortMain): void {
  try {
    page.postMessage(portGiven, null, [port])
  } catch {
    port.close()
  }
}
