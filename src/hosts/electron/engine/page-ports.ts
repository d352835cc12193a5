import type { MessagePortMain } from 'electron'
import { z } from 'zod'
import { portGiven, portWanted } from '#contract/handover-names.ts'
import { isAppUrl } from '../app-url.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { Ipc } from '../ipc.ts'

/** Gives a page its port to the engine when it asks. Null: there is no engine just now, and the page gets one from `givePort`. */
export function answerPages(ipc: Ipc, openPort: () => MessagePortMain | null): void {
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => {
    const port = openPort()
    if (port !== null) frame.postMessage(portGiven, null, [port])
  })
}

/** Gives the page that is there a port unasked: that of the engine that was started again. A page that is not there yet will ask. */
export function givePort(window: InterfaceWindow, openPort: () => MessagePortMain): void {
  const contents = window.current?.webContents
  if (contents === undefined || contents.isCrashed() || !isAppUrl(contents.getURL())) return
  contents.postMessage(portGiven, null, [openPort()])
}
