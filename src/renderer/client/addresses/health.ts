import { healthGroupings, healthRanges } from '#contract/constants.ts'
import type { HealthGrouping, HealthRange, HealthScope } from '#contract/health.ts'

/** What a URL of the page shows. */
export interface HealthPlace {
  readonly range: HealthRange
  readonly by: HealthGrouping
  readonly scope: HealthScope
}

/** `#/health/charts?range=week&by=type&endpoint=2&location=Pier+9`. An endpoint `none`: paths without one. */
export function healthPlaceOf(hash: string): HealthPlace {
  const [, query = ''] = hash.split('?')
  const given = new URLSearchParams(query)
  const endpoint = given.get('endpoint') ?? ''
  const location = given.get('location')?.slice(0, 300)
  const type = given.get('type')?.slice(0, 300)
  return {
    range: healthRanges.find((name) => name === given.get('range')) ?? 'day',
    by: healthGroupings.find((name) => name === given.get('by')) ?? 'endpoint',
    scope: {
      ...(endpoint === 'none' && { endpointId: null }),
      ...(/^[1-9]\d{0,14}$/.test(endpoint) && { endpointId: Number(endpoint) }),
      ...(location !== undefined && { location }),
      ...(type !== undefined && { type }),
    },
  }
}

export function healthAddress({ range, by, scope }: HealthPlace): string {
  const { endpointId, location, type } = scope
  const query = new URLSearchParams({
    ...(range !== 'day' && { range }),
    ...(by !== 'endpoint' && { by }),
    ...(endpointId !== undefined && { endpoint: String(endpointId ?? 'none') }),
    ...(location !== undefined && { location }),
    ...(type !== undefined && { type }),
  })
  return query.size === 0 ? '#/health/charts' : `#/health/charts?${query}`
}
