import type { App } from 'electron'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix as path } from 'node:path'
import { runsFromAppImage } from '../updates/installation.ts'
import type { Log } from '#engine/platform/ports.ts'

/** What the system starts at log-in, by the system's own word: its settings have a switch for it as well. */
export interface LoginItem {
  /** Whether it starts this Tabscope, on these data. */
  read(): boolean
  /** Where it is so already, the system is not asked again. Throws where that cannot be. */
  write(on: boolean): void
}

export type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

/** macOS takes no arguments: `wasOpenedAtLogin` tells, and it is the usual data folder that is opened. */
export function macLoginItem(items: LoginItems): LoginItem {
  // False as well where the user has yet to approve it, or has switched it off in the system's settings.
  const read = (): boolean => items.getLoginItemSettings().openAtLogin
  return {
    read,
    write(on) {
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on })
    },
  }
}

/** `appId`: the name of its value in the registry, which is the AppUserModelID. */
export function windowsLoginItem(
  items: LoginItems,
  program: string,
  appId: string,
  args: readonly string[],
): LoginItem {
  // Electron quotes program and arguments itself, when it writes and when it compares.
  const given = { args: [...args] }
  const read = (): boolean => {
    // What was switched off in the task manager still stands in the registry. It is looked up by the program's path, which ends at its first
    // space where it has no quotes; for the comparison Electron takes them off again.
    const { openAtLogin, launchItems } = items.getLoginItemSettings({
      ...given,
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
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on, ...given })
    },
  }
}

/** What it is started with at log-in: without a window, and on the same data. */
export function loginArguments(dataDir: string, usual: string): string[] {
  return ['--hidden', ...sameData(dataDir, usual)]
}

/** What has another start use the same data. */
export function dataDirArguments(dataDir: string, usual: string): string[] {
  return dataDir === usual ? [] : ['--data', dataDir]
}

// An entry of the XDG autostart folder, by the Desktop Entry Specification 1.5.

/** The text of the entry that starts `program` with `args`. Throws a sentence where the specification has no way to name it. */
export function desktopEntry(program: string, args: readonly string[]): string {
  const words = [program, ...args]
  if (words.some((word) => /[\u0000-\u001F\u007F]/.test(word))) {
    throw new Error(
      'A path with a line break or another control character cannot be started at log-in.',
    )
  }
  if (program.includes('=')) {
    // "The executable program can either be specified with its full path or with the name of the executable […]. The name or path of the executable program may not contain the equal sign."
    throw new Error('A program whose path has an equal sign cannot be started at log-in.')
  }
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Tabscope',
    'Comment=Inspector for webhooks',
    `Exec=${execArgument(program)}${execTail(args)}`,
    'Icon=tabscope',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** How `Exec` goes on behind the program. */
export function execTail(args: readonly string[]): string {
  return args.map((argument) => ` ${execArgument(argument)}`).join('')
}

/** What an entry says under `key`; undefined: nothing. */
export function valueOf(entry: string, key: string): string | undefined {
  for (const line of entry.split('\n')) {
    const at = line.indexOf('=')
    if (at !== -1 && line.slice(0, at).trim() === key) return line.slice(at + 1).trim()
  }
  return undefined
}

/**
 * One argument of `Exec`, in quotes: within them `"`, a backtick, `$` and `\` are escaped, and a per cent sign is doubled, since it would begin
 * a field code. Then the backslashes once more, as in every string of the file.
 */
export function execArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}

/** Where the entry of a user is: under `XDG_CONFIG_HOME`, which counts only where it is absolute. */
export function autostartFile(env: NodeJS.ProcessEnv, home: string): string {
  const named = env['XDG_CONFIG_HOME']
  const config = named !== undefined && path.isAbsolute(named) ? named : path.join(home, '.config')
  return path.join(config, 'autostart', 'tabscope.desktop')
}

/**
 * The program that is to be started. An AppImage runs from a mount that is gone at the next start: its own file is named beside, unless that is
 * another AppImage from which this one was started.
 */
export function programOf(env: NodeJS.ProcessEnv, execPath: string): string {
  const { APPIMAGE: image, APPDIR: mount } = env
  if (image === undefined || !path.isAbsolute(image)) return execPath
  return mount === undefined || runsFromAppImage(env, execPath) ? image : execPath
}

/** The entry at `file`. Writing throws a sentence when the program cannot be named in one. */
export function autostartEntry(file: string, program: string, args: readonly string[]): LoginItem {
  const tail = execTail(args)
  const read = (): boolean => {
    const text = textOf(file)
    // Desktops switch an entry off by one of these, and leave it where it is.
    return (
      isOurs(text) &&
      valueOf(text, 'Hidden') !== 'true' &&
      valueOf(text, 'X-GNOME-Autostart-enabled') !== 'false'
    )
  }
  /** It starts what another data folder wants to be started at log-in: that is not ours to remove. */
  const isOurs = (text: string): boolean => valueOf(text, 'Exec')?.endsWith(tail) === true

  return {
    read,
    write(on) {
      const text = textOf(file)
      if (!on) {
        if (isOurs(text)) rmSync(file, { force: true })
        return
      }
      const entry = desktopEntry(program, args)
      // What the user has added to an entry of ours stays there. A program that has moved is named anew.
      if (read() && valueOf(text, 'Exec') === valueOf(entry, 'Exec')) return
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
  /** How the system had it when it was last looked at, in this run or one before. */
  readonly last: { get(): boolean; set(on: boolean): void }
  /** The settings are to say this. */
  readonly tell: (on: boolean) => void
  readonly log: Log
}

/** Keeps the system and the settings to the same: whichever was changed last is right. */
export interface LoginItemSync {
  /** The settings say this. */
  settings(on: boolean): void
  /** Somebody looks at Tabscope, perhaps after having changed it in the system's settings. */
  look(): void
}

export function syncLoginItem({ item, last, tell, log }: Parts): LoginItemSync {
  let wanted: boolean | undefined

  function now(): boolean {
    try {
      return item.read()
    } catch (error) {
      log.warn(`Whether Tabscope opens at log-in could not be found out: ${String(error)}`)
      return last.get()
    }
  }

  /** What the system has, it has: the settings say the same from here on. */
  function settle(): void {
    const on = now()
    if (on !== last.get()) last.set(on)
    if (on === wanted) return
    wanted = on
    tell(on)
  }

  function write(on: boolean): void {
    try {
      item.write(on)
    } catch (error) {
      log.warn(`Opening at log-in could not be set: ${String(error)}`)
    }
  }

  return {
    settings(on) {
      if (on === wanted) return
      const first = wanted === undefined
      wanted = on
      // At the start the system may have been changed since; what it has from us is brought up to date, should the program have moved.
      if (!first || now() === last.get()) write(on)
      settle()
    },
    look() {
      if (wanted !== undefined) settle()
    },
  }
}
