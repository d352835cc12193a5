import { realpathSync } from 'node:fs'
import path from 'node:path'

/** An AppImage runs from a mount that is gone at the next start, so its file is started, unless the environment names a different AppImage. */
export function programOf(env: NodeJS.ProcessEnv, execPath: string): string {
  const { APPIMAGE: image, APPDIR: mount } = env
  if (image === undefined || !path.isAbsolute(image)) return execPath
  return mount === undefined || runsFromAppImage(env, execPath) ? image : execPath
}

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

/** An AppImage adds folders of its mount to these. */
const SEARCH_PATHS = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR']

/** The mount of an AppImage is gone when the process ends. */
export function withoutAppImage(env: NodeJS.ProcessEnv, resources: string): NodeJS.ProcessEnv {
  const { APPIMAGE: _image, APPDIR: mount, ARGV0: _name, OWD: _folder, ...rest } = env
  if (mount === undefined || !runsFromAppImage(env, resources)) return { ...env }
  for (const name of SEARCH_PATHS) {
    const folders = rest[name]?.split(':').filter((folder) => !isIn(mount, folder))
    if (folders === undefined) continue
    if (folders.length > 0) rest[name] = folders.join(':')
    else delete rest[name]
  }
  return rest
}

function isIn(mount: string, folder: string): boolean {
  const inside = path.relative(mount, folder)
  return path.isAbsolute(folder) && !inside.startsWith('..')
}
