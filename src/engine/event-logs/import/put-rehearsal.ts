import type { LogRehearsal, LogRehearsalCase, LogRehearsalRequest } from '#contract/event-log.ts'
import { insertInto, type Db } from '../../platform/sqlite.ts'
import { requestOf } from '../format-parts/rehearsal-lines.ts'

export type RehearsalLine = LogRehearsal | LogRehearsalCase | LogRehearsalRequest

/** In bytes: the runs, the results of one run, and the requests of one case are each read at once. */
const mostBytes = { runs: 16 * 1024 * 1024, results: 16 * 1024 * 1024, requests: 64 * 1024 * 1024 }

const strayProblem = 'it does not belong to the rehearsal before it'

/** The function returns why a line was skipped, as the end of a sentence, or null. */
export function createPutRehearsal(db: Db): (line: RehearsalLine) => string | null {
  const insertRun = insertInto(db, 'rehearsal', ['id', 'record'], 'IGNORE')
  const insertCase = insertInto(
    db,
    'rehearsal_case',
    ['rehearsal_id', 'case_id', 'position', 'record'],
    'IGNORE',
  )
  const insertRequest = insertInto(db, 'rehearsal_request', [
    'rehearsal_id',
    'case_id',
    'record',
    'body',
    'response_body',
  ])
  const bytes = { runs: 0, results: 0, requests: 0 }
  let run: number | null = null
  let caseId: string | null = null
  let position = 0

  const takes = (what: keyof typeof bytes, size: number): boolean => {
    if (bytes[what] + size > mostBytes[what]) return false
    bytes[what] += size
    return true
  }

  return (line) => {
    switch (line.kind) {
      case 'rehearsal': {
        run = null
        const { id, ...rest } = line.rehearsal
        const record = JSON.stringify(rest)
        if (!takes('runs', record.length)) return 'there are too many rehearsals before it'
        if (insertRun({ id, record }).changes === 0) {
          return `there is already a rehearsal ${id} before it`
        }
        run = id
        bytes.results = 0
        caseId = null
        return null
      }
      case 'rehearsal_case': {
        caseId = null
        if (line.rehearsal !== run) return strayProblem
        const { id } = line.result
        const record = JSON.stringify(line.result)
        if (!takes('results', record.length)) return 'the results of its rehearsal are too large'
        position += 1
        if (insertCase({ rehearsal_id: run, case_id: id, position, record }).changes === 0) {
          return `there is already a case ${id} before it`
        }
        caseId = id
        bytes.requests = 0
        return null
      }
      case 'rehearsal_request': {
        if (line.rehearsal !== run || caseId === null) return strayProblem
        const { body, responseBody, ...rest } = requestOf(line)
        const record = JSON.stringify(rest)
        if (!takes('requests', record.length + body.byteLength + responseBody.byteLength)) {
          return 'the requests of its case are too large'
        }
        insertRequest({
          rehearsal_id: run,
          case_id: caseId,
          record,
          body,
          response_body: responseBody,
        })
        return null
      }
    }
  }
}
