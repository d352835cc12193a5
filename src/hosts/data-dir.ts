import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import {
  absoluteFolder,
  homeFolder,
  readConfiguration,
  type Configuration,
} from './configuration.ts'
import { fileURLToPath } from 'node:url'

/** By the convention of each system. Absolute. */
export function defaultDataDir(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homeFolder(),
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix
  switch (platform) {
    case 'darwin':
      return paths.join(home, 'Library', 'Application Support', 'Tabscope', 'data')
    case 'win32':
      return paths.join(windowsAppFolder(env, home), 'data')
    default:
      return paths.join(
        absoluteFolder(paths, env['XDG_DATA_HOME'], home, '.local', 'share'),
        'tabscope',
      )
  }
}

/** Local: a roaming profile would copy the store over the network at each login. Absolute. */
export function windowsAppFolder(
  env: NodeJS.ProcessEnv = process.env,
  home = homeFolder(),
): string {
  const { win32 } = path
  return win32.join(
    absoluteFolder(win32, env['LOCALAPPDATA'], home, 'AppData', 'Local'),
    'Tabscope',
  )
}

/** `folder` is absolute, and may name the default by a link, in another case or with a separator at its end. */
export function isDefaultDataDir(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homeFolder(),
): boolean {
  const paths = platform === 'win32' ? path.win32 : path.posix
  // In the case that the disk has. Of a folder that does not exist yet, only the existing part is known.
  const real = (given: string): string => {
    const parent = paths.dirname(given)
    try {
      return realpathSync.native(given)
    } catch {
      return parent === given ? given : paths.join(real(parent), paths.basename(given))
    }
  }
  const ignoresCase = (platform === 'win32' || platform === 'darwin') && !existsSync(folder)
  const normalize = (given: string): string => {
    const found = real(paths.resolve(given))
    return ignoresCase ? found.toLowerCase() : found
  }
  return normalize(folder) === normalize(defaultDataDir(platform, env, home))
}

/** `TABSCOPE_DATA`, resolved against `cwd`, else `data` of the configuration file. Absolute. Throws `bad_input`. */
export function configuredDataDir(
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
  configuration: () => Configuration = readConfiguration,
): string | undefined {
  const variable = env['TABSCOPE_DATA']
  return variable ? path.resolve(cwd, variable) : configuration().data
}

const logFileName = 'tabscope.log'

/** Absolute. For the default folder where the system keeps logs; any other folder contains its own log, so that no two folders share one. */
export function logFileIn(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homeFolder(),
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix
  if (!isDefaultDataDir(dataDir, platform, env, home)) return paths.join(dataDir, logFileName)
  switch (platform) {
    case 'darwin':
      return paths.join(home, 'Library', 'Logs', 'Tabscope', logFileName)
    case 'win32':
      return paths.join(windowsAppFolder(env, home), 'logs', logFileName)
    default:
      // XDG Base Directory Specification: logs are state.
      return paths.join(
        absoluteFolder(paths, env['XDG_STATE_HOME'], home, '.local', 'state'),
        'tabscope',
        logFileName,
      )
  }
}

/** Beside the log, so that whoever looks for one finds the other. */
export function crashFolder(logFile: string): string {
  return path.join(path.dirname(logFile), 'crashes')
}

/** More is most likely a mistake. */
export const maxLogFiles = 20

const logExtension = /\.(tabscope|ndjson|har)(\.gz)?$/i

/** `file:`, `https:` and the like. One letter is a drive of Windows. */
const urlScheme = /^[a-z][a-z\d+.-]+:/i

/** Absolute paths. The arguments also contain the app's folder and Chromium's switches; Linux desktops pass a double-clicked file as a `file:` URL. */
export function logFilesOf(args: readonly string[], cwd: string): string[] {
  return args
    .filter((arg) => arg.length <= 4000)
    .map((arg) => (urlScheme.test(arg) ? localFileOf(arg) : arg))
    .filter((arg) => arg !== null)
    .filter((arg) => logExtension.test(arg) && !arg.includes('\0'))
    .slice(0, maxLogFiles)
    .map((arg) => path.resolve(cwd, arg))
}

/** RFC 8089; null for any other URL, or one that names another machine. */
function localFileOf(arg: string): string | null {
  const url = URL.parse(arg)
  if (url?.protocol !== 'file:') return null
  // Windows would contact the named machine and identify the user to it. More than one slash also names a machine.
  if (url.host !== '' || /^(\/|%5c|%2f){2}/i.test(url.pathname)) return null
  // In a file name these characters are encoded.
  if (url.search !== '' || url.hash !== '') return null
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
