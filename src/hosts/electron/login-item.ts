import { app, type App } from 'electron'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Log } from '#engine/platform/ports.ts'
import { absoluteFolder } from '../configuration.ts'
import { defaultDataDir } from '../data-dir.ts'
import { APP_ID, type DesktopHost } from './desktop-host.ts'
import type { DesktopMemory } from './desktop-memory.ts'
import type { EngineMirror } from './engine-mirror.ts'
import { programOf } from './app-image.ts'
import type { Watch } from './watch.ts'

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
  const args = ['--hidden', ...dataArgs]
  switch (process.platform) {
    case 'darwin':
      return macLoginItem(app)
    case 'win32':
      return windowsLoginItem(app, process.execPath, APP_ID, args)
    default: {
      const config = absoluteFolder(path, process.env['XDG_CONFIG_HOME'], homedir(), '.config')
      const file = path.join(config, 'autostart/tabscope.desktop')
      return desktopFile(file, [programOf(process.env, process.execPath), ...args])
    }
  }
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

/** Linux: in the XDG autostart folder, by the Desktop Entry Specification 1.5. */
export function desktopFile(file: string, command: readonly string[]): LoginItem {
  const exec = `Exec=${command.map(execArgument).join(' ')}`
  const lines = (): string[] => {
    try {
      return readFileSync(file, 'utf8').split('\n')
    } catch {
      return []
    }
  }
  return {
    // Desktops disable an entry with one of these keys.
    read: () =>
      lines().includes(exec) &&
      !lines().some((line) => /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/.test(line)),
    write(on) {
      if (on) {
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Tabscope\n${exec}\n`)
        // Not the entry for another data folder.
      } else if (lines().includes(exec)) rmSync(file)
    },
  }
}

/** Within quotes, `"`, a backtick, `$` and `\` are escaped, and `%` is doubled. Then all backslashes are escaped again, as in every string of the file. */
function execArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}

interface SyncParts {
  readonly item: LoginItem
  /** In this run or an earlier one. */
  readonly lastKnown: { get(): boolean; set(on: boolean): void }
  readonly updateSetting: (on: boolean) => void
  readonly log: Pick<Log, 'warn'>
}

/** The last change of system or setting wins. */
export interface LoginItemSync {
  settingChanged(on: boolean): void
  /** The user looks at Tabscope, perhaps after a change in the system settings. */
  refresh(): void
}

export function syncLoginItem({ item, lastKnown, updateSetting, log }: SyncParts): LoginItemSync {
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
    settingChanged(on) {
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
    refresh() {
      if (setting !== undefined) sync()
    },
  }
}
