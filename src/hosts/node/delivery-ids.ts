import { AppError } from '#engine/errors.ts'
import type { Session } from './session.ts'

/**
 * The IDs of deliveries that are given as such or as `latest`, which is the newest stored one; each once, in the order given. `log`: of an
 * event log; null: of the store. Throws `not_found` where there is no newest one.
 */
export async function deliveryIds(
  session: Session,
  given: readonly (number | 'latest')[],
  log: number | null = null,
): Promise<number[]> {
  const ids = new Set<number>()
  for (const each of given) ids.add(each === 'latest' ? await latest(session, log) : each)
  return [...ids]
}

async function latest(session: Session, log: number | null): Promise<number> {
  const newest = { log, upTo: null, offset: 0, limit: 1 }
  const [row] = (await session.call('deliveries.page', newest)).rows
  if (row !== undefined) return row.id
  throw new AppError('not_found', 'No deliveries are stored.')
}
