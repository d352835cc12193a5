import { contextBridge, ipcRenderer } from 'electron'
import { commandsBound, commandWanted, portGiven, portWanted } from '#contract/host-messages.ts'

// All that the page gets of Electron: the mark by which it chooses its transport, one port to the engine, and the commands of the menu.
// A new call never touches this file.
contextBridge.exposeInMainWorld('tabscopeHost', 'electron')

window.addEventListener('message', (event) => {
  // Only the page itself may ask: a frame's message has another source.
  if (event.source !== window) return
  const data: unknown = event.data
  if (data === portWanted) ipcRenderer.send(portWanted)
  else if (isBound(data)) ipcRenderer.send(commandsBound, data)
})

ipcRenderer.on(portGiven, (event) => {
  window.postMessage(portGiven, window.location.origin, [...event.ports])
})
ipcRenderer.on(commandWanted, (_event, wanted: unknown) => {
  window.postMessage(wanted, window.location.origin)
})

/** Main looks at what it is in detail. */
function isBound(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === commandsBound
}
