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

/** Whether the app was started without Chromium's sandbox; known once `guardApp` has run. */
let startedWithoutSandbox = false

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
    throw new Error(`Tabscope does not start with --${refused}. Start it without.`)
  }
  // First: `enableSandbox` removes the switch, although by then Chromium has started without its sandbox. ELECTRON_DISABLE_SANDBOX sets it, too.
  startedWithoutSandbox = app.commandLine.hasSwitch('no-sandbox')
  // A window that would forget to ask for the sandbox has it all the same.
  app.enableSandbox()
  // Unasked, Electron would identify the user to any page that wants a certificate, by the first one there is.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault()
    answer()
  })
}

/** For the log: what it means that pages run without Chromium's sandbox; null when they have it. Call it after `guardApp`. */
export function sandboxNotice(): string | null {
  // What starts an AppImage adds the switch by itself where the system refuses the sandbox its namespaces.
  if (!startedWithoutSandbox) return null
  return "Pages run without Chromium's sandbox, since Tabscope was started with --no-sandbox. On Linux the deb package does not need it."
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
