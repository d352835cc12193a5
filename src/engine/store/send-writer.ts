import { prepare, type Db } from './driver.ts'
import type { SendWrites } from './send-writes.ts'
import { createRecord } from './sending/attempts.ts'
import { packRows, unpackGroup } from './sending/packed-group.ts'
import { createJobWrites } from './sending/jobs.ts'
import { createRecordSkips } from './sending/skips.ts'

/**
 * The writes of the sender thread, in the writer thread. `durably` makes a commit wait for the disk; `changed` hears of deliveries whose last
 * attempt is another.
 */
export function createSendWrites(
  db: Db,
  durably: <T>(work: () => T) => T,
  changed: (ids: readonly number[]) => void = () => undefined,
): SendWrites {
  const takeCounter = prepare<[number], { counter: number }>(
    db,
    'UPDATE draft SET counter = counter + 1 WHERE id = ? RETURNING counter - 1 AS counter',
  )
  const record = createRecord(db, changed)
  return {
    record,
    recordPacked: async (group) => packRows(await record(unpackGroup(group))),
    ...createJobWrites(db, durably),
    recordSkips: createRecordSkips(db),
    takeCounter: (draftId) => durably(() => takeCounter.get(draftId)?.counter ?? 1),
  }
}
