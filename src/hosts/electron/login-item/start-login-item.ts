import { app } from 'electron'
import { homedir } from 'node:os'
import { APP_ID, type DesktopHost } from '../desktop-host.ts'
import { defaultDataDir } from '../../data-dir.ts'
import type { DesktopMemory } from '../desktop-memory.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import type { Watch } from '../watch.ts'
import {
  loginArguments,
  autostartEntry,
  autostartFile,
  programOf,
  syncLoginItem,
  macLoginItem,
  windowsLoginItem,
  type LoginItem,
} from './login-item.ts'

interface Parts {
  readonly host: DesktopHost
  readonly picture: EngineMirror
  readonly memory: DesktopMemory
  readonly watch: Watch
}

/**
 * Whether the system can start this Tabscope at log-in. From the sources it would start Electron alone; macOS passes no arguments, so that
 * another data folder than the usual one cannot be named.
 */
export function hasLoginItem(dataDir: string): boolean {
  return app.isPackaged && (process.platform !== 'darwin' || dataDir === defaultDataDir())
}

/** Keeps what the system starts at log-in to what the settings say, and the settings to what the system says. */
export function startLoginItem({ host, picture, memory, watch }: Parts): void {
  const { view, log, dataDir } = host
  if (!hasLoginItem(dataDir)) return
  const kept = syncLoginItem({
    item: itemOf(loginArguments(dataDir, defaultDataDir())),
    last: {
      get: () => memory.now.loginItem,
      set: (loginItem) => memory.remember({ loginItem }),
    },
    tell: (openAtLogin) => {
      view
        .call('settings.update', { openAtLogin })
        .catch((error: unknown) => log.error('The setting was not changed', error))
    },
    log,
  })
  picture.onChange(({ settings }) => kept.settings(settings.openAtLogin))
  watch.onLook(() => kept.look())
}

function itemOf(args: readonly string[]): LoginItem {
  switch (process.platform) {
    case 'darwin':
      return macLoginItem(app)
    case 'win32':
      return windowsLoginItem(app, process.execPath, APP_ID, args)
    default: {
      const file = autostartFile(process.env, homedir())
      return autostartEntry(file, programOf(process.env, process.execPath), args)
    }
  }
}
