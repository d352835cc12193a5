import type { PageLog } from '../log/log.ts'
import type { PageWorld } from '../search/term-test.ts'

/** The endpoints that a filter may name: those of the log, and those that its deliveries name where it has none. */
export function endpointsOf({ endpoints, rows }: PageLog): PageWorld['endpoints'] {
  const known = new Map(endpoints.map(({ id, name, slug }) => [id, { id, name, slug }]))
  for (const { endpointId: id, endpointName: name } of rows) {
    if (id !== null && name !== null && !known.has(id)) known.set(id, { id, name, slug: '' })
  }
  return [...known.values()]
}
