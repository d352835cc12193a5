import { app } from 'electron'

/**
 * Switches by which whoever starts the packaged app would look into it, have written down what its pages send and get, start another program
 * in the place of one of its processes, or take a guard away from its pages.
 */
const REFUSED = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'disable-web-security',
  'allow-running-insecure-content',
  'allow-file-access-from-files',
  'unsafely-treat-insecure-origin-as-secure',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'host-rules',
  'host-resolver-rules',
  'load-extension',
  'js-flags',
  'ssl-key-log-file',
  'log-net-log',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'single-process',
  'enable-blink-features',
] as const

/**
 * What holds whichever window there is. Only before the app is ready. Throws a sentence when the packaged app was started with a switch that
 * takes a guard away; a checkout may be debugged.
 */
export function guardApp(): void {
  const refused = REFUSED.find((name) => app.commandLine.hasSwitch(name))
  if (app.isPackaged && refused !== undefined) {
    throw new Error(`Tabscope does not start with --${refused}. Start it without.`)
  }
  // A window that would forget to ask for the sandbox has it all the same.
  app.enableSandbox()
  // Unasked, Electron would identify the user to any page that wants a certificate, by the first one there is.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault()
    answer()
  })
}

/** For the log: what it means where pages run without Chromium's sandbox; null where they have it. */
export function sandboxNotice(): string | null {
  // What starts an AppImage adds it by itself where the system refuses the sandbox its namespaces.
  if (!app.commandLine.hasSwitch('no-sandbox')) return null
  return "Pages run without Chromium's sandbox, since Tabscope was started with --no-sandbox. On Linux the deb package does not need it."
}
