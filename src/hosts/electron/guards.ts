import { app } from 'electron'
import { disableSpellChecker } from './permissions.ts'

/**
 * Switches that the packaged app refuses. They would let the person who starts it inspect it, record the traffic of its pages, replace one of its processes
 * with another program, or disable a protection of its pages.
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
 * Sets up protections for every window. Call it before the app is ready. Throws an error for the user if the packaged app was started with a switch that
 * removes a protection; a checkout may be debugged. `args` are the arguments of the process, without its program.
 */
export function guardApp(
  args: readonly string[] = process.argv.slice(1),
  platform: NodeJS.Platform = process.platform,
): void {
  // Not `app.commandLine.hasSwitch`: it also finds the switches that Electron and Chromium add themselves, and those vary.
  const switches = switchNames(args, platform)
  const refused = REFUSED.find((name) => switches.has(name))
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

/**
 * Electron writes a warning to stderr for each page that cannot be loaded, with its full URL, which may contain a code or token. Desktops store this output.
 * All other warnings are written as usual.
 */
function hideAddressesOfWarnings(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'electron') process.stderr.write(`${name}: ${message}\n`)
  })
}

/** Whether Tabscope was started with `--no-sandbox`, which `app.enableSandbox` removes from the command line. */
let withoutSandbox = false

/** A log message about the effect of `--no-sandbox`; null if Tabscope was started without it. Call it after `guardApp`. */
export function sandboxNotice(): string | null {
  // The AppImage launcher adds it when the system does not allow the sandbox to use namespaces.
  if (!withoutSandbox) return null
  return keepsOpeners()
    ? "Chromium's sandbox is not complete: Tabscope was started with --no-sandbox. On Linux the deb package does not need it."
    : "Pages run without Chromium's sandbox: Tabscope was started with --no-sandbox. A window that an authorization page opens is cut off from that page. On Linux the deb package does not need the switch."
}

/**
 * Whether a new window stays connected to the page that opened it. Electron cuts the connection if that page runs without the sandbox, since the new window
 * gets one. `app.enableSandbox` removes `--no-sandbox` from the command line, but not `--no-sandbox=1`.
 */
export function keepsOpeners(): boolean {
  return !app.commandLine.hasSwitch('no-sandbox')
}

/**
 * The names of the switches in `args`, as Chromium parses a command line: `--name`, `-name`, on Windows also `/name` and in any case, each with or without
 * `=value`, up to a lone `--`. A missing form would bypass the guard.
 */
function switchNames(args: readonly string[], platform: NodeJS.Platform): ReadonlySet<string> {
  const names = new Set<string>()
  for (const arg of args) {
    const text = arg.trim()
    if (text === '--') break
    const [, name] =
      (platform === 'win32' ? /^(?:--|-|\/)([^=]+)/ : /^(?:--|-)([^=]+)/).exec(text) ?? []
    if (name !== undefined) names.add(platform === 'win32' ? name.toLowerCase() : name)
  }
  return names
}
