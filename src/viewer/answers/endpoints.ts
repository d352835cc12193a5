import type { PageLog } from '../log/log.ts'
import type { PageWorld } from '../search/term-test.ts'

/** The endpoints that a filter may name: those of the log; where it was written without any, those that its deliveries name. */
export function endpointsOf({ endpoints, integrations, rows }: PageLog): PageWorld['endpoints'] {
  if (endpoints.length > 0) {
    return endpoints.map(({ id, name, slug, integrationId }) => ({
      id,
      name,
      slug,
      integration: {
        id: integrationId,
        name: integrations.find((integration) => integration.id === integrationId)?.name ?? '',
      },
    }))
  }
  const named = new Map<number, PageWorld['endpoints'][number]>()
  for (const { endpointId: id, endpointName: name } of rows) {
    if (id !== null && name !== null) {
      named.set(id, { id, name, slug: '', integration: { id: 0, name: '' } })
    }
  }
  return [...named.values()]
}
