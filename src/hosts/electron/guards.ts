import { app } from 'electron'
import { disableSpellChecker } from './permissions.ts'

/** Through its debugging port, another user of the machine could read everything in the packaged app. */
const REFUSED = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address']

/** For every window. Call it before the app is ready. Throws an error for the user if the packaged app was started with a switch for a debugger. */
export function guardApp(): void {
  const refused = REFUSED.find((name) => app.commandLine.hasSwitch(name))
  if (app.isPackaged && refused !== undefined) {
    throw new Error(`Tabscope does not allow --${refused}. Start it without this switch.`)
  }
  withoutSandbox = app.commandLine.hasSwitch('no-sandbox')
  // Sandboxes every window, even one that does not ask for it. Removes `--no-sandbox` from the command line.
  app.enableSandbox()
  app.on('session-created', disableSpellChecker)
  hideAddressesOfWarnings()
  // By default, Electron sends the first available client certificate to any page that asks for one, which identifies the user.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, respond) => {
    event.preventDefault()
    respond()
  })
}

/** Electron warns about each page that cannot be loaded, with its full URL, which may contain a code or token. Desktops store this output. */
function hideAddressesOfWarnings(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'electron') process.stderr.write(`${name}: ${message}\n`)
  })
}

/** `app.enableSandbox` removes `--no-sandbox` from the command line. */
let withoutSandbox = false

/** For the log; null without `--no-sandbox`. Call it after `guardApp`. */
export function sandboxNotice(): string | null {
  // The AppImage launcher adds it when the system does not allow the sandbox to use namespaces.
  return withoutSandbox
    ? "Chromium's sandbox is not complete: Tabscope was started with --no-sandbox. On Linux the deb package does not need it."
    : null
}
