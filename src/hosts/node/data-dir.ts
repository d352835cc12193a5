import { homedir } from 'node:os'
import path from 'node:path'

/** The folder of the data where none is named: by the habit of each system. Absolute. */
export function defaultDataDir(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const home = homedir()
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'Tabscope', 'data')
    case 'win32':
      return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Tabscope', 'data')
    default:
      return path.join(env['XDG_DATA_HOME'] || path.join(home, '.local', 'share'), 'tabscope')
  }
}
