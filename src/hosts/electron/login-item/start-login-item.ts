import { app } from 'electron'
import { homedir } from 'node:os'
import { APP_ID, type DesktopHost } from '../desktop-host.ts'
import { defaultDataDir } from '../../data-dir.ts'
import type { DesktopMemory } from '../desktop-memory.ts'
import type { EngineMirror } from '../engine-mirror.ts'
import { programOf } from '../relaunch.ts'
import type { Watch } from '../watch.ts'
import {
  loginArguments,
  autostartEntry,
  autostartFile,
  syncLoginItem,
  macLoginItem,
  windowsLoginItem,
  type LoginItem,
} from './login-item.ts'

interface Parts {
  readonly host: DesktopHost
  readonly mirror: EngineMirror
  readonly memory: DesktopMemory
  readonly watch: Watch
}

/** Not from a checkout, where the system would start Electron without the app. On macOS login items have no arguments, so only for the default data folder. */
export function hasLoginItem(dataDir: string): boolean {
  return app.isPackaged && (process.platform !== 'darwin' || dataDir === defaultDataDir())
}

export function startLoginItem({ host, mirror, memory, watch }: Parts): void {
  const { view, log, dataDir } = host
  if (!hasLoginItem(dataDir)) return
  const sync = syncLoginItem({
    item: itemOf(loginArguments(dataDir, defaultDataDir())),
    lastKnown: {
      get: () => memory.current.loginItem,
      set: (loginItem) => memory.remember({ loginItem }),
    },
    updateSetting: (openAtLogin) => {
      view
        .call('settings.update', { openAtLogin })
        .catch((error: unknown) => log.error('The setting was not changed', error))
    },
    log,
  })
  mirror.onChange(({ settings }) => sync.settingChanged(settings.openAtLogin))
  watch.onLook(() => sync.refresh())
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
