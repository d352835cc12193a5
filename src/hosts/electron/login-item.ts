import { app, type App } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { defaultDataDir } from '../data-dir.ts'
import { APP_ID, type DesktopHost } from './desktop-host.ts'
import type { DesktopMemory } from './desktop-memory.ts'
import type { EngineMirror } from './engine-mirror.ts'
import type { Watch } from './watch.ts'

interface Parts {
  readonly host: DesktopHost
  readonly mirror: EngineMirror
  readonly memory: DesktopMemory
  readonly watch: Watch
}

/**
 * Not from a checkout, where the system would start Electron without the app, and not on Linux, whose desktops have lists of their own. On macOS login items
 * have no arguments, so only for the default data folder.
 */
export function hasLoginItem(dataDir: string): boolean {
  if (!app.isPackaged || process.platform === 'linux') return false
  return process.platform !== 'darwin' || dataDir === defaultDataDir()
}

export function startLoginItem({ host, mirror, memory, watch }: Parts): void {
  const { view, log, dataDir } = host
  if (!hasLoginItem(dataDir)) return
  const sync = syncLoginItem({
    item: itemOf(dataDir === defaultDataDir() ? [] : ['--data', dataDir]),
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

function itemOf(dataArgs: readonly string[]): LoginItem {
  return process.platform === 'darwin'
    ? macLoginItem(app)
    : windowsLoginItem(app, process.execPath, APP_ID, ['--hidden', ...dataArgs])
}

/** The source of truth is the system, whose settings have a switch for it as well. */
export interface LoginItem {
  /** The system starts this Tabscope with this data folder. */
  read(): boolean
  /** Throws if it cannot be set. */
  write(on: boolean): void
}

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

/** On macOS a login item has no arguments: `wasOpenedAtLogin` detects the start at login, and it opens the default data folder. */
function macLoginItem(items: LoginItems): LoginItem {
  return {
    // Also false if the user has not approved it yet, or has turned it off in the system settings.
    read: () => items.getLoginItemSettings().openAtLogin,
    write: (openAtLogin) => items.setLoginItemSettings({ openAtLogin }),
  }
}

/** `appId`: the name of the registry value, which is the AppUserModelID. */
export function windowsLoginItem(
  items: LoginItems,
  program: string,
  appId: string,
  args: string[],
): LoginItem {
  return {
    read() {
      // An item that was turned off in the task manager is still in the registry. The lookup cuts a program path at its first space unless it is quoted; for the
      // comparison Electron removes the quotes.
      const options = { args, path: `"${program}"` }
      const { openAtLogin, launchItems } = items.getLoginItemSettings(options)
      const isDisabled = launchItems.some(
        ({ name, scope, enabled }) => name === appId && scope === 'user' && !enabled,
      )
      return openAtLogin && !isDisabled
    },
    // Electron quotes program and arguments itself.
    write: (openAtLogin) => items.setLoginItemSettings({ openAtLogin, args }),
  }
}

interface SyncParts {
  readonly item: LoginItem
  /** In this run or an earlier one. */
  readonly lastKnown: { get(): boolean; set(on: boolean): void }
  readonly updateSetting: (on: boolean) => void
  readonly log: Pick<Log, 'warn'>
}

export function syncLoginItem({ item, lastKnown, updateSetting, log }: SyncParts) {
  let setting: boolean | undefined

  /** The system's state wins. */
  function sync(): void {
    const on = item.read()
    if (on !== lastKnown.get()) lastKnown.set(on)
    if (on === setting) return
    setting = on
    updateSetting(on)
  }

  return {
    settingChanged(on: boolean): void {
      if (on === setting) return
      const isFirst = setting === undefined
      setting = on
      // At the start, the system's state may have changed since the last run.
      if (item.read() !== on && (!isFirst || item.read() === lastKnown.get())) {
        try {
          item.write(on)
        } catch (error) {
          log.warn(`Could not change whether Tabscope opens at login: ${String(error)}`)
        }
      }
      sync()
    },
    /** The user looks at Tabscope, perhaps after a change in the system settings. */
    refresh(): void {
      if (setting !== undefined) sync()
    },
  }
}
