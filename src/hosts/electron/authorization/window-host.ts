import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import type { WindowEvent } from '../engine/messages.ts'

type Wish = Parameters<AuthorizationWindow['open']>[0]

/** Main's side of the authorization window that it lends the engine's process: windows by the id that the engine gave them. */
export interface WindowHost {
  open(id: number, wish: Wish): void
  /** Nothing where there is no such window any more. */
  close(id: number): void
  closeAll(): void
}

export function createWindowHost(
  window: AuthorizationWindow,
  tell: (id: number, event: WindowEvent) => void,
): WindowHost {
  const open = new Map<number, { close(): void }>()
  const over = (id: number, event: WindowEvent): void => {
    open.delete(id)
    tell(id, event)
  }
  return {
    open(id, wish) {
      const opened = window.open(wish, {
        hop: (url) => tell(id, { kind: 'hop', url }),
        returned: (url) => over(id, { kind: 'returned', url }),
        closed: () => over(id, { kind: 'closed' }),
        failed: (message) => tell(id, { kind: 'failed', message }),
      })
      open.set(id, opened)
    },
    close(id) {
      open.get(id)?.close()
      open.delete(id)
    },
    closeAll() {
      for (const opened of open.values()) opened.close()
      open.clear()
    },
  }
}
