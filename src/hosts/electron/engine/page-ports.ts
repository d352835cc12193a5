import type { MessagePortMain, WebFrameMain } from 'electron'
import { z } from 'zod'
import { portGiven, portWanted } from '#contract/host-messages.ts'
import { isAppUrl } from '../app-url.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { Ipc } from '../ipc.ts'

/** Gives a page its port to the engine when it asks. Null: there is no engine just now, and the page gets one from `givePort`. */
export function answerPages(ipc: Ipc, openPort: () => MessagePortMain | null): void {
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => {
    const port = openPort()
    if (port !== null) give(frame, port)
  })
}

/** Gives the page that is there a port unasked: that of the engine that was started again. A page that is not there yet will ask. */
export function givePort(window: InterfaceWindow, openPort: () => MessagePortMain): void {
  const contents = window.current?.webContents
  if (contents === undefined || contents.isCrashed() || !isAppUrl(contents.getURL())) return
  give(contents, openPort())
}

/** A page that went meanwhile cannot be given anything, and Electron throws: the one that takes its place will ask. */
function give(page: Pick<WebFrameMain, 'postMessage'>, port: MessagePortMain): void {
  try {
    page.postMessage(portGiven, null, [port])
  } catch {
    port.close()
  }
}
