import {
  app,
  clipboard,
  Menu,
  nativeImage,
  Tray,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron'
import path from 'node:path'
import type { Log } from '#engine/platform/ports.ts'
import { TUNNEL_URL } from '../app-url.ts'
import type { DesktopHost } from '../desktop-host.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import type { Watch } from '../watch.ts'
import {
  copyUrl,
  iconFile,
  trayView,
  type TrayAction,
  type TrayIcon,
  type TrayItem,
} from './view.ts'

/** For as long as Tabscope runs. Without a tray, starting the app again shows the window. False if the icon could not be created. */
export function startTray(host: DesktopHost, mirror: EngineMirror, watch: Watch): boolean {
  const tray = openTray(host.log)
  if (tray === null) return false
  const icon = new TrayIconMenu(tray, host, mirror, watch)
  const update = (): void => icon.update()
  mirror.onChange(update)
  mirror.onGone(update)
  watch.onCount(update)
  update()
  return true
}

function openTray(log: Log): Tray | null {
  try {
    return new Tray(iconOf('idle'))
  } catch (error) {
    log.warn(`The tray icon could not be created: ${String(error)}`)
    return null
  }
}

class TrayIconMenu {
  readonly #tray: Tray
  readonly #host: DesktopHost
  readonly #mirror: EngineMirror
  readonly #watch: Watch
  #shownState = ''
  #icon: TrayIcon = 'idle'

  constructor(tray: Tray, host: DesktopHost, mirror: EngineMirror, watch: Watch) {
    this.#tray = tray
    this.#host = host
    this.#mirror = mirror
    this.#watch = watch
    // On macOS a click opens the menu; on Windows a right click does. On Linux the desktop decides whether it emits the event.
    if (process.platform !== 'darwin') tray.on('click', () => this.#act('show'))
  }

  update(): void {
    const next = trayView(this.#mirror.current, this.#mirror.isLive, this.#watch.unseen)
    const serialized = JSON.stringify(next)
    // Setting a menu closes an open one, so it is set only after a change.
    if (serialized === this.#shownState) return
    this.#shownState = serialized
    if (next.icon !== this.#icon) this.#tray.setImage(iconOf(next.icon))
    this.#icon = next.icon
    this.#tray.setToolTip(next.tooltip)
    this.#tray.setContextMenu(Menu.buildFromTemplate(next.items.map((item) => this.#item(item))))
  }

  #item(item: TrayItem): MenuItemConstructorOptions {
    if (item === null) return { type: 'separator' }
    const { action, checked, ...shown } = item
    return {
      ...shown,
      ...(checked === undefined ? {} : { type: 'checkbox', checked }),
      ...(action === null ? {} : { click: () => this.#act(action) }),
    }
  }

  #act(action: TrayAction): void {
    this.#do(action).catch((error: unknown) => {
      const { log, window } = this.#host
      log.error(`The tray could not ${action}`, error)
      // The item of the setting has already toggled its check mark.
      this.#shownState = ''
      this.update()
      // The page shows what is missing.
      if (action === 'open-tunnel') window.show(TUNNEL_URL).catch(() => undefined)
    })
  }

  async #do(action: TrayAction): Promise<unknown> {
    const { view, window } = this.#host
    switch (action) {
      case 'show':
        return window.show()
      case 'copy':
        return this.#copy()
      case 'listen':
        return view.call('listener.start', {})
      case 'open-tunnel':
        return view.call('tunnel.open', {})
      case 'close-tunnel':
        return view.call('tunnel.close', {})
      case 'background': {
        const background = this.#mirror.current?.settings.background !== true
        return view.call('settings.update', { background })
      }
      case 'quit':
        return app.quit()
    }
  }

  async #copy(): Promise<void> {
    const copied = copyUrl(this.#mirror.current)
    if (copied === null) return
    await clipboard.writeText(copied.url)
    // As in the interface: records that the dashboard now has this URL.
    if (copied.isPublic) await this.#host.view.call('tunnel.copied', { url: copied.url })
  }
}

/** Electron picks the file for the display's scale factor itself. */
export function iconOf(icon: TrayIcon): NativeImage {
  return nativeImage.createFromPath(path.join(app.getAppPath(), iconFile(icon, process.platform)))
}
