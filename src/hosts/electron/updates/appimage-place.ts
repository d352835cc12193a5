import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether this process runs out of the AppImage that its environment names. A terminal that came out of one hands both names on to whatever is
 * started in it, and that one's file must not be replaced.
 */
export function runsFromAppImage(env: NodeJS.ProcessEnv, resources: string): boolean {
  const { APPIMAGE: file, APPDIR: mount } = env
  if (file === undefined || mount === undefined || !path.isAbsolute(file)) return false
  const inside = path.relative(real(mount), real(resources))
  return !inside.startsWith('..') && !path.isAbsolute(inside)
}

/** A name that tells a version tells the new one afterwards; a name that the user gave is kept. */
export function placeOf(file: string, fetched: string): string {
  return /\d+\.\d+\.\d+/.test(path.basename(file))
    ? path.join(path.dirname(file), path.basename(fetched))
    : file
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder)
  }
}
