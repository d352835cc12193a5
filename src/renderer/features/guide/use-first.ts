import { useEffect, useState } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'

/** Of what matches the first few: one of them is of the endpoint itself, and not of one with its number for a name. */
const looked = 20

/**
 * The first delivery that came after the one with the id `after`, to this endpoint; `null` as endpoint: to any. What Tabscope sent itself
 * does not count. Null while there is none.
 */
export function useFirst(after: number, endpointId: number | null): DeliverySummary | null {
  const client = useClient()
  const newest = useShell(({ stats }) => stats.newestId)
  const key = `${after} ${endpointId}`
  const [held, setHeld] = useState<{ key: string; first: DeliverySummary } | null>(null)
  const found = held?.key === key ? held.first : null
  /** How far there is something to be looked at. */
  const upTo = found === null ? newest : after
  useEffect(() => {
    if (upTo <= after) return undefined
    let current = true
    const filter = endpointId === null ? '' : `endpoint:${endpointId}`
    client.call('deliveries.newer', { log: null, filter, after, limit: looked }).then(
      ({ rows }) => {
        const first = rows.find(
          (row) => row.own === null && (endpointId === null || row.endpointId === endpointId),
        )
        if (current && first) setHeld({ key, first })
      },
      // It is asked again with the next one that comes.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [client, key, after, endpointId, upTo])
  return found
}
