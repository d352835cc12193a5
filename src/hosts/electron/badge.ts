import { app } from 'electron'
import type { DesktopHost } from './desktop-host.ts'
import { iconOf } from './tray/icon.ts'
import type { Watch } from './watch.ts'

/** Shows on the app's own icon how much failed unseen: a number in the dock, or a mark on the window in the taskbar of Windows. */
export function startBadge({ window }: DesktopHost, watch: Watch): void {
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
