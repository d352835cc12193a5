import { Notification } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL } from '../app-url.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { Note } from './messages.ts'

/** Shows notes by the system. */
export interface Notifier {
  /**
   * A click brings the window to the note's place. `otherwise` is done where the system has no notifications, or says that it did not show this
   * one. On Linux it says so without a reason.
   */
  show(note: Note, otherwise?: () => void): void
}

/** How many are held at most: one that is collected as garbage no longer hears its click. */
const HELD = 20

export function createNotifier(window: InterfaceWindow, log: Log): Notifier {
  const held = new Set<Notification>()
  return {
    show({ title, body, place }, otherwise) {
      if (!Notification.isSupported()) {
        otherwise?.()
        return
      }
      const notification = new Notification({ title, body })
      const release = (): void => void held.delete(notification)
      notification.on('click', () => {
        release()
        window
          .show(place === '' ? undefined : `${APP_URL}${place}`)
          .catch((error: unknown) => log.error('The window was not shown', error))
      })
      // Not on `close`: after some seconds Windows closes what it then keeps in its list, where it can still be clicked.
      // The user has forbidden them (macOS, Windows), the app is not signed (macOS), or no service shows them (Linux).
      notification.on('failed', (_event, error) => {
        release()
        log.warn(`A notification could not be shown: ${error || 'the system gives no reason.'}`)
        otherwise?.()
      })
      held.add(notification)
      const [oldest] = held
      if (held.size > HELD && oldest !== undefined) held.delete(oldest)
      notification.show()
    },
  }
}
