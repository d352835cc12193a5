import { setTimeout as pause } from 'node:timers/promises'
import type { AssistantRequest } from '#contract/assistants.ts'
import { AppError } from '../platform/errors.ts'

/** An interface or a terminal must have shown a request within this time. */
const shownMs = 2000

type Decision = 'allowed' | 'declined' | 'access off'

interface Waiting {
  readonly shown: PromiseWithResolvers<void>
  readonly decided: PromiseWithResolvers<Decision>
}

export interface Requests {
  /**
   * Waits for the user's decision. `show` makes the request known to all interfaces. Throws `declined`, `access_off`, and `confirmation_required` if
   * nobody is there or decides until `request.until`.
   */
  allowed(id: number, request: AssistantRequest, show: () => void): Promise<void>
  shown(id: number): void
  /** Has no effect on a request that is already decided. */
  decide(id: number, decision: Decision): void
  decideAll(decision: Decision): void
}

export function createRequests(): Requests {
  const all = new Map<number, Waiting>()
  const decide = (id: number, decision: Decision): void => all.get(id)?.decided.resolve(decision)
  return {
    async allowed(id, { until }, show) {
      const waiting: Waiting = {
        shown: Promise.withResolvers<void>(),
        decided: Promise.withResolvers<Decision>(),
      }
      all.set(id, waiting)
      const ended = new AbortController()
      const limit = <T>(ms: number, value: T): Promise<T> =>
        pause(ms, value, { signal: ended.signal, ref: false })
      try {
        show()
        const seen = await Promise.race([
          waiting.shown.promise.then(() => true),
          waiting.decided.promise.then(() => true),
          limit(shownMs, false),
        ])
        const decision = seen
          ? await Promise.race([
              waiting.decided.promise,
              limit(until - Date.now(), 'late' as const),
            ])
          : 'nobody'
        if (decision !== 'allowed') throw refusals[decision]()
      } finally {
        all.delete(id)
        ended.abort()
      }
    },
    shown: (id) => all.get(id)?.shown.resolve(),
    decide,
    decideAll: (decision) => {
      for (const id of all.keys()) decide(id, decision)
    },
  }
}

export function accessOff(): AppError {
  return new AppError(
    'access_off',
    'The user has turned off the access of coding assistants. They can turn it on in Tabscope, on the page Assistant activity.',
  )
}

const refusals = {
  declined: () => new AppError('declined', 'The user declined this request.'),
  'access off': accessOff,
  late: () =>
    new AppError(
      'confirmation_required',
      'The user did not confirm in time. Nothing was sent. Ask the user to confirm in Tabscope, then retry.',
    ),
  nobody: () =>
    new AppError(
      'confirmation_required',
      'Nobody can confirm: no interface of Tabscope is open, and tabscope listen does not run in a terminal. Nothing was sent. Ask the user to open Tabscope, then retry.',
    ),
} satisfies Record<Exclude<Decision, 'allowed'> | 'late' | 'nobody', () => AppError>
