import type { Handlers } from '#engine/handlers.ts'
import type { Log } from '#engine/ports.ts'

const refuse = () => Promise.reject(new Error('not for this test'))

/** Handlers that refuse all but what is given. */
export function fakeHandlers(given: Partial<Handlers>): Handlers {
  return {
    'app.snapshot': refuse,
    'deliveries.page': refuse,
    'deliveries.since': refuse,
    'deliveries.get': refuse,
    'deliveries.body': refuse,
    'deliveries.signature': refuse,
    'deliveries.pin': refuse,
    'deliveries.clear': refuse,
    'endpoints.create': refuse,
    'endpoints.update': refuse,
    'endpoints.remove': refuse,
    'endpoints.rotateSecret': refuse,
    'endpoints.clearSecret': refuse,
    'endpoints.revealSecret': refuse,
    'integrations.update': refuse,
    'settings.update': refuse,
    'listener.start': refuse,
    'sandbox.send': refuse,
    'sandbox.evening': refuse,
    'sandbox.stop': refuse,
    ...given,
  }
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
