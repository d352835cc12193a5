import { app, Notification } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL } from '../app-url.ts'
import { APP_ID } from '../desktop-host.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { NotificationText } from './messages.ts'

/** The class that Windows starts for a click on a notification; `resources/installer.nsh` removes it. Electron would register a new one at each start. */
const TOAST_ACTIVATOR = '{086E7F3C-B1F4-49BE-96B3-0D5E6C8D062C}'
const TOAST_ACTIVATOR_OF_CHECKOUT = '{34D66F19-BC65-4C06-9CE5-BEADE69BC10A}'

/**
 * Call it before `ready`: on Windows all notifications belong to the ID at the time of the first one. A checkout has its own, so that a click on a notification
 * of the installed app does not start the checkout's Electron.
 */
export function identifyApp(): void {
  app.setAppUserModelId(app.isPackaged ? APP_ID : `${APP_ID}.checkout`)
  // Exists on Windows only.
  if (process.platform !== 'win32') return
  app.setToastActivatorCLSID(app.isPackaged ? TOAST_ACTIVATOR : TOAST_ACTIVATOR_OF_CHECKOUT)
}

export type Notifier = ReturnType<typeof createNotifier>

/** A garbage-collected notification no longer receives its click. */
const MAX_ACTIVE = 20

export function createNotifier(window: InterfaceWindow, log: Log) {
  const active = new Set<Notification>()
  return {
    /** A click opens its page in the window. `shown` runs later than `show` returns, if at all. */
    show({ title, body, hash }: NotificationText, shown?: () => void): void {
      // Not before the first one is due: this asks for permission (macOS), and writes a Start menu shortcut and a registry key (Windows).
      if (!Notification.isSupported()) {
        log.warn('A notification could not be shown: the system has none.')
        return
      }
      const notification = new Notification({ title, body })
      const release = (): void => void active.delete(notification)
      notification.on('show', () => shown?.())
      notification.on('click', () => {
        release()
        window
          .show(hash === '' ? undefined : `${APP_URL}${hash}`)
          .catch((error: unknown) => log.error('The window was not shown', error))
      })
      // Not released on `close`: after some seconds Windows moves a notification to its list, where it can still be clicked.
      // Fails if the user has forbidden notifications (macOS, Windows), the app is not signed (macOS), or no service shows them (Linux, without a reason).
      notification.on('failed', (_event, error) => {
        release()
        log.warn(`A notification could not be shown: ${error || 'unknown reason'}`)
      })
      active.add(notification)
      const [oldest] = active
      if (active.size > MAX_ACTIVE && oldest !== undefined) active.delete(oldest)
      notification.show()
    },
  }
}
