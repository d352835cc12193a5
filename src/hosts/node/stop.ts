/** A stop must be over within 5 s; what is not done by then is cut, in milliseconds. */
const deadlineMs = 4500

/** Ctrl+C comes twice where npm is in between: from the terminal, and passed on. So soon after the first (ms) it is the same one. */
const echoMs = 500

export interface Stop {
  /** Waits for the signal, closes, and returns. */
  readonly until: (close: () => Promise<void>) => Promise<void>
}

/**
 * Takes SIGINT, SIGTERM and SIGHUP (the terminal was closed) from now on: called first, so that one which comes while all is being opened is
 * not lost. A second one ends the process at once, with 1.
 */
export function expectStop(): Stop {
  const asked = Promise.withResolvers<void>()
  let first: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      first ??= performance.now()
      if (performance.now() - first > echoMs) process.exit(1)
      asked.resolve()
    })
  }
  endWithNpm(asked.resolve)
  return {
    until: async (close) => {
      await asked.promise
      setTimeout(() => process.exit(1), deadlineMs).unref()
      await close()
    },
  }
}

/**
 * npm passes SIGTERM on to the shell that it runs a script in, and some shells end without a word to the script. Then we have another
 * parent than before, which is looked at four times a second; only under npm, since a terminal may well be closed behind us.
 */
function endWithNpm(ended: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) ended()
  }, 250).unref()
}
