import { join } from 'node:path'
import type { CallInput, CallName, CallOutput, Snapshot } from '#contract/calls.ts'
import type { Settings } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import {
  throwAttemptNotFound,
  throwDeliveryNotFound,
  throwJobNotFound,
} from '#engine/deliveries/lookup.ts'
import { readActivity, readBody, readDelivery, readStats } from '#engine/deliveries/store.ts'
import { EndpointRegistry } from '#engine/endpoints/registry.ts'
import { readForwards, readResponses, readUses } from '#engine/endpoints/rules-store.ts'
import { readEndpoints } from '#engine/endpoints/store.ts'
import { IntegrationRegistry } from '#engine/integrations/registry.ts'
import { readIntegrations } from '#engine/integrations/store.ts'
import type { Search } from '#engine/search/search.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { logsFolder } from '#engine/store/data-folder.ts'
import { checkedRead, readDamagedFiles } from '#engine/store/damage.ts'
import { openSettled } from '#engine/store/settled.ts'
import { openToken, throwTokenNotFound, valueOf, viewOf } from '#engine/tokens/held-token.ts'
import { readTokens } from '#engine/tokens/store.ts'
import { readSpans } from '#engine/tunnel/store.ts'
import { openLog } from '../log.ts'
import { io } from './io.ts'
import { createSecretBox } from './secrets.ts'

/** The part of the snapshot that commands print. */
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
    import('#engine/scenarios/store.ts'),
  ])
const runs = () =>
  Promise.all([import('#engine/oauth/store.ts'), import('#engine/oauth/record.ts')])

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
    input: CallInput<N>,
  ) => Promise<CallOutput<N> | null> | CallOutput<N> | null
}

/** Null if a process holds the folder or something in it is pending: the engine must be opened. */
export function openStoredCalls(dataDir: string): StoredCalls | null {
  const db = openSettled(dataDir)
  if (!db) return null
  const box = createSecretBox(dataDir, io.env)
  const log = openLog(dataDir, io)
  const read = <T>(query: () => T | Promise<T>): Promise<T> => checkedRead(db, query)

  const integrations = async (): Promise<IntegrationRegistry> => {
    const registry = new IntegrationRegistry(box, log)
    for (const stored of readIntegrations(db)) await registry.put(stored)
    return registry
  }
  const endpoints = async (): Promise<EndpointRegistry> => {
    const registry = new EndpointRegistry(box, log)
    for (const stored of readEndpoints(db)) await registry.put(stored)
    return registry
  }
  /** Nothing indexes the rest while no engine is open. */
  const isIndexed = (): boolean => {
    const { indexedId, newestId } = readStats(db)
    return indexedId >= newestId
  }
  let search: Search | null = null
  const answers: Answers = {
    'attempts.list': ({ deliveryId, draftId, jobId, before, limit = 50 }) =>
      attempts().then(({ readAttempts }) =>
        readAttempts(db, { deliveryId, draftId, jobId, before, limit }),
      ),
    'attempts.get': ({ id }) =>
      attempts().then(({ readAttempt }) => readAttempt(db, id) ?? throwAttemptNotFound(id)),
    'attempts.body': ({ id, which, offset, length, decoded = false }) =>
      attempts().then(
        ({ readAttemptBody }) =>
          readAttemptBody(db, { id, which, offset, length, decoded }) ?? throwAttemptNotFound(id),
      ),
    'authorization.runs': ({ limit = 100, ...input }) =>
      runs().then(([{ readRuns }, { endInterrupted }]) =>
        readRuns(db, { ...input, limit }).map(endInterrupted),
      ),
    'authorization.run': ({ id }) =>
      runs().then(([{ readRun }, { endInterrupted, throwRunNotFound }]) =>
        endInterrupted(readRun(db, id) ?? throwRunNotFound(id)),
      ),
    'deliveries.body': ({ id, offset, length, decoded }) =>
      decoded === true ? null : (readBody(db, id, offset, length) ?? throwDeliveryNotFound(id)),
    'deliveries.conformance': async ({ since, before }) => {
      const { readConformance } = await import('#engine/conformance/store.ts')
      return { types: await readConformance(db, { since, before }) }
    },
    'deliveries.diagnose': async ({ id, candidate, computed, quick }) => {
      const [{ diagnoseStored }, { keyringOf, quickMs }] = await Promise.all([
        import('#engine/signature/diagnose/diagnose.ts'),
        import('#engine/signature/background-diagnosis.ts'),
      ])
      const { endpointId } = readDelivery(db, id) ?? throwDeliveryNotFound(id)
      const registries = { registry: await endpoints(), integrations: await integrations() }
      const keyring = keyringOf(registries, endpointId)
      const query = {
        id,
        candidate,
        computed,
        keyring,
        ...(quick === true && { budgetMs: quickMs }),
      }
      return (await diagnoseStored(db, query)) ?? throwDeliveryNotFound(id)
    },
    'deliveries.fields': async () => {
      const { readPayloadFields } = await import('#engine/health/observed.ts')
      return readPayloadFields(db)
    },
    'deliveries.headers': async ({ id }) => {
      const { readHeaderChecks } = await import('#engine/conformance/store.ts')
      const { endpointId } = readDelivery(db, id) ?? throwDeliveryNotFound(id)
      const settings = endpointId === null ? null : (await endpoints()).settingsOf(endpointId)
      return readHeaderChecks(db, { id, settings }) ?? throwDeliveryNotFound(id)
    },
    'deliveries.page': async ({ filter = '', upTo, asOf: given, offset, limit }) => {
      const { createSearch } = await import('#engine/search/search.ts')
      search ??= createSearch(db)
      const asOf = given ?? Date.now()
      return { ...search.page({ filter, upTo, asOf, offset, limit }), asOf }
    },
    'deliveries.related': async ({ id }) => {
      const { readRelated } = await import('#engine/traces/queries.ts')
      return isIndexed() ? (readRelated(db, id) ?? throwDeliveryNotFound(id)) : null
    },
    'deliveries.stored': () => (isIndexed() ? readStats(db) : null),
    'deliveries.trace': async ({ id }) => {
      const { readTrace } = await import('#engine/traces/queries.ts')
      return isIndexed() ? (readTrace(db, id) ?? throwDeliveryNotFound(id)) : null
    },
    'deliveries.get': ({ id }) => readDelivery(db, id) ?? throwDeliveryNotFound(id),
    'endpoints.activity': () =>
      readActivity(
        db,
        readEndpoints(db).map(({ id }) => id),
        Date.now(),
      ),
    'jobs.list': () => jobs().then(({ readJobs }) => readJobs(db)),
    'jobs.get': ({ id }) => jobs().then(({ readJob }) => readJob(db, id) ?? throwJobNotFound(id)),
    'jobs.items': ({ states = [], after = -1, limit = 200, id }) =>
      jobs().then(({ readJobItems }) => readJobItems(db, { id, states, after, limit })),
    'logs.list': async () => {
      const { readFieldChoices, readLogs } = await import('#engine/event-logs/store.ts')
      const logs = readLogs(db).flatMap(({ log }) => (log.scenario ? [] : [log]))
      return { logs, exports: [], imports: [], choices: readFieldChoices(db) }
    },
    'relay.list': async () => {
      const [{ readRelays, readRelayFacts }, { idleStatus, notRunning, relayView }] =
        await Promise.all([import('#engine/relay/store.ts'), import('#engine/relay/view.ts')])
      const facts = readRelayFacts(db)
      return readRelays(db).map((relay) =>
        relayView(
          relay,
          facts.find(({ relayId }) => relayId === relay.id) ?? null,
          idleStatus(relay.record, notRunning, Date.now()),
        ),
      )
    },
    'rehearsals.list': async () => {
      const [{ readRehearsals }, { endInterrupted }] = await Promise.all([
        import('#engine/rehearsal/store.ts'),
        import('#engine/rehearsal/live-run.ts'),
      ])
      return readRehearsals(db).map(endInterrupted)
    },
    'scenarios.list': async () => {
      const [{ readLogs }, { readJobs }, { scenariosOf }] = await scenarios()
      return scenariosOf(
        readLogs(db).map(({ log }) => log),
        readJobs(db),
      )
    },
    'scenarios.get': async ({ name }) => {
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
    'scripts.list': async () => {
      const { readScripts, usesOf } = await import('#engine/scripts/store.ts')
      const rules = { responses: readResponses(db), forwards: readForwards(db) }
      return readScripts(db).map((script) => ({ ...script, usedBy: usesOf(rules, script.name) }))
    },
    'tokens.list': async ({ integrationId }) => {
      const registry = await integrations()
      const stored = readTokens(db)
        .filter((token) => token.integrationId === (integrationId ?? token.integrationId))
        .toSorted((a, b) => a.id - b.id)
      return Promise.all(
        stored.map(async (token) => {
          const { dueBeforeSeconds } = registry.view(token.integrationId).refresh
          return viewOf(await openToken(box, log, token), { dueBeforeSeconds, refreshing: false })
        }),
      )
    },
    'tokens.reveal': async ({ id, which }) => {
      const stored = readTokens(db).find((token) => token.id === id)
      if (!stored) throwTokenNotFound(id)
      return { value: valueOf(await openToken(box, log, stored), which) }
    },
    'tunnel.history': async ({ limit = 1000, since }) => readSpans(db, { since, limit }),
  }
  return {
    configuration: () =>
      read<Configuration>(async () => {
        return {
          integrations: (await integrations()).views(),
          endpoints: (await endpoints()).views(),
          listener: { state: 'stopped', port: 0 },
          forwards: readForwards(db),
          forwardHealth: [],
          responses: readResponses(db),
          ruleUses: readUses(db),
          stats: readStats(db),
          damagedFiles: readDamagedFiles(db),
          secretsLocked: false,
        }
      }),
    settings: async () => {
      const { readSettings } = await import('#engine/settings/store.ts')
      return read(() => readSettings(db))
    },
    tunnel: async () => {
      const [{ readTunnel }, { neverOpened }] = await Promise.all([
        import('#engine/tunnel/record.ts'),
        import('#engine/tunnel/status.ts'),
      ])
      const { setup, warnings } = await read(() => readTunnel(db).record)
      return { ...neverOpened(Date.now()), setup, warnings }
    },
    call: async (name, input) => {
      const answer = answers[name]
      const isOfLog = 'log' in input && typeof input.log === 'number'
      return answer && !isOfLog ? read(async () => answer(input)) : null
    },
    [Symbol.dispose]: () => void db.close(),
  }
}
