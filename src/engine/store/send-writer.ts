import { notYet } from '../send/not-yet.ts'
import type { Db } from './driver.ts'
import type { SendWrites } from './send-writes.ts'

/** The writes of the sender thread, in the writer thread. `durably` makes a commit wait for the disk. */
export function createSendWrites(_db: Db, _durably: <T>(work: () => T) => T): SendWrites {
  return {
    record: () => notYet('record'),
    createJob: () => notYet('createJob'),
    claim: () => notYet('claim'),
    unclaim: () => notYet('unclaim'),
    settleUncertain: () => notYet('settleUncertain'),
    setJobState: () => notYet('setJobState'),
    recordSkips: () => notYet('recordSkips'),
    takeCounter: () => notYet('takeCounter'),
  }
}
