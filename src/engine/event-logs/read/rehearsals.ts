import { LogRehearsal } from '#contract/event-log.ts'
import type { LogWith } from '#contract/logs.ts'
import { CaseResult, RehearsalRequest, type Rehearsal } from '#contract/rehearsal.ts'
import { AppError } from '../../platform/errors.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import {
  readRehearsal,
  readRehearsalRequests,
  readRehearsalResults,
} from '../../rehearsal/store.ts'
import type { RehearsalCaseItem } from '../items.ts'

/** Throws `not_found` if a selected run does not exist. */
export function rehearsalIds(db: Db, selected: NonNullable<LogWith['rehearsals']>): number[] {
  if (selected === 'none') return []
  const all = prepare<[], number>(db, 'SELECT id FROM rehearsal ORDER BY id').pluck().all()
  if (selected === 'all') return all
  const known = new Set(all)
  const missing = selected.find((id) => !known.has(id))
  if (missing === undefined) return all.filter((id) => selected.includes(id))
  throw new AppError('not_found', `Rehearsal ${missing} does not exist. It may have been deleted.`)
}

/** Each run is followed by its cases. Parsing sets the order of keys, as for runs of authorizations. */
export function* readRehearsalItems(
  db: Db,
  ids: readonly number[],
  withRequests: boolean,
): Generator<LogRehearsal | RehearsalCaseItem, void, undefined> {
  for (const id of ids) {
    const rehearsal = readRehearsal(db, id)
    if (!rehearsal) continue
    yield LogRehearsal.parse({ kind: 'rehearsal', rehearsal: ended(rehearsal) })
    for (const result of readRehearsalResults(db, id)) {
      const requests = withRequests ? readRehearsalRequests(db, { id, caseId: result.id }) : []
      yield {
        kind: 'rehearsal_case',
        rehearsal: id,
        result: CaseResult.parse(result),
        requests: requests.map((request) => RehearsalRequest.parse(request)),
      }
    }
  }
}

/** A running rehearsal is exported as interrupted: the file will not get any more of it. */
function ended(rehearsal: Rehearsal): Rehearsal {
  const { state, options } = rehearsal
  if (state !== 'running') return rehearsal
  const progress = options.oauth ? { step: null, progress: null } : {}
  return { ...rehearsal, state: 'interrupted', ...progress }
}
