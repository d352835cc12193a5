import { calls } from '#contract/calls.ts'
import type { Handlers } from '#contract/calls.ts'
import type { Log } from '#engine/platform/ports.ts'

const refuse = () => Promise.reject(new Error('not for this test'))

/** Handlers that refuse all but what is given. */
export function fakeHandlers(given: Partial<Handlers>): Handlers {
  const all = Object.fromEntries(Object.keys(calls).map((name) => [name, refuse]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name of the contract, as made above
  return { ...all, ...given } as Handlers
}

export interface SilentLog extends Log {
  /** What was logged as an error: message and cause. */
  readonly errors: [message: string, cause: unknown][]
}

/** A log that keeps its errors, under `log-1`, `log-2` and so on. */
export function silentLog(): SilentLog {
  const errors: SilentLog['errors'] = []
  return {
    errors,
    info: () => undefined,
    warn: () => undefined,
    error: (message, cause) => `log-${errors.push([message, cause])}`,
  }
}
