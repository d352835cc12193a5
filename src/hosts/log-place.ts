import { homedir } from 'node:os'
import path from 'node:path'
import { defaultDataDir } from './data-dir.ts'

const name = 'tabscope.log'

/**
 * Absolute path of the log of a data folder, the same for the desktop app and the command line. That of the usual folder is where the system
 * keeps logs; a folder that somebody chose has its own in it, so that no two folders share one.
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
