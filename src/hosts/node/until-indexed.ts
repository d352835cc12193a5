import { setTimeout as pause } from 'node:timers/promises'
import { say } from './output.ts'
import type { Session } from './session.ts'

/** How long the search index may take without any progress, in milliseconds. */
const stalledMs = 10_000
/** How often its progress is reported, in milliseconds. */
const reportEveryMs = 2000

/**
 * Waits until every delivery that was received before is in the search index, for as long as that makes progress.
 *
 * @returns how many deliveries are missing from it: 0, unless it made no progress for ten seconds
 */
export async function untilIndexed(session: Session): Promise<number> {
  const first = await session.call('deliveries.stored', {})
  const { newestId } = first
  let { indexedId } = first
  let movedAt = performance.now()
  let reportedAt = movedAt
  while (indexedId < newestId) {
    await pause(20)
    const now = performance.now()
    const current = (await session.call('deliveries.stored', {})).indexedId
    if (current > indexedId) movedAt = now
    else if (now - movedAt > stalledMs) return newestId - current
    indexedId = current
    if (now - reportedAt > reportEveryMs) {
      reportedAt = now
      say(`The search index has come to delivery ${indexedId} of ${newestId}.`)
    }
  }
  return 0
}
