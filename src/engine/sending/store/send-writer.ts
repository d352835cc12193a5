import { prepare, type Db } from '../../platform/sqlite.ts'
import type { SendWrites } from './send-writes.ts'
import { createRecord } from './attempts.ts'
import { packRows, unpackGroup } from './packed-group.ts'
import { createJobWrites } from './jobs.ts'
import { createRecordSkips } from './skips.ts'

/**
 * Implements the writes of the sender thread in the writer thread. `durably` makes a commit wait for the disk. `changed` is called with deliveries
 * whose last attempt has changed.
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
