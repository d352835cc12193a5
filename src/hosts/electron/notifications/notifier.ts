import { Notification } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL } from '../app-url.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { NotificationText } from './messages.ts'

export interface Notifier {
  /** A click opens its page in the window. `onFailure`: the system has no notifications, or did not show this one. Linux gives no reason. */
  show(text: NotificationText, onFailure?: () => void): void
}

/** A garbage-collected notification no longer receives its click. */
const MAX_ACTIVE = 20

export function createNotifier(window: InterfaceWindow, log: Log): Notifier {
  const active = new Set<Notification>()
  return {
    show({ title, body, hash }, onFailure) {
      if (!Notification.isSupported()) {
        onFailure?.()
        return
      }
      const notification = new Notification({ title, body })
      const release = (): void => void active.delete(notification)
      notification.on('click', () => {
        release()
        window
          .show(hash === '' ? undefined : `${APP_URL}${hash}`)
          .catch((error: unknown) => log.error('The window was not shown', error))
      })
      // Not released on `close`: after some seconds Windows moves a notification to its list, where it can still be clicked.
      // Fails if the user has forbidden notifications (macOS, Windows), the app is not signed (macOS), or no service shows them (Linux).
      notification.on('failed', (_event, error) => {
        release()
        log.warn(`A notification could not be shown: ${error || 'unknown reason'}`)
        onFailure?.()
      })
      active.add(notification)
      const [oldest] = active
      if (active.size > MAX_ACTIVE && oldest !== undefined) active.delete(oldest)
      notification.show()
    },
  }
}
