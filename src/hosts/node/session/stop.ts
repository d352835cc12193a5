import { io, onInterrupt } from '../command-line/io.ts'

/** The process exits even if it is not closed: it must stop within 5 s. */
const deadlineMs = 4500

/** With npm, Ctrl+C is received twice, from the terminal and from npm. Within this time both count as one. */
const echoMs = 500

export type Stop = ReturnType<typeof expectStop>

/** SIGINT, SIGTERM and SIGHUP (closed terminal). Call it first, so that no signal is lost during startup. A second one exits immediately with 1. */
export function expectStop() {
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
    until: async (close: () => Promise<void>) => {
      await requested.promise
      const deadline = setTimeout(() => io.exit(1), deadlineMs).unref()
      await close()
      clearTimeout(deadline)
      stopWatching()
    },
  }
}

/** Some shells exit on npm's SIGTERM without notifying the script; then the parent process changes. Without npm, a closed terminal is no reason to stop. */
function endWithNpm(ended: () => void): () => void {
  if (io.env['npm_lifecycle_event'] === undefined) return () => undefined
  const parent = io.ppid
  const timer = setInterval(() => {
    if (io.ppid !== parent) ended()
  }, 250).unref()
  return () => clearInterval(timer)
}

/** Ctrl+C calls `cancel`, even if another process sends; a second Ctrl+C ends this process immediately. */
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
