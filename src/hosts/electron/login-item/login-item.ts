import type { App } from 'electron'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix as path } from 'node:path'
import type { Log } from '#engine/platform/ports.ts'

/** The source of truth is the system, whose settings have a switch for it as well. */
export interface LoginItem {
  /** The system starts this Tabscope with this data folder. */
  read(): boolean
  /** Does nothing if nothing changes. Throws if it cannot be set. */
  write(on: boolean): void
}

export type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

/** On macOS a login item has no arguments: `wasOpenedAtLogin` detects the start at login, and it opens the default data folder. */
export function macLoginItem(items: LoginItems): LoginItem {
  // Also false if the user has not approved it yet, or has turned it off in the system settings.
  const read = (): boolean => items.getLoginItemSettings().openAtLogin
  return {
    read,
    write(on) {
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on })
    },
  }
}

/** `appId`: the name of the registry value, which is the AppUserModelID. */
export function windowsLoginItem(
  items: LoginItems,
  program: string,
  appId: string,
  args: readonly string[],
): LoginItem {
  // Electron quotes program and arguments itself, both to write and to compare.
  const options = { args: [...args] }
  const read = (): boolean => {
    // An item that was turned off in the task manager is still in the registry. The lookup cuts a program path at its first space unless it is quoted; for the
    // comparison Electron removes the quotes.
    const { openAtLogin, launchItems } = items.getLoginItemSettings({
      ...options,
      path: `"${program}"`,
    })
    return (
      openAtLogin &&
      !launchItems.some(
        ({ name, scope, enabled }) => name === appId && scope === 'user' && !enabled,
      )
    )
  }
  return {
    read,
    write(on) {
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on, ...options })
    },
  }
}

/** No window, and the same data folder. */
export function loginArguments(dataDir: string, defaultDir: string): string[] {
  return ['--hidden', ...dataDirArguments(dataDir, defaultDir)]
}

/** For the same data folder. */
export function dataDirArguments(dataDir: string, defaultDir: string): string[] {
  return dataDir === defaultDir ? [] : ['--data', dataDir]
}

// Linux: an entry in the XDG autostart folder, by the Desktop Entry Specification 1.5.

/** Throws a sentence if the specification cannot express it. */
export function desktopEntry(program: string, args: readonly string[]): string {
  const command = [program, ...args]
  if (command.some((part) => /[\u0000-\u001F\u007F]/.test(part))) {
    throw new Error(
      'A path with a line break or another control character cannot be started at login.',
    )
  }
  if (program.includes('=')) {
    // "The executable program can either be specified with its full path or with the name of the executable […]. The name or path of the executable program may not contain the equal sign."
    throw new Error('A program whose path contains an equal sign cannot be started at login.')
  }
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Tabscope',
    'Comment=Inspector for webhooks',
    // Desktops ignore the entry once the program is gone.
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${execArgument(program)}${execTail(args)}`,
    'Icon=tabscope',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

export function execTail(args: readonly string[]): string {
  return args.map((argument) => ` ${execArgument(argument)}`).join('')
}

export function entryValue(entry: string, key: string): string | undefined {
  for (const line of entry.split('\n')) {
    const at = line.indexOf('=')
    if (at !== -1 && line.slice(0, at).trim() === key) return line.slice(at + 1).trim()
  }
  return undefined
}

/** Within quotes, `"`, a backtick, `$` and `\` are escaped, and `%` is doubled. Then all backslashes are escaped again, as in every string of the file. */
export function execArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}

/** Under `XDG_CONFIG_HOME` if that is absolute, else under `~/.config`. */
export function autostartFile(env: NodeJS.ProcessEnv, home: string): string {
  const configured = env['XDG_CONFIG_HOME']
  const config =
    configured !== undefined && path.isAbsolute(configured)
      ? configured
      : path.join(home, '.config')
  return path.join(config, 'autostart', 'tabscope.desktop')
}

/** `write` throws a sentence if an entry cannot express the program. */
export function autostartEntry(file: string, program: string, args: readonly string[]): LoginItem {
  const tail = execTail(args)
  const read = (): boolean => {
    const text = textOf(file)
    // Desktops disable an entry with one of these keys.
    return (
      isOurs(text) &&
      entryValue(text, 'Hidden') !== 'true' &&
      entryValue(text, 'X-GNOME-Autostart-enabled') !== 'false'
    )
  }
  /** False for an entry with another data folder, which must not be removed. */
  const isOurs = (text: string): boolean => entryValue(text, 'Exec')?.endsWith(tail) === true

  return {
    read,
    write(on) {
      const text = textOf(file)
      if (!on) {
        if (isOurs(text)) rmSync(file, { force: true })
        return
      }
      const entry = desktopEntry(program, args)
      // An unchanged entry is not rewritten, which keeps the user's additions. It is rewritten if the program has moved.
      if (read() && entryValue(text, 'Exec') === entryValue(entry, 'Exec')) return
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, entry)
    },
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

interface Parts {
  readonly item: LoginItem
  /** In this run or an earlier one. */
  readonly lastKnown: { get(): boolean; set(on: boolean): void }
  readonly updateSetting: (on: boolean) => void
  readonly log: Log
}

/** The last change of system or setting wins. */
export interface LoginItemSync {
  settingChanged(on: boolean): void
  /** The user looks at Tabscope, perhaps after a change in the system settings. */
  refresh(): void
}

export function syncLoginItem({ item, lastKnown, updateSetting, log }: Parts): LoginItemSync {
  let setting: boolean | undefined

  function currentState(): boolean {
    try {
      return item.read()
    } catch (error) {
      log.warn(`Could not read whether Tabscope opens at login: ${String(error)}`)
      return lastKnown.get()
    }
  }

  /** The system's state wins. */
  function sync(): void {
    const on = currentState()
    if (on !== lastKnown.get()) lastKnown.set(on)
    if (on === setting) return
    setting = on
    updateSetting(on)
  }

  function write(on: boolean): void {
    try {
      item.write(on)
    } catch (error) {
      log.warn(`Could not change whether Tabscope opens at login: ${String(error)}`)
    }
  }

  return {
    settingChanged(on) {
      if (on === setting) return
      const isFirst = setting === undefined
      setting = on
      // At the start, the system's state may have changed since the last run; otherwise it is written again, in case the program has moved.
      if (!isFirst || currentState() === lastKnown.get()) write(on)
      sync()
    },
    refresh() {
      if (setting !== undefined) sync()
    },
  }
}
