import { io, onInterrupt } from './io.ts'

/** The process exits after this time (ms) even if it is not closed: it must stop within 5 s. */
const deadlineMs = 4500

/** With npm, Ctrl+C is received twice, from the terminal and from npm. Within this time (ms) both count as one. */
const echoMs = 500

export interface Stop {
  /** Waits for the signal, closes, and returns. */
  readonly until: (close: () => Promise<void>) => Promise<void>
}

/**
 * Handles SIGINT, SIGTERM and SIGHUP (closed terminal) from now on. Call it first, so that no signal is lost during startup. A second signal
 * exits the process immediately with 1.
 */
export function expectStop(): Stop {
  const requested = Promise.withResolvers<void>()
  let first: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    io.on(signal, () => {
      first ??= performance.now()
      if (performance.now() - first > echoMs) io.exit(1)
      requested.resolve()
    })
  }
  const stopWatching = endWithNpm(requested.resolve)
  return {
    until: async (close) => {
      await requested.promise
      const deadline = setTimeout(() => io.exit(1), deadlineMs).unref()
      await close()
      clearTimeout(deadline)
      stopWatching()
    },
  }
}

/**
 * npm forwards SIGTERM to the shell that runs the script, and some shells exit without notifying the script. Then the parent process changes,
 * which is checked four times a second. Only under npm, since otherwise a closed terminal is not a reason to stop.
 */
function endWithNpm(ended: () => void): () => void {
  if (io.env['npm_lifecycle_event'] === undefined) return () => undefined
  const parent = io.ppid
  const timer = setInterval(() => {
    if (io.ppid !== parent) ended()
  }, 250).unref()
  return () => clearInterval(timer)
}

/** Runs `send`. Ctrl+C calls `cancel`, even if another process sends; a second Ctrl+C ends this process immediately. */
export async function cancellable<T>(
  cancel: () => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  // Fails if there is nothing left to cancel.
  const stop = (): void => void cancel().catch(() => undefined)
  const offInterrupt = onInterrupt(stop)
  try {
    return await send()
  } finally {
    offInterrupt()
  }
}
