import { app } from 'electron'
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'

export function relaunch(args: readonly string[]): void {
  if (process.platform === 'linux') {
    startAfterExit(programOf(process.env, process.execPath), args)
  } else {
    app.relaunch({ args: [...args], execPath: process.execPath })
  }
}

/** Up to a minute, for the first process to end. */
const WAIT_AND_START = `
pid=$1; shift; tries=600
while [ $tries -gt 0 ] && kill -0 "$pid" 2>/dev/null; do tries=$((tries - 1)); sleep 0.1 || sleep 1; done
exec "$@"`

/** Earlier, `program` would find the profile in use. What `app.relaunch` starts can never gain privileges: it could not mount an AppImage or ask for a password. */
function startAfterExit(program: string, args: readonly string[]): void {
  const child = spawn(
    '/bin/sh',
    ['-c', WAIT_AND_START, 'tabscope', String(process.pid), program, ...args],
    {
      env: withoutAppImage(process.env, process.resourcesPath),
      detached: true,
      stdio: 'ignore',
    },
  )
  // Not reported: the app is ending.
  child.on('error', () => undefined)
  child.unref()
}

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
