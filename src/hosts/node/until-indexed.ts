import { setTimeout as pause } from 'node:timers/promises'
import { printMessage } from './output.ts'
import type { Session } from './session.ts'

const stalledMs = 10_000
const reportIntervalMs = 2000

/** As long as the search index makes progress. Resolves to the number of deliveries that are not indexed: 0 unless it stalled. */
export async function untilIndexed(session: Pick<Session, 'call'>): Promise<number> {
  const first = await session.call('deliveries.stored', {})
  const { newestId } = first
  let { indexedId } = first
  let progressAt = performance.now()
  let reportedAt = progressAt
  while (indexedId < newestId) {
    await pause(20)
    const now = performance.now()
    const current = (await session.call('deliveries.stored', {})).indexedId
    if (current > indexedId) progressAt = now
    else if (now - progressAt > stalledMs) return newestId - current
    indexedId = current
    if (now - reportedAt > reportIntervalMs) {
      reportedAt = now
      printMessage(`Indexing deliveries: ${indexedId} of ${newestId}.`)
    }
  }
  return 0
}
