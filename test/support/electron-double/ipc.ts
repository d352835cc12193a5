import { EventEmitter } from 'node:events'
import { PreventableEvent } from './app.ts'

export const ipcMain = new EventEmitter()

/**
 * The event of `ipcRenderer.send`, with exactly Electron's properties: `ports` exists only for `ipcRenderer.postMessage`,
 * and `returnValue` only for `sendSync`. `senderFrame` is evaluated at each access, and is missing if the frame was disposed when the message was received.
 */
export function createIpcEvent(sender: object, senderFrame?: () => unknown): object {
  const event = Object.assign(new PreventableEvent(), { type: 'frame', sender })
  if (senderFrame !== undefined) {
    Object.defineProperty(event, 'senderFrame', { get: senderFrame, enumerable: true })
    Object.assign(event, { frameId: 1, processId: 1, frameTreeNodeId: 1 })
  }
  const reply = (channel: string, ...args: unknown[]): void => {
    if ('send' in sender && typeof sender.send === 'function') sender.send(channel, ...args)
  }
  return Object.assign(event, { reply })
}
