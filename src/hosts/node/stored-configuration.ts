import type { RunSummary } from '#contract/authorization.ts'
import type { Snapshot } from '#contract/calls.ts'
import type { EventLog } from '#contract/logs.ts'
import type { Settings } from '#contract/models.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import type { Job } from '#contract/sending.ts'
import type { TokenView } from '#contract/tokens.ts'
import { EndpointRegistry } from '#engine/endpoints/registry.ts'
import { readForwards, readResponses, readUses } from '#engine/endpoints/rules-store.ts'
import { readEndpoints } from '#engine/endpoints/store.ts'
import { IntegrationRegistry } from '#engine/integrations/registry.ts'
import { readIntegrations } from '#engine/integrations/store.ts'
import type { RunsInput } from '#engine/oauth/store.ts'
import type { AttemptsInput, AttemptsPage } from '#engine/sending/store/attempts.ts'
import { checkedRead } from '#engine/store/damage.ts'
import { openSettled } from '#engine/store/settled.ts'
import { openToken, viewOf } from '#engine/tokens/held-token.ts'
import { readTokens } from '#engine/tokens/store.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import type { Log, SecretBox } from '#engine/platform/ports.ts'
import { openLog } from '../log.ts'
import { io } from './io.ts'
import { createSecretBox } from './secrets.ts'

/** What commands list. `forwardHealth`: of the running Tabscope. */
export interface ListedConfiguration extends Pick<
  Snapshot,
  | 'integrations'
  | 'endpoints'
  | 'listener'
  | 'forwards'
  | 'forwardHealth'
  | 'responses'
  | 'ruleUses'
> {
  /** Sorted by ID. */
  tokens(): Promise<readonly TokenView[]>
  settings(): Promise<Settings>
  /** The newest first. */
  jobs(): Promise<readonly Job[]>
  /** The newest import first. */
  logs(): Promise<readonly EventLog[]>
  /** The newest first. */
  rehearsals(): Promise<readonly Rehearsal[]>
  /** The newest first. */
  readonly runs: (input: RunsInput) => Promise<readonly RunSummary[]>
  /** The newest first. */
  readonly attempts: (input: AttemptsInput) => Promise<AttemptsPage>
}

/** Null if a process holds the folder or something in it is pending: the engine must be opened. Loads a fraction of the code of the engine. */
export async function openStoredConfiguration(
  dataDir: string,
): Promise<(ListedConfiguration & Disposable) | null> {
  const db = openSettled(dataDir, false)
  if (!db) return null
  const ports = { box: createSecretBox(dataDir, io.env), log: openLog(dataDir, io) }
  const integrations = new IntegrationRegistry(ports.box, ports.log)
  for (const stored of readIntegrations(db)) await integrations.put(stored)
  const endpoints = new EndpointRegistry(ports.box, ports.log)
  for (const stored of readEndpoints(db)) await endpoints.put(stored)
  return {
    integrations: integrations.views(),
    endpoints: endpoints.views(),
    listener: { state: 'stopped', port: 0 },
    forwards: readForwards(db),
    forwardHealth: [],
    responses: readResponses(db),
    ruleUses: readUses(db),
    tokens: () => tokensOf(db, ports, integrations),
    settings: async () => {
      const { readSettings } = await import('#engine/settings/store.ts')
      return readSettings(db)
    },
    jobs: async () => {
      const { readJobs } = await import('#engine/sending/store/jobs.ts')
      return checkedRead(db, () => readJobs(db))
    },
    logs: async () => {
      const { readLogs } = await import('#engine/event-logs/store.ts')
      return readLogs(db).map(({ log }) => log)
    },
    rehearsals: async () => {
      const [{ readRehearsals }, { endInterrupted }] = await Promise.all([
        import('#engine/rehearsal/store.ts'),
        import('#engine/rehearsal/live-run.ts'),
      ])
      return checkedRead(db, () => readRehearsals(db).map(endInterrupted))
    },
    runs: async (input) => {
      const [{ readRuns }, { endInterrupted }] = await Promise.all([
        import('#engine/oauth/store.ts'),
        import('#engine/oauth/record.ts'),
      ])
      return checkedRead(db, () => readRuns(db, input).map(endInterrupted))
    },
    attempts: async (input) => {
      const { readAttempts } = await import('#engine/sending/store/attempts.ts')
      return checkedRead(db, () => readAttempts(db, input))
    },
    [Symbol.dispose]: () => void db.close(),
  }
}

async function tokensOf(
  db: Db,
  { box, log }: { readonly box: SecretBox; readonly log: Log },
  integrations: IntegrationRegistry,
): Promise<TokenView[]> {
  const views: TokenView[] = []
  for (const stored of readTokens(db).toSorted((a, b) => a.id - b.id)) {
    const { dueBeforeSeconds } = integrations.view(stored.integrationId).refresh
    const held = await openToken(box, log, stored)
    views.push(viewOf(held, { dueBeforeSeconds, refreshing: false }))
  }
  return views
}
