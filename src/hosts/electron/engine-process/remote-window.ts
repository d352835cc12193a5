import type { AuthorizationWindow } from '#engine/ports.ts'
import type { FromEngine, WindowEvent } from '../engine/messages.ts'

type Listener = Parameters<AuthorizationWindow['open']>[1]

/** The authorization window as the engine's process has it: main alone has windows. */
export interface RemoteWindow extends AuthorizationWindow {
  /** What main tells of the window with this id; nothing where it was closed meanwhile. */
  receive(id: number, event: WindowEvent): void
}

export function createRemoteWindow(tell: (message: FromEngine) => void): RemoteWindow {
  const listeners = new Map<number, Listener>()
  let lastId = 0

  return {
    open(wish, on) {
      lastId += 1
      const id = lastId
      listeners.set(id, on)
      tell({ kind: 'open-window', id, ...wish })
      return {
        close() {
          if (listeners.delete(id)) tell({ kind: 'close-window', id })
        },
      }
    },
    receive(id, event) {
      const on = listeners.get(id)
      if (on === undefined) return
      if (event.kind === 'returned' || event.kind === 'closed') listeners.delete(id)
      switch (event.kind) {
        case 'hop':
          on.hop(event.url)
          break
        case 'returned':
          on.returned(event.url)
          break
        case 'closed':
          on.closed()
          break
        case 'failed':
          on.failed(event.message)
          break
      }
    },
  }
}
