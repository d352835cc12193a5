import { contextBridge, ipcRenderer } from 'electron'
import { portGiven, portWanted } from '#contract/handover.ts'

// All that the page gets of Electron: the mark by which it chooses its transport, and one port to the engine.
// A new call never touches this file.
contextBridge.exposeInMainWorld('tabscopeHost', 'electron')

window.addEventListener('message', (event) => {
  // Only the page itself may ask: a frame's message has another source.
  if (event.source === window && event.data === portWanted) ipcRenderer.send(portWanted)
})

ipcRenderer.on(portGiven, (event) => {
  window.postMessage(portGiven, window.location.origin, [...event.ports])
})
