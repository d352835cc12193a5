import { app, dialog } from 'electron'
import type { DesktopHost } from './desktop-host.ts'
import type { DesktopMemory } from './desktop-memory.ts'
import type { Notifier } from './notifications/notifier.ts'
import { backgroundNote } from './notifications/words.ts'
import type { FollowedPicture } from './picture.ts'

interface Parts {
  readonly host: DesktopHost
  readonly picture: FollowedPicture
  readonly memory: DesktopMemory
  readonly notifier: Notifier
}

/**
 * Whether Tabscope goes on without a window: where the settings say so, and on macOS always, as apps do there. The window that is closed is
 * gone, and its page with it: a page that nobody sees would take in all that arrives for nothing. What it showed is known by its address,
 * and drafts and runs are the engine's, so a new window goes on where the old one was.
 */
export function startBackground({ host, picture, memory, notifier }: Parts): void {
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
