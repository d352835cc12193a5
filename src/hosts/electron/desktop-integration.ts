import { app, dialog } from 'electron'
import { APP_ID } from './app-id.ts'
import type { DesktopHost } from './desktop-host.ts'
import { type DesktopMemory, openDesktopMemory } from './desktop-memory.ts'
import { startLoginItem } from './login-item/start-login-item.ts'
import { startMenu } from './menu/start-menu.ts'
import { createNotifier, type Notifier } from './notifications/notifier.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { type FollowedEngineMirror, followEngine } from './engine-mirror.ts'
import { startTray } from './tray/start-tray.ts'
import { startWatch, type Watch } from './watch.ts'
import { startZoom } from './window/zoom/start-zoom.ts'
import path from 'node:path'
import { iconOf } from './tray/icon.ts'
import { backgroundNote } from './notifications/messages.ts'

/** What makes it an app of the system: menu, tray, badge, notifications, background, log-in, zoom. Returns whether there is a tray icon. */
export function startDesktopIntegration(host: DesktopHost): { hasTray: boolean } {
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

/** What the system's own panel says, where there is one. The versions to copy are in the interface's (`about`). */
function setAboutPanel(): void {
  app.setAboutPanelOptions({
    applicationName: 'Tabscope',
    applicationVersion: app.getVersion(),
    version: `Electron ${process.versions.electron}`,
    copyright: 'Copyright © The Tabscope authors',
    iconPath: path.join(app.getAppPath(), 'resources/tray/linux/listening@2x.png'),
  })
}

/** Shows on the app's own icon how much failed unseen: a number in the dock, or a mark on the window in the taskbar of Windows. */
function startBadge({ window }: DesktopHost, watch: Watch): void {
  const show = (): void => {
    const { count } = watch.unseen
    if (process.platform !== 'win32') app.setBadgeCount(count)
    else if (count === 0) window.current?.setOverlayIcon(null, '')
    else {
      const icon = iconOf('attention', app.getAppPath())
      window.current?.setOverlayIcon(icon, `Failed verdicts: ${count}`)
    }
  }
  watch.onCount(show)
}

interface Parts {
  readonly host: DesktopHost
  readonly picture: FollowedEngineMirror
  readonly memory: DesktopMemory
  readonly notifier: Notifier
}

/**
 * Whether Tabscope goes on without a window: where the settings say so, and on macOS always, as apps do there. The window that is closed is
 * gone, and its page with it: a page that nobody sees would take in all that arrives for nothing. What it showed is known by its address,
 * and drafts and runs are the engine's, so a new window goes on where the old one was.
 */
function startBackground({ host, picture, memory, notifier }: Parts): void {
  const { window, log } = host
  const wanted = (): boolean => picture.current?.settings.background === true
  let was: boolean | undefined

  app.on('window-all-closed', () => {
    // Before an update macOS closes the windows itself, and quits then.
    if (host.quitting.hasBegun) return
    if (!wanted()) {
      if (process.platform !== 'darwin') app.quit()
      return
    }
    log.info('The window is closed; capturing goes on in the background.')
    if (memory.now.toldBackground) return
    memory.remember({ toldBackground: true })
    notifier.show(backgroundNote, () => {
      // There the icon stays in the Dock, and a box without a window would block the main process.
      if (process.platform === 'darwin') return
      sayInBox().catch((error: unknown) => log.error('What goes on was not said', error))
    })
  })

  /** Where nothing can be notified, and there may be no tray either: a window that is gone without a word looks like an app that is. */
  async function sayInBox(): Promise<void> {
    const { title, body } = backgroundNote
    const buttons = ['OK', 'Show Tabscope']
    const box = { type: 'info', title: 'Tabscope', message: title, detail: body } as const
    const { response } = await dialog.showMessageBox({ ...box, buttons, noLink: true })
    if (response === 1) await window.show()
  }

  picture.onChange(({ settings }) => {
    // Without a window there is only the tray to say so: whoever wants no background then sees what is still running.
    const ended = was === true && !settings.background && window.current === undefined
    was = settings.background
    if (!ended || process.platform === 'darwin') return
    window.show().catch((error: unknown) => log.error('The window was not shown', error))
  })
}
