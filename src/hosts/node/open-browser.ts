import { spawn } from 'node:child_process'

/** Opens an address in the system's browser. False where there is none to be found. */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = commandFor(address)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function commandFor(address: string): [string, ...string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', address]
    case 'win32':
      // `start` would take the & in an address for the end of the command.
      return ['rundll32', 'url.dll,FileProtocolHandler', address]
    default:
      return ['xdg-open', address]
  }
}
