// How a launcher passes on the signals that it gets. Parses on Node 14, as launch.mjs must.

const PASSED_ON = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
/** What Windows makes of Ctrl+C, Ctrl+Break and a console that is closed. */
const OF_WINDOWS_CONSOLE = /** @type {const} */ (['SIGINT', 'SIGBREAK', 'SIGHUP'])

/**
 * @typedef {object} Options
 * @property {NodeJS.Platform} [platform]
 * @property {boolean} [inTerminal] whether a terminal runs us, and so the child as well
 */

/**
 * Keeps this process alive on a signal until `child` has ended, and tells the child once. A terminal sends Ctrl+C, Ctrl+\, and its own end, to every
 * process of its foreground group: passed on, the child would get it twice, and Electron ends at once on the second. On Windows `kill` ends a
 * process without notice. There the console tells its own programs, and a program with windows is told over its IPC channel, if it has one.
 * @param {import('node:child_process').ChildProcess} child
 * @param {Options} [options]
 * @returns {{ readonly received: boolean, stop(): void }} `received`: whether there was a signal
 */
export function passSignalsOn(child, options = {}) {
  const platform = options.platform || process.platform
  const inTerminal =
    options.inTerminal === undefined
      ? process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
      : options.inTerminal
  let received = false

  /** @param {NodeJS.Signals} signal */
  function tell(signal) {
    received = true
    if (platform === 'win32') {
      if (child.connected) child.send('quit', () => undefined)
    } else if (signal === 'SIGTERM' || !inTerminal) {
      child.kill(signal)
    }
  }
  const signals = platform === 'win32' ? OF_WINDOWS_CONSOLE : PASSED_ON
  for (const signal of signals) process.on(signal, tell)
  return {
    get received() {
      return received
    },
    stop() {
      for (const signal of signals) process.off(signal, tell)
    },
  }
}
