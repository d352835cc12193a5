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
    if (process.platform !== 'darwin') tray.on('click', () => this.#act({ kind: 'show' }))
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
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'status':
        return { label: item.label, enabled: false }
      case 'action': {
        const { label, enabled, checked, command } = item
        const click = (): void => this.#act(command)
        return checked === undefined
          ? { label, enabled, click }
          : { label, enabled, click, type: 'checkbox', checked }
      }
    }
  }

  #act(command: TrayAction): void {
    const { view, window, log } = this.#host
    const failed = (what: string) => (error: unknown) => void log.error(what, error)
    switch (command.kind) {
      case 'show':
        window.show().catch(failed('The window was not shown'))
        break
      case 'copy':
        this.#copy().catch(failed('The webhook URL was not copied'))
        break
      case 'listen':
        view.call('listener.start', {}).catch(failed('The listener was not started'))
        break
      case 'open-tunnel':
        view.call('tunnel.open', {}).catch((error: unknown) => {
          log.error('The tunnel was not opened', error)
          // The page shows what is missing.
          window.show(TUNNEL_URL).catch(failed('The window was not shown'))
        })
        break
      case 'close-tunnel':
        view.call('tunnel.close', {}).catch(failed('The tunnel was not closed'))
        break
      case 'background':
        view.call('settings.update', { background: command.on }).catch((error: unknown) => {
          log.error('The setting was not changed', error)
          // The item has already toggled its check mark.
          this.#shownState = ''
          this.update()
        })
        break
      case 'quit':
        app.quit()
        break
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
