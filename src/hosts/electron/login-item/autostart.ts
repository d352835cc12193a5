import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix as path } from 'node:path'
import { desktopEntry } from './desktop-entry.ts'

/** Where the entry of a user is: under `XDG_CONFIG_HOME`, which counts only where it is absolute. */
export function autostartFile(env: NodeJS.ProcessEnv, home: string): string {
  const named = env['XDG_CONFIG_HOME']
  const config = named !== undefined && path.isAbsolute(named) ? named : path.join(home, '.config')
  return path.join(config, 'autostart', 'tabscope.desktop')
}

/** Writes or removes the entry. Answers whether something was changed. Throws a sentence when the program cannot be named in one. */
export function setAutostart(
  file: string,
  wanted: boolean,
  program: string,
  args: readonly string[],
): boolean {
  if (!wanted) {
    const was = read(file) !== null
    rmSync(file, { force: true })
    return was
  }
  const entry = desktopEntry(program, args)
  if (read(file) === entry) return false
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, entry)
  return true
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
