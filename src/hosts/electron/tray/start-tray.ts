import { app, clipboard, Menu, Tray, type MenuItemConstructorOptions } from 'electron'
import { TUNNEL_URL } from '../app-url.ts'
import type { DesktopHost } from '../desktop-host.ts'
import type { FollowedEngineMirror } from '../engine-mirror.ts'
import type { Watch } from '../watch.ts'
import { iconOf } from './icon.ts'
import {
  copyUrl,
  trayView,
  type TrayAction,
  type TrayIcon,
  type TrayItem,
  type TrayView,
} from './view.ts'

/**
 * The icon in the system's tray, for as long as Tabscope runs: without a window it is what is left of it. A desktop that has no tray shows
 * none; the app comes back by starting it again. Returns false when the icon could not be created.
 */
export function startTray(host: DesktopHost, picture: FollowedEngineMirror, watch: Watch): boolean {
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
