// Forwards the signals of a launcher to its child process. Must parse on Node 14, like launch.mjs.

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
/** Ctrl+C, Ctrl+Break and a closed console. */
const WINDOWS_CONSOLE = /** @type {const} */ (['SIGINT', 'SIGBREAK', 'SIGHUP'])

/**
 * @typedef {object} Options
 * @property {NodeJS.Platform} [platform]
 * @property {boolean} [inTerminal] whether this process, and so its child, runs in a terminal
 */

/**
 * On a signal, keeps this process alive until `child` has exited, and notifies the child once. A terminal sends Ctrl+C, Ctrl+\ and its hangup to
 * every process of its foreground group: forwarded, the child would receive it twice, and Electron exits immediately on the second. On Windows
 * `kill` terminates a process without notice. There the console notifies its programs, and a child with windows is notified over IPC, if it has a channel.
 * @param {import('node:child_process').ChildProcess} child
 * @param {Options} [options]
 * @returns {{ readonly received: boolean, stop(): void }} `received`: whether there was a signal
 */
export function forwardSignals(child, options = {}) {
  const platform = options.platform || process.platform
  const inTerminal =
    options.inTerminal === undefined
      ? process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
      : options.inTerminal
  let received = false

  /** @param {NodeJS.Signals} signal */
  function forward(signal) {
    received = true
    if (platform === 'win32') {
      if (child.connected) child.send('quit', () => undefined)
    } else if (signal === 'SIGTERM' || !inTerminal) {
      child.kill(signal)
    }
  }
  const signals = platform === 'win32' ? WINDOWS_CONSOLE : FORWARDED
  for (const signal of signals) process.on(signal, forward)
  return {
    get received() {
      return received
    },
    stop() {
      for (const signal of signals) process.off(signal, forward)
    },
  }
}
