import { annotate, markSeveral } from './annotations.ts'
import {
  deleteForward,
  insertForward,
  switchResponsesOff,
  updateForward,
  writeResponses,
  writeTarget,
} from './answering.ts'
import { prepare, type Db } from './driver.ts'
import { readByIds } from './deliveries.ts'
import { deleteEndpoint, insertEndpoint, updateEndpoint, writeSecrets } from './endpoints.ts'
import { deleteLog, putLog } from './event-logs.ts'
import { clearExchanges, insertExchange } from './exchanges.ts'
import { deleteIntegration, insertIntegration, updateIntegration } from './integrations.ts'
import { claimCode, clearRuns, insertRun, updateRun } from './runs.ts'
import { writeRechecks } from './recheck.ts'
import { writeRedactionRules } from './redaction-rules.ts'
import { deleteFilter, writeFilter } from './saved-filters.ts'
import { deleteSaved, writeSaved } from './saved-requests.ts'
import { deleteDraft, writeDraft } from './sending/drafts.ts'
import { deleteJob } from './sending/jobs.ts'
import { writeSettings } from './settings.ts'
import { deleteToken, insertToken, updateToken } from './tokens.ts'
import { writeSpan, writeTunnel } from './tunnel.ts'
import { emptyWal, wiping } from './wipe.ts'
import type { WriterApi } from './writer-api.ts'

/** The writes of the writer thread that have nothing to do with what arrives. */
export type Writes = Omit<WriterApi, 'level' | 'keep' | 'clear' | 'deleteDeliveries' | 'stop'>

/** `durably` makes a commit wait for the disk. What is deleted of secrets is overwritten, and its pages leave the WAL. */
export function createWrites(db: Db, durably: <T>(work: () => T) => T): Writes {
  const wipingAll = <T>(work: () => T): T =>
    durably(() => {
      const result = wiping(db, work)
      emptyWal(db)
      return result
    })
  return {
    mark: (marks) => durably(() => markSeveral(db, marks)),
    pin: ({ id, pinned }) => {
      const update = prepare<[number, number]>(db, 'UPDATE delivery SET pinned = ? WHERE id = ?')
      durably(() => update.run(pinned ? 1 : 0, id))
      return readByIds(db, [id])[0] ?? null
    },
    recheck: (input) => durably(() => writeRechecks(db, input)),
    annotate: (annotation) => durably(() => annotate(db, annotation)),
    writeFilter: (fields) => durably(() => writeFilter(db, fields)),
    deleteFilter: (id) => durably(() => deleteFilter(db, id)),
    insertEndpoint: (fields) => durably(() => insertEndpoint(db, fields)),
    // What its headers were before may not have been sealed.
    updateEndpoint: ({ id, fields }) => wipingAll(() => updateEndpoint(db, id, fields)),
    deleteEndpoint: (id) => durably(() => deleteEndpoint(db, id)),
    writeSecrets: ({ id, sealed }) => durably(() => writeSecrets(db, id, sealed)),
    insertIntegration: (fields) => durably(() => insertIntegration(db, fields)),
    updateIntegration: (integration) => durably(() => updateIntegration(db, integration)),
    deleteIntegration: (id) => wipingAll(() => deleteIntegration(db, id)),
    insertToken: (fields) => durably(() => insertToken(db, fields)),
    updateToken: ({ token, wipe }) => {
      const update = (): void => updateToken(db, token, wipe)
      return wipe ? wipingAll(update) : durably(update)
    },
    deleteToken: (id) => wipingAll(() => deleteToken(db, id)),
    insertRun: (fields) => durably(() => insertRun(db, fields)),
    updateRun: ({ run, secrets }) => durably(() => updateRun(db, run, secrets)),
    claimCode: ({ runId, hash }) => durably(() => claimCode(db, runId, hash)),
    clearRuns: ({ integrationId, upTo, except }) =>
      wipingAll(() => clearRuns(db, integrationId, upTo, except)),
    // History: no commit of it is worth a wait for the disk.
    insertExchange: (fields) => insertExchange(db, fields),
    clearExchanges: () => wipingAll(() => clearExchanges(db)),
    writeSaved: (input) => durably(() => writeSaved(db, input)),
    deleteSaved: (id) => durably(() => deleteSaved(db, id)),
    writeDraft: (fields) => durably(() => writeDraft(db, fields)),
    deleteDraft: (id) => durably(() => deleteDraft(db, id)),
    deleteJob: (id) => durably(() => deleteJob(db, id)),
    writeTarget: (target) => durably(() => writeTarget(db, target)),
    insertForward: (fields) => durably(() => insertForward(db, fields)),
    updateForward: (forward) => durably(() => updateForward(db, forward)),
    deleteForward: (id) => durably(() => deleteForward(db, id)),
    writeResponses: (input) => durably(() => writeResponses(db, input)),
    switchResponsesOff: (endpointId) => durably(() => switchResponsesOff(db, endpointId)),
    writeSettings: (settings) => durably(() => writeSettings(db, settings)),
    writeRedactionRules: (rules) => durably(() => writeRedactionRules(db, rules)),
    putLog: (fields) => durably(() => putLog(db, fields)),
    deleteLog: (id) => durably(() => deleteLog(db, id)),
    writeTunnel: (stored) => durably(() => writeTunnel(db, stored)),
    // As with exchanges: no commit of it is worth a wait for the disk.
    writeSpan: (span) => writeSpan(db, span),
  }
}
