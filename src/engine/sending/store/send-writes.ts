import { AppError } from '../../platform/errors.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { createRecord } from './attempts.ts'
import { createAddFinding, createFindingsStore } from '../../deliveries/findings-store.ts'
import { createHoldWrites } from './held.ts'
import { createJobWrites } from './jobs.ts'
import type { SendWrites } from '../messages.ts'

/** `quickly`: the commit does not wait for the disk. `changed` is called with deliveries whose last attempt has changed. */
export function createSendWrites(
  db: Db,
  quickly: <T>(work: () => T) => T,
  changed: (ids: readonly number[]) => void = () => undefined,
  findings = createFindingsStore(db),
): SendWrites {
  const takeCounter = prepare<[number], { counter: number }>(
    db,
    'UPDATE draft SET counter = counter + 1 WHERE id = ? RETURNING counter - 1 AS counter',
  )
  const record = createRecord(db, changed)
  const addFinding = createAddFinding(db, findings)
  return {
    record: (input) => quickly(() => record(input)),
    ...createJobWrites(db, (work) => work()),
    ...createHoldWrites(db, quickly),
    addScriptFailure: ({ id, script: expected, reason: actual }) => {
      const finding = { code: 'script.failed', location: 'script', expected, actual }
      quickly(() => addFinding(id, finding))
      changed([id])
    },
    takeCounter: (draftId) => takeCounter.get(draftId)?.counter ?? 1,
  }
}

/** SQLite's messages for a full or broken disk or a locked store. Compared with the first line of an error of the writer thread. */
const temporaryErrors = [
  'database or disk is full',
  'disk I/O error',
  'database is locked',
  'database table is locked',
  'attempt to write a readonly database',
  'unable to open database file',
  'out of memory',
]

/** Whether the same write may succeed later. */
export function isTemporaryStoreError(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store_failed' && error.retry === 'later'
  if (!(error instanceof Error)) return false
  const [first = ''] = error.message.split('\n')
  return temporaryErrors.some((message) => first.includes(message))
}
