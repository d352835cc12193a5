import { printLiteral } from '#contract/filter/print.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import type { Scope } from '../deliveries/scope/scope.ts'

/** The newest delivery of its log before this one of the same type and target; null: there is none. */
export async function previousLike(
  client: Client,
  { id, type, target }: Pick<DeliverySummary, 'id' | 'type' | 'target'>,
  log: Scope,
): Promise<DeliverySummary | null> {
  const asOf = Date.now()
  for (;;) {
    const { rows, complete } = await client.call('deliveries.page', {
      log,
      filter: filterLike({ type, target }),
      upTo: id - 1,
      asOf,
      offset: 0,
      limit: 1,
    })
    if (rows[0]) return rows[0]
    if (complete) return null
  }
}

/** The filter that finds deliveries of a type and a target. Text as it is: no `*`, no `none` that would mean something else. */
export function filterLike({ type, target }: Pick<DeliverySummary, 'type' | 'target'>): string {
  return `${term('type', type)} ${term('target', target)}`
}

function term(field: string, value: string | null): string {
  if (value === null) return `${field}:none`
  return `${field}:${value === 'none' ? '"none"' : printLiteral(value)}`
}
