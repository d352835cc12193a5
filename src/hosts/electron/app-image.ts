import { realpathSync } from 'node:fs'
import path from 'node:path'

/** A terminal started from an AppImage passes its variables on to other programs, whose files must not be replaced. */
export function runsFromAppImage(env: NodeJS.ProcessEnv, resources: string): boolean {
  const { APPIMAGE: file, APPDIR: mount } = env
  if (file === undefined || mount === undefined || !path.isAbsolute(file)) return false
  return isIn(real(mount), real(resources))
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder)
  }
}

function isIn(mount: string, folder: string): boolean {
  const inside = path.relative(mount, folder)
  return path.isAbsolute(folder) && !inside.startsWith('..')
}
