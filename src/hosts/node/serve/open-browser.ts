import { spawn } from 'node:child_process'

/** Some programs that open URLs run as long as the browser. */
const FAILURE_MS = 2_000

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly failureMs?: number
}

/** False if there is none or the URL could not be opened. */
export function openBrowser(
  address: string,
  { env = process.env, failureMs = FAILURE_MS }: Options = {},
): Promise<boolean> {
  const [command, ...args] = commandFor(address)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env })
    const timer = setTimeout(() => resolve(true), failureMs)
    const end = (opened: boolean): void => {
      clearTimeout(timer)
      resolve(opened)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
    child.unref()
  })
}

function commandFor(address: string): [string, ...string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', address]
    case 'win32':
      // `start` would treat an & in the URL as the end of the command.
      return ['rundll32', 'url.dll,FileProtocolHandler', address]
    default:
      return ['xdg-open', address]
  }
}
