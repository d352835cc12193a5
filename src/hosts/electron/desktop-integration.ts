import {
  app,
  dialog,
  Menu,
  type MenuItem,
  clipboard,
  Tray,
  type MenuItemConstructorOptions,
  nativeImage,
  type NativeImage,
} from 'electron'
import { APP_ID } from './app-id.ts'
import type { DesktopHost } from './desktop-host.ts'
import { type DesktopMemory, openDesktopMemory } from './desktop-memory.ts'
import { startLoginItem } from './login-item/start-login-item.ts'
import { createNotifier, type Notifier } from './notifications/notifier.ts'
import { backgroundNote } from './notifications/messages.ts'
import { startNotifications } from './notifications/start-notifications.ts'
import { type FollowedEngineMirror, followEngine } from './engine-mirror.ts'
import { startWatch, type Watch } from './watch.ts'
import { startZoom } from './window/zoom/start-zoom.ts'
import path from 'node:path'
import { entries } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/host-messages.ts'
import { CommandsBound, type CommandWanted } from '#contract/host.ts'
import { canDo, idOf, type MenuActions, createWanted } from './menu/menu-items.ts'
import { menuTemplate } from './menu/template.ts'
import { TUNNEL_URL } from './app-url.ts'
import {
  copyUrl,
  trayView,
  type TrayAction,
  type TrayIcon,
  type TrayItem,
  type TrayView,
} from './tray/view.ts'
import { iconFile } from './tray/icon-file.ts'

/** What a page binds changes with each step in its list: the menu follows this often (ms) at most. */
const FOLLOW_MS = 100

/** Sets the application menu, and keeps it to what the page can do. */
function startMenu(host: DesktopHost, zoom: MenuActions['zoom']): void {
  const { window, ipc, log } = host
  const commands = entries()
  const show = (): void => {
    window.show().catch((error: unknown) => log.error('The window was not shown', error))
  }
  const wanted = createWanted((name) => {
    const message: CommandWanted = { kind: commandWanted, name }
    window.current?.webContents.send(commandWanted, message)
  }, Date.now)

  const menu = Menu.buildFromTemplate(
    menuTemplate({
      platform: process.platform,
      packaged: app.isPackaged,
      commands,
      bound: null,
      actions: {
        command(name) {
          wanted.want(name)
          show()
        },
        zoom,
        show,
      },
    }),
  )
  Menu.setApplicationMenu(menu)

  const items = commands.map((named) => [named, menu.getMenuItemById(idOf(named[0]))] as const)
  const follow = soon(() => {
    for (const [named, item] of items) enable(item, canDo(named, wanted.bound))
  })
  const bind = (names: readonly string[] | null): void => {
    wanted.bind(names)
    follow()
  }
  ipc.on(commandsBound, CommandsBound, ({ names }) => bind(names))
  window.onClosed(() => bind(null))
  // What it could do is done by the page that is loaded in its place, once that has said the same.
  window.onOpened(({ webContents }) => void webContents.on('render-process-gone', () => bind(null)))
}

/** The menu stays the same one, since a new one would close what the user has open of it. */
function enable(item: MenuItem | null, enabled: boolean): void {
  if (item !== null && item.enabled !== enabled) item.enabled = enabled
}

/** `work` once for all calls within a moment. */
function soon(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, FOLLOW_MS)
  }
}

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
    log.info('The window is closed. Tabscope keeps capturing in the background.')
    if (memory.now.toldBackground) return
    memory.remember({ toldBackground: true })
    notifier.show(backgroundNote, () => {
      // There the icon stays in the Dock, and a box without a window would block the main process.
      if (process.platform === 'darwin') return
      sayInBox().catch((error: unknown) =>
        log.error('The background notification was not shown', error),
      )
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

/**
 * The icon in the system's tray, for as long as Tabscope runs: without a window it is what is left of it. A desktop that has no tray shows
 * none; the app comes back by starting it again. Returns false when the icon could not be created.
 */
function startTray(host: DesktopHost, picture: FollowedEngineMirror, watch: Watch): boolean {
  const { view, window, log } = host
  const failed = (what: string) => (error: unknown) => void log.error(what, error)
  let shown = ''
  let icon: TrayIcon = 'idle'

  const tray = openTray()
  if (tray === null) return false
  // On macOS a click opens the menu; on Windows it is the right button that does. On Linux the desktop decides whether it comes here.
  if (process.platform !== 'darwin') tray.on('click', () => act({ kind: 'show' }))
  picture.onChange(follow)
  picture.onGone(follow)
  watch.onCount(follow)
  follow()
  return true

  function openTray(): Tray | null {
    try {
      return new Tray(iconOf('idle', app.getAppPath()))
    } catch (error) {
      log.warn(`There is no icon in the tray: ${String(error)}`)
      return null
    }
  }

  function follow(): void {
    const now = trayView(picture.current, picture.isLive, watch.unseen)
    const written = JSON.stringify(now)
    // A new menu closes the one that is open: so only where something differs.
    if (tray === null || written === shown) return
    shown = written
    show(tray, now)
  }

  function show(on: Tray, now: TrayView): void {
    if (now.icon !== icon) on.setImage(iconOf(now.icon, app.getAppPath()))
    icon = now.icon
    on.setToolTip(now.tooltip)
    on.setContextMenu(Menu.buildFromTemplate(now.items.map(itemOf)))
  }

  function itemOf(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'line':
        return { type: 'separator' }
      case 'fact':
        return { label: item.label, enabled: false }
      case 'action': {
        const { label, enabled, checked, does } = item
        const click = (): void => act(does)
        return checked === undefined
          ? { label, enabled, click }
          : { label, enabled, click, type: 'checkbox', checked }
      }
    }
  }

  function act(does: TrayAction): void {
    switch (does.kind) {
      case 'show':
        window.show().catch(failed('The window was not shown'))
        break
      case 'copy':
        copy().catch(failed('The webhook URL was not copied'))
        break
      case 'listen':
        view.call('listener.start', {}).catch(failed('The listener was not started'))
        break
      case 'open-tunnel':
        view.call('tunnel.open', {}).catch((error: unknown) => {
          log.error('The tunnel was not opened', error)
          // Its page says what it lacks.
          window.show(TUNNEL_URL).catch(failed('The window was not shown'))
        })
        break
      case 'close-tunnel':
        view.call('tunnel.close', {}).catch(failed('The tunnel was not closed'))
        break
      case 'background':
        view.call('settings.update', { background: does.on }).catch((error: unknown) => {
          log.error('The setting was not changed', error)
          // The item has changed its mark by itself.
          shown = ''
          follow()
        })
        break
      case 'quit':
        app.quit()
        break
    }
  }

  async function copy(): Promise<void> {
    const copied = copyUrl(picture.current)
    if (copied === null) return
    await clipboard.writeText(copied.url)
    // As in the interface: from now on the dashboard has this one.
    if (copied.isPublic) await view.call('tunnel.copied', { url: copied.url })
  }
}

/** `folder`: the app's, absolute. Finds the picture for the display's scale beside it by itself. */
function iconOf(icon: TrayIcon, folder: string): NativeImage {
  return nativeImage.createFromPath(path.join(folder, iconFile(icon, process.platform)))
}
