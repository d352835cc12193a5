import { contextBridge, ipcRenderer } from 'electron'
import { PORT_GIVEN, PORT_WANTED } from './handover.ts'

// All that the page gets of Electron: the mark by which it chooses its transport, and one port to the engine.
// A new call never touches this file.
contextBridge.exposeInMainWorld('tabscopeHost', 'electron')

window.addEventListener('message', (event) => {
  // Only the page itself may ask: a frame's message has another source.
  if (event.source === window && event.data === PORT_WANTED) ipcRenderer.send(PORT_WANTED)
})

ipcRenderer.on(PORT_GIVEN, (event) => {
  window.postMessage(PORT_GIVEN, window.location.origin, [...event.ports])
})
