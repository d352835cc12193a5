import { app } from 'electron'
import { homedir } from 'node:os'
import { defaultDataDir } from '../../data-dir.ts'
import type { DesktopHost } from '../desktop-host.ts'
import type { FollowedPicture } from '../picture.ts'
import { loginArguments, quoted } from './arguments.ts'
import { autostartFile, setAutostart } from './autostart.ts'

/** Keeps what the system starts at log-in to what the settings say. */
export function startLoginItem({ dataDir, log }: DesktopHost, picture: FollowedPicture): void {
  let known: boolean | undefined
  const args = loginArguments(dataDir, defaultDataDir())

  picture.onChange(({ settings: { openAtLogin } }) => {
    if (openAtLogin === known) return
    const first = known === undefined
    known = openAtLogin
    if (!app.isPackaged) {
      // What the system would start is Electron alone, without this folder.
      if (openAtLogin && !first) {
        log.warn('Opening at log-in is for the installed app: from the sources nothing was set.')
      }
      return
    }
    try {
      setLoginItem(openAtLogin, args)
    } catch (error) {
      log.warn(`Opening at log-in could not be set: ${String(error)}`)
    }
  })
}

function setLoginItem(openAtLogin: boolean, args: readonly string[]): void {
  switch (process.platform) {
    case 'darwin':
      // It takes no arguments there: `wasOpenedAtLogin` tells.
      if (app.getLoginItemSettings().openAtLogin !== openAtLogin) {
        app.setLoginItemSettings({ openAtLogin })
      }
      break
    case 'win32':
      // Electron joins the arguments with spaces, and leaves the quotes to us.
      app.setLoginItemSettings({ openAtLogin, args: args.map(quoted) })
      break
    default: {
      // An AppImage runs from a mount that is gone at the next start: its own file is named beside.
      const program = process.env['APPIMAGE'] ?? process.execPath
      setAutostart(autostartFile(process.env, homedir()), openAtLogin, program, args)
    }
  }
}
