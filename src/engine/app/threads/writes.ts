import type { Run as AuthorizationRun } from '#contract/authorization.ts'
import { annotate, markSeveral } from '../../deliveries/annotations-store.ts'
import {
  deleteForward,
  insertForward,
  switchResponsesOff,
  updateForward,
  writeResponses,
  writeTarget,
} from '../../deliveries/endpoints/rules-store.ts'
import {
  deleteEndpoint,
  insertEndpoint,
  updateEndpoint,
  writeSecrets,
  type EndpointFields,
  type StoredEndpoint,
} from '../../deliveries/endpoints/store.ts'
import { dismissNotices } from '../../deliveries/health/observed.ts'
import { deleteLog, putLog, writeFieldChoices } from '../../event-logs/writes.ts'
import {
  clearExchanges,
  insertExchange,
  deleteSaved,
  writeSaved,
} from '../../authorization/api-console/store.ts'
import {
  deleteIntegration,
  insertIntegration,
  updateIntegration,
} from '../../receiving/integrations/store.ts'
import {
  claimCode,
  clearRuns,
  insertRun,
  updateRun,
  type SealedPart,
} from '../../authorization/oauth/store.ts'
import { writeCauses, writeRechecks } from '../../diagnosis/recheck-store.ts'
import {
  deleteRelay,
  insertRelay,
  replaceRelayKey,
  restartRelay,
  updateRelay,
} from '../../deliveries/relay-store.ts'
import { writePresence } from '../../deliveries/health/running.ts'
import { writeAlerts, writeRule } from '../../deliveries/health/store.ts'
import { deleteFilter, writeFilter } from '../../search/saved-filters-store.ts'
import { deleteDraft, writeDraft } from '../../sending/store/drafts.ts'
import { deleteJob, deleteJobsOfLog } from '../../sending/store/jobs.ts'
import { deleteScript, writeScript } from '../../sending/scripts/store.ts'
import {
  deleteToken,
  insertToken,
  updateToken,
  type StoredToken,
} from '../../authorization/tokens/store.ts'
import { deleteConfigCopy } from '../../platform/store/config-file.ts'
import { emptyWal, withDb, wiping, type Db, prepare } from '../../platform/sqlite.ts'
import {
  deleteRehearsal,
  insertRehearsal,
  recordRehearsalCase,
  updateRehearsal,
} from '../../event-logs/rehearsal-store.ts'
import type { Settings } from '#contract/models.ts'
import type { StoredTunnel } from '../../receiving/tunnel/record.ts'

export type Run = <T>(work: () => T) => T

/** The commit waits for the disk. */
const durable = {
  mark: markSeveral,
  annotate,
  writeFilter,
  deleteFilter,
  insertEndpoint,
  deleteEndpoint,
  insertIntegration,
  updateIntegration,
  insertToken,
  insertRun,
  writeSaved,
  deleteSaved,
  writeDraft,
  deleteDraft,
  deleteJob,
  writeTarget,
  insertForward,
  updateForward,
  deleteForward,
  writeResponses,
  switchResponsesOff,
  writeSettings,
  writeFieldChoices,
  putLog,
  deleteLog,
  insertRehearsal,
  updateRehearsal,
  recordRehearsalCase,
  deleteRehearsal,
  writeTunnel,
  insertRelay,
  updateRelay,
  restartRelay,
  writeRule,
  recheck: writeRechecks,
  writeScript,
  deleteScript,
}

/** Also overwrites what is deleted, and removes it from the WAL. */
const wiped = { deleteRelay, replaceRelayKey, deleteIntegration, deleteToken, clearExchanges }

/** Only history, found again, or not needed after a power failure. */
const quick = {
  insertExchange,
  dismissNotices,
  writeAlerts,
  deleteJobsOfLog,
  writeCauses,
  writePresence,
}

export type Writes = ReturnType<typeof createWrites>

/** `quickly`: the commit does not wait for the disk. `config`: the path of the configuration. */
export function createWrites(db: Db, config: string | null, durably: Run, quickly: Run) {
  const wipingDurably = <T>(work: () => T): T =>
    durably(() => {
      const result = wiping(db, work)
      emptyWal(db)
      if (config !== null) deleteConfigCopy(config)
      return result
    })
  return {
    ...withDb(db, durable, durably),
    ...withDb(db, wiped, wipingDurably),
    ...withDb(db, quick, quickly),
    // The replaced headers may be credentials.
    updateEndpoint: ({ id, fields }: { id: number; fields: EndpointFields }) =>
      wipingDurably(() => updateEndpoint(db, id, fields)),
    writeSecrets: ({ id, sealed }: Pick<StoredEndpoint, 'id' | 'sealed'>) =>
      durably(() => writeSecrets(db, id, sealed)),
    /** `wipe`: also deletes the old sealed values from the WAL and from the records of runs. */
    updateToken: ({ token, wipe }: { token: StoredToken; wipe: boolean }): void => {
      const update = (): void => updateToken(db, token, wipe)
      return wipe ? wipingDurably(update) : durably(update)
    },
    updateRun: ({ run, secrets }: { run: AuthorizationRun; secrets: readonly SealedPart[] }) =>
      durably(() => updateRun(db, run, secrets)),
    /** False: a code with this hash was exchanged before. */
    claimCode: ({ runId, hash }: { runId: number; hash: string }) =>
      durably(() => claimCode(db, runId, hash)),
    clearRuns: ({ integrationId, upTo, except }: ClearedRuns) =>
      wipingDurably(() => clearRuns(db, integrationId, upTo, except)),
  }
}

interface ClearedRuns {
  readonly integrationId: number
  readonly upTo: number
  readonly except: readonly number[]
}

// Without schemas, which the writer thread must not load.

export function writeSettings(db: Db, settings: Partial<Settings>): void {
  const write = prepare<[string, string]>(
    db,
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  db.transaction(() => {
    for (const [key, value] of Object.entries(settings)) write.run(key, JSON.stringify(value))
  })()
}

export function writeTunnel(db: Db, { wanted, record }: StoredTunnel): void {
  prepare<[number, string]>(
    db,
    `INSERT INTO tunnel (id, wanted, record) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET wanted = excluded.wanted, record = excluded.record`,
  ).run(wanted ? 1 : 0, JSON.stringify(record))
}
