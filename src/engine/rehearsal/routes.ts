import type { Handlers } from '#contract/calls.ts'
import type { Rehearsals } from './service.ts'

/** Dependencies of the calls for rehearsals. */
export interface RehearsalRoutePorts {
  readonly rehearsals: Rehearsals
}

/** The calls for rehearsals, by name. */
export function rehearsalRoutes({ rehearsals }: RehearsalRoutePorts) {
  return {
    'rehearsals.start': (input) => rehearsals.start(input),
    'rehearsals.startOauth': (input) => rehearsals.startOauth(input),
    'rehearsals.list': () => rehearsals.list(),
    'rehearsals.get': ({ id }) => rehearsals.get(id),
    'rehearsals.requests': (input) => rehearsals.requests(input),
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
