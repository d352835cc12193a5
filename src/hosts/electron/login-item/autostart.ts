import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix as path } from 'node:path'
import { runsFromAppImage } from '../updates/appimage-place.ts'
import { desktopEntry, execTail, valueOf } from './desktop-entry.ts'
import type { LoginItem } from './login-item.ts'

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
