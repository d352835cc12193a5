import { homedir } from 'node:os'
import path from 'node:path'
import { readConfiguration, type Configuration } from './configuration.ts'
import { fileURLToPath } from 'node:url'

/** The default data folder of the desktop app and the command line, by the convention of each system. Absolute. */
export function defaultDataDir(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix
  // A relative folder would depend on where the command is called; the XDG specification says to ignore it.
  const named = (folder: string | undefined, usual: string): string =>
    folder !== undefined && paths.isAbsolute(folder) ? folder : usual
  switch (platform) {
    case 'darwin':
      return paths.join(home, 'Library', 'Application Support', 'Tabscope', 'data')
    case 'win32':
      return paths.join(
        named(env['APPDATA'], paths.join(home, 'AppData', 'Roaming')),
        'Tabscope',
        'data',
      )
    default:
      return paths.join(
        named(env['XDG_DATA_HOME'], paths.join(home, '.local', 'share')),
        'tabscope',
      )
  }
}

/**
 * The data folder that the user has set without a flag: the environment variable `TABSCOPE_DATA`, else `data` of the configuration file;
 * undefined if neither is set. Absolute; a relative `TABSCOPE_DATA` is resolved against `cwd`. Throws `ConfigurationError`.
 */
export function chosenDataDir(
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
  configuration: () => Configuration = readConfiguration,
): string | undefined {
  const variable = env['TABSCOPE_DATA']
  return variable ? path.resolve(cwd, variable) : configuration().data
}

const name = 'tabscope.log'

/**
 * Absolute path of the log of a data folder, for the desktop app and the command line. For the default folder it is where the system
 * keeps logs; any other folder contains its own log, so that no two folders share one.
 */
export function logFileIn(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix
  if (dataDir !== defaultDataDir(platform, env, home)) return paths.join(dataDir, name)
  switch (platform) {
    case 'darwin':
      return paths.join(home, 'Library', 'Logs', 'Tabscope', name)
    case 'win32':
      // Beside the data, where Electron would put it: …\Roaming\Tabscope\logs.
      return paths.join(paths.dirname(dataDir), 'logs', name)
    default: {
      // XDG Base Directory Specification: logs are state. A relative folder is to be ignored.
      const state = env['XDG_STATE_HOME']
      const folder =
        state !== undefined && paths.isAbsolute(state) ? state : paths.join(home, '.local', 'state')
      return paths.join(folder, 'tabscope', name)
    }
  }
}

/** Maximum number of event logs that one start imports: more is most likely a mistake. */
export const mostFiles = 20

/** File names of event logs: our own extension, and the formats that can be imported. */
const logName = /\.(tabscope|ndjson|har)(\.gz)?$/i

/** `file:`, `https:` and the like. One letter is a drive of Windows. */
const address = /^[a-z][a-z\d+.-]+:/i

/**
 * The event logs among the arguments of a start, as absolute paths. Everything else is left out: the list also holds the folder of the app and
 * Chromium's switches. Of URLs, only `file:` URLs of local files are accepted, which Linux desktops pass for a double-clicked file.
 */
export function logFilesOf(words: readonly string[], cwd: string): string[] {
  return words
    .filter((word) => word.length <= 4000)
    .map((word) => (address.test(word) ? localFileOf(word) : word))
    .filter((word) => word !== null)
    .filter((word) => logName.test(word) && !word.includes('\0'))
    .slice(0, mostFiles)
    .map((word) => path.resolve(cwd, word))
}

/** The path that a `file:` address names (RFC 8089); null when it is another address, or that of another machine. */
function localFileOf(word: string): string | null {
  const url = URL.parse(word)
  if (url?.protocol !== 'file:') return null
  // Windows would contact the named machine and identify the user. More than one slash also names a machine.
  if (url.host !== '' || /^(\/|%5c|%2f){2}/i.test(url.pathname)) return null
  // In a file name these characters are encoded.
  if (url.search !== '' || url.hash !== '') return null
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
