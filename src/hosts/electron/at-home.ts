import { app } from 'electron'
import { setAboutPanel } from './about-panel.ts'
import { APP_ID } from './app-id.ts'
import { startBackground } from './background.ts'
import { startBadge } from './badge.ts'
import type { DesktopHost } from './desktop-host.ts'
import { openDesktopMemory } from './desktop-memory.ts'
import { startLoginItem } from './login-item/start-login-item.ts'
import { startMenu } from './menu/start-menu.ts'
import { createNotifier } from './notifications/notifier.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { followEngine } from './picture.ts'
import { startTray } from './tray/start-tray.ts'
import { startWatch } from './watch.ts'
import { startZoom } from './window/zoom/start-zoom.ts'

/** What makes it an app of the system: menu, tray, badge, notifications, background, log-in, zoom. Returns whether there is a tray icon. */
export function startAtHome(host: DesktopHost): { hasTray: boolean } {
  const { view, window, log } = host
  const memory = openDesktopMemory(app.getPath('userData'), log)
  const picture = followEngine(view)
  const watch = startWatch(host, picture)
  const notifier = createNotifier(window, log)
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  setAboutPanel()
  startMenu(host, startZoom(window, memory))
  const hasTray = startTray(host, picture, watch)
  startBadge(host, watch)
  startNotifications({ picture, watch, notifier })
  startBackground({ host, picture, memory, notifier })
  startLoginItem({ host, picture, memory, watch })
  return { hasTray }
}
