import type { Logs } from '../event-logs/service.ts'
import { AppError } from '../platform/errors.ts'
import { routes } from '../platform/routes.ts'
import type { Rehearsals } from './service.ts'

export interface RehearsalRoutePorts {
  readonly rehearsals: Rehearsals
  readonly logs: Pick<Logs, 'readerOf'>
}

export const rehearsalRoutes = routes<RehearsalRoutePorts>()({
  'rehearsals.start': ({ rehearsals }, input) => rehearsals.start(input),
  'rehearsals.startOauth': ({ rehearsals }, input) => rehearsals.startOauth(input),

  'rehearsals.list': async ({ rehearsals, logs }, { log }) =>
    log === null ? rehearsals.list() : (await logs.readerOf(log)).call('rehearsals'),

  'rehearsals.get': async ({ rehearsals, logs }, { id, log }) => {
    if (log === null) return rehearsals.get(id)
    const reader = await logs.readerOf(log)
    const rehearsal = await reader.call('rehearsal', id)
    if (!rehearsal) {
      throw new AppError('not_found', `Rehearsal ${id} is not in this event log.`)
    }
    return { rehearsal, results: await reader.call('rehearsalResults', id), client: null }
  },

  'rehearsals.requests': async ({ rehearsals, logs }, { log, ...input }) =>
    log === null
      ? rehearsals.requests(input)
      : (await logs.readerOf(log)).call('rehearsalRequests', input),

  'rehearsals.cancel': ({ rehearsals }, { id }) => rehearsals.cancel(id),

  'rehearsals.remove': async ({ rehearsals }, { id }) => {
    await rehearsals.remove(id)
    return {}
  },

  'rehearsals.observed': ({ rehearsals }, input) => {
    rehearsals.observed(input)
    return {}
  },
})
