import { useEffect, useState } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'

/** Of what matches the first few: one of them is of the endpoint itself, and not of one with its number for a name. */
const looked = 20

/** Its signature is not what it should be: the next one may be, once the secret is mended. */
export function isFailing({ verdict }: Pick<DeliverySummary, 'verdict'>): boolean {
  return verdict === 'invalid' || verdict === 'missing'
}

/**
 * The first delivery that came after the one with the id `after`, to this endpoint; `null` as endpoint: to any. While none has the right
 * signature, the newest that was looked at. What Tabscope sent itself does not count. Null while there is none.
 */
export function useFirst(after: number, endpointId: number | null): DeliverySummary | null {
  const client = useClient()
  const newest = useShell(({ stats }) => stats.newestId)
  const key = `${after} ${endpointId}`
  const [held, setHeld] = useState<{ key: string; first: DeliverySummary } | null>(null)
  const found = held?.key === key ? held.first : null
  /** From where on, and how far, there is something to be looked at. */
  const from = found === null ? after : found.id
  const upTo = found === null || isFailing(found) ? newest : from
  useEffect(() => {
    if (upTo <= from) return undefined
    let current = true
    const filter = endpointId === null ? '' : `endpoint:${endpointId}`
    client.call('deliveries.newer', { log: null, filter, after: from, limit: looked }).then(
      ({ rows }) => {
        const theirs = rows.filter(
          (row) => row.own === null && (endpointId === null || row.endpointId === endpointId),
        )
        const first = theirs.find((row) => !isFailing(row)) ?? theirs.at(-1)
        if (current && first) setHeld({ key, first })
      },
      // It is asked again with the next one that comes.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [client, key, from, endpointId, upTo])
  return found
}
