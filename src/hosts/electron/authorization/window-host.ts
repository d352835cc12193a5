import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import type { WindowEvent } from '../engine/messages.ts'

type OpenRequest = Parameters<AuthorizationWindow['open']>[0]

/** Main's side of the authorization windows that the engine process opens. Windows are identified by the ID that the engine assigned. */
export interface WindowHost {
  open(id: number, request: OpenRequest): void
  /** Does nothing if the window is already closed. */
  close(id: number): void
  closeAll(): void
}

export function createWindowHost(
  windows: AuthorizationWindow,
  send: (id: number, event: WindowEvent) => void,
): WindowHost {
  const open = new Map<number, { close(): void }>()
  const sendLast = (id: number, event: WindowEvent): void => {
    open.delete(id)
    send(id, event)
  }
  return {
    open(id, request) {
      const window = windows.open(request, {
        hop: (url) => send(id, { kind: 'hop', url }),
        returned: (url) => sendLast(id, { kind: 'returned', url }),
        closed: () => sendLast(id, { kind: 'closed' }),
        failed: (message) => send(id, { kind: 'failed', message }),
      })
      open.set(id, window)
    },
    close(id) {
      open.get(id)?.close()
      open.delete(id)
    },
    closeAll() {
      for (const window of open.values()) window.close()
      open.clear()
    },
  }
}
