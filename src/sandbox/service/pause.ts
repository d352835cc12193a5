import type { Clock } from '../clock.ts'

/** Resolves after `ms` milliseconds of the clock, or as soon as the signal is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const over = () => {
      cancel()
      signal.removeEventListener('abort', over)
      resolve()
    }
    const cancel = clock.after(ms, over)
    signal.addEventListener('abort', over, { once: true })
  })
}
