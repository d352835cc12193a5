import { useEffect, useState } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'

/** How many matches to load. More than one, because `endpoint:` also matches an endpoint that has this number as its name. */
const limit = 20

/** Whether the signature is invalid or missing. The next delivery can pass after the user fixes the secret. */
export function isFailing({ verdict }: Pick<DeliverySummary, 'verdict'>): boolean {
  return verdict === 'invalid' || verdict === 'missing'
}

/**
 * Returns the first delivery after the ID `after` that this endpoint received (`null`: any endpoint) with a passing signature, or the newest
 * checked one if none passes. Deliveries that Tabscope sent itself are ignored. Null if there is none.
 */
export function useFirstDelivery(after: number, endpointId: number | null): DeliverySummary | null {
  const client = useClient()
  const newest = useShell(({ stats }) => stats.newestId)
  const key = `${after} ${endpointId}`
  const [result, setResult] = useState<{ key: string; first: DeliverySummary } | null>(null)
  const found = result?.key === key ? result.first : null
  /** The range of IDs that is still to be checked. */
  const from = found === null ? after : found.id
  const upTo = found === null || isFailing(found) ? newest : from
  useEffect(() => {
    if (upTo <= from) return undefined
    let current = true
    const filter = endpointId === null ? '' : `endpoint:${endpointId}`
    client.call('deliveries.newer', { log: null, filter, after: from, limit }).then(
      ({ rows }) => {
        const external = rows.filter(
          (row) => row.sentBy === null && (endpointId === null || row.endpointId === endpointId),
        )
        const first = external.find((row) => !isFailing(row)) ?? external.at(-1)
        if (current && first) setResult({ key, first })
      },
      // The next delivery triggers another call.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [client, key, from, endpointId, upTo])
  return found
}
