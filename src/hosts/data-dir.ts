import { homedir } from 'node:os'
import path from 'node:path'
import { readConfiguration, type Configuration } from './configuration.ts'

/** The folder of the data where none is named, the same for the desktop app and the command line: by the habit of each system. Absolute. */
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
 * The data folder that the user has chosen without a flag: the environment variable `TABSCOPE_DATA`, else `data` of the configuration file;
 * undefined: neither. Absolute; a relative `TABSCOPE_DATA` is resolved against `cwd`. Throws `ConfigurationError`.
 */
export function chosenDataDir(
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
  configuration: () => Configuration = readConfiguration,
): string | undefined {
  const variable = env['TABSCOPE_DATA']
  return variable ? path.resolve(cwd, variable) : configuration().data
}
