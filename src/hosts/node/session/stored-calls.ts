import { join } from 'node:path'
import type { CallInput, CallName, CallOutput, Snapshot } from '#contract/calls.ts'
import type { Settings } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import {
  throwAttemptNotFound,
  throwDeliveryNotFound,
  throwJobNotFound,
  readActivity,
  readBody,
  readDelivery,
  readStats,
} from '#engine/deliveries/store.ts'
import { EndpointRegistry } from '#engine/receiving/endpoints/registry.ts'
import { readForwards, readResponses } from '#engine/deliveries/endpoints/rules-store.ts'
import { readEndpoints } from '#engine/deliveries/endpoints/store.ts'
import { IntegrationRegistry } from '#engine/receiving/integrations/registry.ts'
import { readIntegrations } from '#engine/receiving/integrations/store.ts'
import type { Search } from '#engine/search/search.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { logsFolder } from '#engine/platform/store/data-folder.ts'
import { checkedRead, readDamagedFiles } from '#engine/deliveries/damage.ts'
import { openSettled } from '#engine/app/opening/settled.ts'
import {
  openToken,
  throwTokenNotFound,
  valueOf,
  viewOf,
} from '#engine/authorization/tokens/held-token.ts'
import { readTokens } from '#engine/authorization/tokens/store.ts'
import { openLog } from '../../log.ts'
import { io } from '../command-line/io.ts'
import { createSecretBox } from './secrets.ts'

export type Configuration = Pick<
  Snapshot,
  | 'integrations'
  | 'endpoints'
  | 'listener'
  | 'forwards'
  | 'forwardHealth'
  | 'responses'
  | 'ruleUses'
  | 'stats'
  | 'damagedFiles'
  | 'secretsLocked'
>

const attempts = () => import('#engine/sending/store/attempts.ts')
const jobs = () => import('#engine/sending/store/jobs.ts')
const scenarios = () =>
  Promise.all([
    import('#engine/event-logs/store.ts'),
    import('#engine/sending/store/jobs.ts'),
    import('#engine/event-logs/scenarios/store.ts'),
  ])
/** Without an engine: loads a fraction of its code. */
export interface StoredCalls extends Disposable {
  configuration(): Promise<Configuration>
  settings(): Promise<Settings>
  tunnel(): Promise<TunnelView>
  /** Null: the engine must answer it. Throws `AppError`. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N> | null>
}

type Answers = {
  readonly [N in CallName]?: (
    store: Store,
    input: CallInput<N>,
  ) => Promise<CallOutput<N> | null> | CallOutput<N> | null
}

class Store {
  readonly db: NonNullable<ReturnType<typeof openSettled>>
  readonly box: ReturnType<typeof createSecretBox>
  readonly log: ReturnType<typeof openLog>
  readonly dataDir: string
  search: Search | null = null

  constructor(dataDir: string, db: Store['db']) {
    this.db = db
    this.dataDir = dataDir
    this.box = createSecretBox(dataDir, io.env)
    this.log = openLog(dataDir, io)
  }

  async integrations(): Promise<IntegrationRegistry> {
    const registry = new IntegrationRegistry(this.box, this.log)
    for (const stored of readIntegrations(this.db)) await registry.put(stored)
    return registry
  }

  async endpoints(): Promise<EndpointRegistry> {
    const registry = new EndpointRegistry(this.box, this.log)
    for (const stored of readEndpoints(this.db)) await registry.put(stored)
    return registry
  }

  /** Nothing indexes the rest while no engine is open. */
  isIndexed(): boolean {
    const { indexedId, newestId } = readStats(this.db)
    return indexedId >= newestId
  }
}

const answers: Answers = {
  'attempts.list': (store, { deliveryId, draftId, jobId, before, limit = 50 }) =>
    attempts().then(({ readAttempts }) =>
      readAttempts(store.db, { deliveryId, draftId, jobId, before, limit }),
    ),
  'attempts.get': (store, { id }) =>
    attempts().then(({ readAttempt }) => readAttempt(store.db, id) ?? throwAttemptNotFound(id)),
  'attempts.body': (store, { id, which, offset, length, decoded = false }) =>
    attempts().then(
      ({ readAttemptBody }) =>
        readAttemptBody(store.db, { id, which, offset, length, decoded }) ??
        throwAttemptNotFound(id),
    ),
  'deliveries.body': (store, { id, offset, length, decoded }) =>
    decoded === true ? null : (readBody(store.db, id, offset, length) ?? throwDeliveryNotFound(id)),
  'deliveries.conformance': async (store, { since = null, before = null }) => {
    const { readConformance } = await import('#engine/deliveries/conformance-store.ts')
    return { types: await readConformance(store.db, { since, before }) }
  },
  'deliveries.diagnose': async (store, { id, candidate, computed, quick }) => {
    const [{ diagnoseStored }, { keyringOf, quickBudget }] = await Promise.all([
      import('#engine/diagnosis/diagnose.ts'),
      import('#engine/diagnosis/background-diagnosis.ts'),
    ])
    const { endpointId } = readDelivery(store.db, id) ?? throwDeliveryNotFound(id)
    const registries = {
      registry: await store.endpoints(),
      integrations: await store.integrations(),
    }
    const keyring = keyringOf(registries, endpointId)
    const query = {
      id,
      candidate,
      computed,
      keyring,
      ...(quick === true && { enough: quickBudget }),
    }
    return (await diagnoseStored(store.db, query)) ?? throwDeliveryNotFound(id)
  },
  'deliveries.fields': async (store) => {
    const { readPayloadFields } = await import('#engine/deliveries/health/observed.ts')
    return readPayloadFields(store.db)
  },
  'deliveries.page': async (store, { filter = '', upTo, asOf: given, offset, limit }) => {
    const { createSearch } = await import('#engine/search/search.ts')
    store.search ??= createSearch(store.db)
    const asOf = given ?? Date.now()
    return { ...store.search.page({ filter, upTo, asOf, offset, limit }), asOf }
  },
  'deliveries.stored': (store) => (store.isIndexed() ? readStats(store.db) : null),
  'deliveries.trace': async (store, { id }) => {
    const { readTrace } = await import('#engine/search/traces/queries.ts')
    return store.isIndexed() ? (readTrace(store.db, id) ?? throwDeliveryNotFound(id)) : null
  },
  'deliveries.get': (store, { id }) => readDelivery(store.db, id) ?? throwDeliveryNotFound(id),
  'endpoints.activity': (store) =>
    readActivity(
      store.db,
      readEndpoints(store.db).map(({ id }) => id),
      Date.now(),
    ),
  'jobs.list': (store) => jobs().then(({ readJobs }) => readJobs(store.db)),
  'jobs.get': (store, { id }) =>
    jobs().then(({ readJob }) => readJob(store.db, id) ?? throwJobNotFound(id)),
  'jobs.items': (store, { states = [], after = -1, limit = 200, id }) =>
    jobs().then(({ readJobItems }) => readJobItems(store.db, { id, states, after, limit })),
  'logs.list': async (store) => {
    const { readFieldChoices, readLogs } = await import('#engine/event-logs/store.ts')
    const logs = readLogs(store.db).flatMap(({ log }) => (log.scenario ? [] : [log]))
    return { logs, exports: [], imports: [], choices: readFieldChoices(store.db) }
  },
  'relay.list': async (store) => {
    const [{ readRelays, readRelayFacts }, { idleStatus, notRunning, relayView }] =
      await Promise.all([
        import('#engine/deliveries/relay-store.ts'),
        import('#engine/receiving/relay/view.ts'),
      ])
    const facts = readRelayFacts(store.db)
    return readRelays(store.db).map((relay) =>
      relayView(
        relay,
        facts.find(({ relayId }) => relayId === relay.id) ?? null,
        idleStatus(relay.record, notRunning, Date.now()),
      ),
    )
  },
  'rehearsals.list': async (store) => {
    const [{ readRehearsals }, { endInterrupted }] = await Promise.all([
      import('#engine/event-logs/rehearsal-store.ts'),
      import('#engine/handlers/rehearsal/live-run.ts'),
    ])
    return readRehearsals(store.db).map(endInterrupted)
  },
  'scenarios.list': async ({ db }) => {
    const [{ readLogs }, { readJobs }, { scenariosOf }] = await scenarios()
    return scenariosOf(
      readLogs(db).map(({ log }) => log),
      readJobs(db),
    )
  },
  'scenarios.get': async ({ db, dataDir }, { name }) => {
    const [{ readLogs }, { readJobs }, store] = await scenarios()
    const stored = readLogs(db).find(({ log }) => log.scenario && log.name === name)
    const jobList = readJobs(db)
    const [scenario] = stored ? store.scenariosOf([stored.log], jobList) : []
    if (!stored || !scenario) return store.throwScenarioNotFound(name)
    const log = openReader(join(dataDir, logsFolder, stored.store))
    const deliveries = store.readScenarioDeliveries(log)
    log.close()
    return { scenario, deliveries, runs: store.runsOf(scenario.id, jobList) }
  },
  'scripts.list': async (store) => {
    const { readFailures, readScripts, usesOf } = await import('#engine/sending/scripts/store.ts')
    const rules = { responses: readResponses(store.db), forwards: readForwards(store.db) }
    const scripts = readScripts(store.db)
    const failures = readFailures(store.db, scripts)
    return scripts.map((script) => ({
      ...script,
      usedBy: usesOf(rules, script.name),
      failed: failures.get(script.name),
    }))
  },
  'tokens.list': async (store, { integrationId }) => {
    const registry = await store.integrations()
    const stored = readTokens(store.db)
      .filter((token) => token.integrationId === (integrationId ?? token.integrationId))
      .toSorted((a, b) => a.id - b.id)
    return Promise.all(
      stored.map(async (token) => {
        const { dueBeforeSeconds } = registry.view(token.integrationId).refresh
        return viewOf(await openToken(store.box, store.log, token), {
          dueBeforeSeconds,
          refreshing: false,
        })
      }),
    )
  },
  'tokens.reveal': async (store, { id, which }) => {
    const stored = readTokens(store.db).find((token) => token.id === id)
    if (!stored) throwTokenNotFound(id)
    return { value: valueOf(await openToken(store.box, store.log, stored), which) }
  },
}

/** Null if a process holds the folder or something in it is pending: the engine must be opened. */
export function openStoredCalls(dataDir: string): StoredCalls | null {
  const db = openSettled(dataDir)
  if (!db) return null
  const store = new Store(dataDir, db)
  const read = <T>(query: () => T | Promise<T>): Promise<T> => checkedRead(db, query)
  return {
    configuration: () =>
      read<Configuration>(async () => {
        return {
          integrations: (await store.integrations()).views(),
          endpoints: (await store.endpoints()).views(),
          listener: { state: 'stopped', port: 0 },
          forwards: readForwards(db),
          forwardHealth: [],
          responses: readResponses(db),
          ruleUses: [],
          stats: readStats(db),
          damagedFiles: readDamagedFiles(db),
          secretsLocked: false,
        }
      }),
    settings: async () => {
      const { readSettings } = await import('#engine/platform/settings/store.ts')
      return read(() => readSettings(db))
    },
    tunnel: async () => {
      const [{ readTunnel }, { neverOpened }] = await Promise.all([
        import('#engine/receiving/tunnel/record.ts'),
        import('#engine/receiving/tunnel/status.ts'),
      ])
      const { setup, warnings } = await read(() => readTunnel(db).record)
      return { ...neverOpened(Date.now()), setup, warnings }
    },
    call: async (name, input) => {
      const answer = answers[name]
      const isOfLog = 'log' in input && typeof input.log === 'number'
      return answer && !isOfLog ? read(async () => answer(store, input)) : null
    },
    [Symbol.dispose]: () => void db.close(),
  }
}
