import { contextBridge, ipcRenderer } from 'electron'
import { commandsBound, commandWanted, portGiven, portWanted } from '#contract/host-messages.ts'

// Everything that the page gets from Electron: the host name that selects its transport, a port to the engine, and the commands of the menu. A new call never
// changes this file.
contextBridge.exposeInMainWorld('tabscopeHost', 'electron')

window.addEventListener('message', (event) => {
  // Only the page itself may ask: a message from a frame has a different source.
  if (event.source !== window) return
  const data: unknown = event.data
  if (data === portWanted) ipcRenderer.send(portWanted)
  else if (isBound(data)) ipcRenderer.send(commandsBound, data)
})

ipcRenderer.on(portGiven, (event) => {
  window.postMessage(portGiven, window.location.origin, [...event.ports])
})
ipcRenderer.on(commandWanted, (_event, message: unknown) => {
  window.postMessage(message, window.location.origin)
})

/** Main validates the message. */
function isBound(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === commandsBound
}
