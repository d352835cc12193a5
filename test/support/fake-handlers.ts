import { calls, type Handlers } from '#contract/calls.ts'
import type { Log } from '#engine/platform/ports.ts'

const refuse = () => Promise.reject(new Error('not for this test'))

/** Handlers that reject all calls except the given ones. */
export function fakeHandlers(given: Partial<Handlers>): Handlers {
  const all = Object.fromEntries(Object.keys(calls).map((name) => [name, refuse]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name of the contract, see above
  return { ...all, ...given } as Handlers
}

export interface SilentLog extends Log {
  /** Logged errors: message and cause. */
  readonly errors: [message: string, cause: unknown][]
}

/** A log that records errors with the ids `log-1`, `log-2` and so on. */
export function silentLog(): SilentLog {
  const errors: SilentLog['errors'] = []
  return {
    errors,
    info: () => undefined,
    warn: () => undefined,
    error: (message, cause) => `log-${errors.push([message, cause])}`,
  }
}
