/** The part of a clock that waits. */
export interface Timer {
  /** Calls back once after `ms` milliseconds; returns the way to call it off. */
  after(ms: number, callback: () => void): () => void
}

/** The part of an `AbortSignal` that is needed, which neither Node nor a browser must bring. */
export interface Ending {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Resolves after `ms` milliseconds, or as soon as the signal is aborted: whoever waits looks which it was. */
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
  /** In milliseconds. */
  readonly shortest: number
  readonly longest: number
}

/**
 * How long to wait before the next try, in milliseconds, after `before` waits in a row: doubling from the shortest to the longest. With a
 * `chance` (0 to 1) up to half of it is left to that, so that many that lost the same server do not come back all at once.
 */
export function backoff({ shortest, longest }: Backoff, before: number, chance = 1): number {
  const whole = Math.min(longest, shortest * 2 ** Math.min(before, 30))
  return Math.round(Math.max(shortest, whole * (0.5 + chance / 2)))
}

export interface Retrying {
  readonly clock: Timer
  /** Milliseconds until the next try, after `failures` in a row. */
  readonly wait: (failures: number) => number
  /** Whether the failure may pass by itself. */
  readonly mayPass: (error: unknown) => boolean
  /** Aborted, a wait ends at once, and the try after it is the last. */
  readonly signal: Ending
  /** Called with each failure that is waited for. */
  readonly waiting?: (error: unknown) => void
}

/** Does the work until it succeeds. Rejects with a failure that will not pass by itself, and with any once the signal is aborted. */
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
