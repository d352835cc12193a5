import { app } from 'electron'
import { disableSpellChecker } from './permissions.ts'

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
 * Guards that hold for every window. Call it before the app is ready. Throws an error for the user when the packaged app was started with a
 * switch that removes a guard; a checkout may be debugged. `words` are the arguments of the process, without its program.
 */
export function guardApp(
  words: readonly string[] = process.argv.slice(1),
  platform: NodeJS.Platform = process.platform,
): void {
  // Not `app.commandLine.hasSwitch`: it also finds the switches that Electron and Chromium give themselves, and which those are changes.
  const given = switchNames(words, platform)
  const refused = REFUSED.find((name) => given.has(name))
  if (app.isPackaged && refused !== undefined) {
    throw new Error(`Tabscope does not allow --${refused}. Start it without this switch.`)
  }
  withoutSandbox = app.commandLine.hasSwitch('no-sandbox')
  // A window that would forget to ask for the sandbox has it all the same. It takes `--no-sandbox` from the command line.
  app.enableSandbox()
  app.on('session-created', disableSpellChecker)
  hideAddressesOfWarnings()
  // Unasked, Electron would identify the user to any page that wants a certificate, by the first one there is.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault()
    answer()
  })
}

/**
 * Electron warns on stderr of each page that cannot be loaded, with its whole address, in which a code or a token may be. A desktop keeps what
 * is written there. All other warnings are written as they are by default.
 */
function hideAddressesOfWarnings(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'electron') process.stderr.write(`${name}: ${message}\n`)
  })
}

/** Whether Tabscope was started with `--no-sandbox`, which `app.enableSandbox` removes from the command line. */
let withoutSandbox = false

/** For the log: what it means that Tabscope was started with `--no-sandbox`; null if it was not. Only after `guardApp`. */
export function sandboxNotice(): string | null {
  // What starts an AppImage adds it by itself where the system refuses the sandbox its namespaces.
  if (!withoutSandbox) return null
  return openersAreKept()
    ? "Chromium's sandbox is not complete: Tabscope was started with --no-sandbox. On Linux the deb package does not need it."
    : "Pages run without Chromium's sandbox: Tabscope was started with --no-sandbox. A window that an authorization page opens is cut off from that page. On Linux the deb package does not need the switch."
}

/**
 * Whether a window keeps its connection with the page that opens it. Electron cuts it where a page's process runs without the sandbox, since
 * the new window is to have one. `app.enableSandbox` removes `--no-sandbox` from the command line, but not `--no-sandbox=1`.
 */
export function openersAreKept(): boolean {
  return !app.commandLine.hasSwitch('no-sandbox')
}

/**
 * The names of the switches in `words`, as Chromium reads a command line: `--name`, `-name`, on Windows also `/name` and in any case, each
 * with or without `=value`, up to a lone `--`. A form that is missing here would pass the guard.
 */
function switchNames(words: readonly string[], platform: NodeJS.Platform): ReadonlySet<string> {
  const names = new Set<string>()
  for (const word of words) {
    const text = word.trim()
    if (text === '--') break
    const [, name] =
      (platform === 'win32' ? /^(?:--|-|\/)([^=]+)/ : /^(?:--|-)([^=]+)/).exec(text) ?? []
    if (name !== undefined) names.add(platform === 'win32' ? name.toLowerCase() : name)
  }
  return names
}
