import type { Handlers } from '#contract/calls.ts'
import type { Logs } from '../event-logs/service.ts'
import { AppError } from '../platform/errors.ts'
import type { Rehearsals } from './service.ts'

/** Dependencies of the calls for rehearsals. */
export interface RehearsalRoutePorts {
  readonly rehearsals: Rehearsals
  readonly logs: Pick<Logs, 'readerOf'>
}

/** The calls for rehearsals, by name. */
export function rehearsalRoutes({ rehearsals, logs }: RehearsalRoutePorts) {
  return {
    'rehearsals.start': (input) => rehearsals.start(input),
    'rehearsals.startOauth': (input) => rehearsals.startOauth(input),
    'rehearsals.list': async ({ log }) =>
      log === null ? rehearsals.list() : (await logs.readerOf(log)).call('rehearsals'),
    'rehearsals.get': async ({ id, log }) => {
      if (log === null) return rehearsals.get(id)
      const reader = await logs.readerOf(log)
      const rehearsal = await reader.call('rehearsal', id)
      if (!rehearsal) {
        throw new AppError('not_found', `Rehearsal ${id} is not in this event log.`)
      }
      return { rehearsal, results: await reader.call('rehearsalResults', id), client: null }
    },
    'rehearsals.requests': async ({ log, ...input }) =>
      log === null
        ? rehearsals.requests(input)
        : (await logs.readerOf(log)).call('rehearsalRequests', input),
    'rehearsals.pause': ({ id }) => rehearsals.pause(id),
    'rehearsals.resume': (input) => rehearsals.resume(input),
    'rehearsals.cancel': ({ id }) => rehearsals.cancel(id),
    'rehearsals.remove': async ({ id }) => {
      await rehearsals.remove(id)
      return {}
    },
    'rehearsals.observed': async (input) => {
      rehearsals.observed(input)
      return {}
    },
  } satisfies Partial<Handlers>
}
