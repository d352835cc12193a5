import { homedir } from 'node:os'
import path from 'node:path'

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
