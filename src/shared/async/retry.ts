export interface Timer {
  /** Calls back once after `ms`. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/** The required part of an `AbortSignal`, independent of Node and browser types. */
export interface Ending {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Resolves after `ms`, or when the signal is aborted. The caller must check which. */
export function delay(timer: Timer, ms: number, signal?: Ending): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timer.after(ms, end)
    signal?.addEventListener('abort', end)
  })
}

export interface Backoff {
  readonly shortest: number
  readonly longest: number
}

/**
 * The delay before the next attempt in milliseconds, after `before` previous delays: doubles from the shortest to the longest. A random `chance` (0 to 1)
 * shortens it by up to half, so that many clients that lost the same server do not reconnect at the same time.
 */
export function backoff({ shortest, longest }: Backoff, before: number, chance = 1): number {
  const whole = Math.min(longest, shortest * 2 ** Math.min(before, 30))
  return Math.round(Math.max(shortest, whole * (0.5 + chance / 2)))
}

export interface Retrying {
  readonly clock: Timer
  /** In milliseconds, after a number of consecutive `failures`. */
  readonly wait: (failures: number) => number
  readonly mayPass: (error: unknown) => boolean
  /** When aborted, the current delay ends immediately, and the next attempt is the last. */
  readonly signal: Ending
  readonly waiting?: (error: unknown) => void
}

/** Rejects with a permanent failure, and with any failure after the signal is aborted. */
export async function retry<T>(
  work: () => Promise<T>,
  { clock, wait, mayPass, signal, waiting }: Retrying,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
      waiting?.(error)
    }
    await delay(clock, wait(failures), signal)
  }
}
