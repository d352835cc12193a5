import { setTimeout as delay } from 'node:timers/promises'
import { describeDamage } from '#contract/damaged-file.ts'
import type { DeliverySummary, Settings, StoreStats } from '#contract/models.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { messageOf } from '#shared/text/errors.ts'
import { formatDuration } from '#shared/text/format.ts'
import { RunningRequests } from '../../platform/running-requests.ts'
import type { Capture } from '../../receiving/listener/capture.ts'
import { createEventLogService, type Logs } from '../../event-logs/service.ts'
import { addEndpoint } from '../calls/endpoints.ts'
import { proveRefresh } from '../calls/integrations.ts'
import { systemClock, type Clock } from '../../platform/clock.ts'
import { Bus } from '../../platform/event-bus.ts'
import { endHeapGrowthLimits, limitHeapGrowth } from '../../platform/heap-limits.ts'
import { Network } from '../../platform/http/network.ts'
import type { EnginePorts, Log, SecretBox } from '../../platform/ports.ts'
import { collectGarbage, createMemoryRelease } from '../../platform/release-memory.ts'
import { watchSleep } from '../../platform/sleep-watch.ts'
import { BackgroundDiagnosis } from '../../diagnosis/background-diagnosis.ts'
import { HealthWatch } from '../../deliveries/health/watch.ts'
import { Relays } from '../../receiving/relay/relays.ts'
import { Rehearsals } from '../../handlers/rehearsal/service.ts'
import { Scenarios } from '../../event-logs/scenarios/scenarios.ts'
import { readCertificates } from '../../platform/settings/network.ts'
import { start as startSandbox } from '../calls/sandbox.ts'
import type { Store, StoreListener } from '../threads/store.ts'
import type { IndexerEvent } from '../../search/indexer/messages.ts'
import { reasonOf } from '../../platform/storage-failure.ts'
import type { WriterEvent } from '../threads/writer-api.ts'
import { TokenManager } from '../../authorization/tokens/manager.ts'
import { tryRefresh } from '../../authorization/tokens/try-refresh.ts'
import { createTunnelService } from '../../receiving/tunnel/service.ts'
import type { Tunnel } from '../../receiving/tunnel/tunnel.ts'
import type { Context, EngineConfig } from '../context.ts'
import { Configuration, startThreads } from './threads.ts'
import type { ReaderApi } from '../threads/queries.ts'

/** In the order of opening. */
type Closers = (() => Promise<void> | void)[]

/** Opens the store with `open`, and creates the context of all calls. Throws `AppError` if the store cannot be opened. */
export async function openContext(
  ports: EnginePorts,
  config: EngineConfig,
  closers: Closers,
  announce: (listener: string | null) => void,
  open: (on: StoreListener) => Store,
): Promise<Context> {
  const bus = new Bus()
  ports.system.updates?.onChange((state) => bus.push('updates.changed', state))
  const died = (error: Error): void => void ports.log.error('a thread of the engine crashed', error)
  const events = new StoreEvents(bus, ports.log)
  const store = open({
    died,
    event: (event) => events.receive(event),
    indexerEvent: (event) => events.receiveIndexed(event),
  })
  closers.push(() => store.close())
  for (const file of store.damaged) {
    ports.log.warn(`${describeDamage(file)} The damaged file: ${file.path}`)
  }
  const { network, caFileProblem } = await openNetwork(ports, store.initial.settings)
  const isUnlocked = await unlockedSoon(ports.secrets)
  const configuration = await Configuration.open(ports, store)
  let context: Context | null = null
  const threads = startThreads(
    {
      ports,
      config,
      bus,
      store,
      network,
      configuration,
      died,
      onListener: (state) => {
        context?.tunnel.listenerChanged(state)
        announce(configuration.origin)
      },
    },
    closers,
  )
  const stats = await store.reader.call('stats')
  const opening = { ports, config, bus, store, network, configuration, threads }
  const tokens = createTokens(opening, () => opened)
  const opened: Context = {
    ...openServices(opening, tokens, closers, () => opened),
    settings: store.initial.settings,
    secretsLocked: !isUnlocked,
    caFileProblem,
    stats: { ...stats, ...events.stats },
  }
  context = opened
  events.attach(opened)
  keepCurrent(opened, closers)
  closers.push(() => tokens.close())
  await tokens.open(store.initial.tokens)
  await opened.relays.open()
  await opened.health.open(config.background ?? true)
  if (!isUnlocked) decryptWhenUnlocked(opened, closers)
  releaseMemory(opened, events, closers)
  return opened
}

function releaseMemory(context: Context, events: StoreEvents, closers: Closers): void {
  const { ports, store, capture } = context
  let releasing = Promise.resolve()
  const memory = createMemoryRelease(ports.clock ?? systemClock, {
    limit: limitHeapGrowth,
    endLimit: endHeapGrowthLimits,
    release: () => {
      collectGarbage()
      releasing = releaseThreadMemory(store, capture, ports.log)
    },
  })
  events.onArrived = memory.arrived
  closers.push(async () => {
    memory.stop()
    await releasing
  })
}

/** A CA file that cannot be read prevents nothing but the connections that need it. */
async function openNetwork(
  { log, resolveProxy }: EnginePorts,
  { proxy, caFile }: Settings,
): Promise<Pick<Context, 'network' | 'caFileProblem'>> {
  try {
    const certificates = await readCertificates(caFile)
    return { network: new Network({ proxy, certificates }, resolveProxy), caFileProblem: null }
  } catch (error) {
    const caFileProblem = messageOf(error)
    log.warn(caFileProblem)
    return { network: new Network({ proxy, certificates: null }, resolveProxy), caFileProblem }
  }
}

interface Opening {
  readonly ports: EnginePorts
  readonly config: EngineConfig
  readonly bus: Bus
  readonly store: Store
  readonly network: Network
  readonly configuration: Configuration
  readonly threads: ReturnType<typeof startThreads>
}

/** `context`: the complete context, which refreshes use later. */
function createTokens(
  { ports, config, bus, store, configuration: { integrations } }: Opening,
  context: () => Context,
): TokenManager {
  return new TokenManager({
    clock: ports.clock ?? systemClock,
    secrets: ports.secrets,
    log: ports.log,
    writer: {
      insert: (fields) => store.writer.call('insertToken', fields),
      // Changes over time, such as expiry, are determined again when the folder is next opened.
      update: async (token, wipe) => store.writer.call('updateToken', { token, wipe }),
      remove: (id) => store.writer.call('deleteToken', id),
    },
    integrations,
    tryRefresh: (of, take) => tryRefresh(context(), of, take),
    proven: (integration, at) => proveRefresh(context(), integration, at),
    changed: (views) => bus.push('tokens.changed', views),
    background: config.background ?? true,
  })
}

/** `context`: the complete context, for work that starts later. */
function openServices(
  opening: Opening,
  tokens: TokenManager,
  closers: Closers,
  context: () => Context,
): Omit<Context, 'secretsLocked' | 'caFileProblem' | 'settings' | 'stats'> {
  const { ports, config, bus, store, network, configuration, threads } = opening
  const { integrations, registry, endpointRules, targets, scripts } = configuration
  const { capture, listening, sender } = threads
  const clock = ports.clock ?? systemClock
  const tunnel = openTunnel(opening, clock, closers)
  const sleep = watchSleep(clock, (from, to) => {
    ports.log.info(
      `The computer was asleep for ${formatDuration(to - from)}, or its clock was changed.`,
    )
    tunnel.resumedFromSleep(from, to)
    tokens.slept()
    relays.slept()
    void listening.recheck()
  })
  closers.push(() => sleep.end())
  const { dataDir, version } = config
  const logs = createEventLogService<ReaderApi>(
    { ports, clock, dataDir, version, store, registry, integrations, tokens, listening },
    (view) => bus.push('logs.changed', view),
  )
  closers.push(() => logs.close())
  const runs = openRuns(opening, logs, closers)
  const diagnosis = new BackgroundDiagnosis({
    bus,
    log: ports.log,
    store,
    registry,
    integrations,
    isLocked: () => context().secretsLocked,
  })
  closers.push(() => diagnosis.close())
  const relays = createRelays(opening, clock, context)
  const health = openHealth(opening, clock, { tunnel, relays }, closers)
  closers.push(() => relays.close())
  const turn = createMutex()
  return {
    ports,
    config,
    bus,
    clock,
    store,
    registry,
    listening,
    capture,
    network,
    tunnel,
    sender,
    endpointRules,
    targets,
    scripts,
    integrations,
    tokens,
    sleep,
    logs,
    ...runs,
    relays,
    diagnosis,
    health,
    turn,
    runs: new Map(),
    flows: new Set(),
    running: new RunningRequests(),
    holdChanged: (state) => threads.holdChanged(state),
    startSandbox: () => turn(() => startSandbox(context())),
    configureThreads: async () => {
      await threads.configure(context().settings.bodyLimit)
      await relays.configure()
    },
  }
}

function openTunnel(
  { ports, config, bus, store, network, configuration, threads }: Opening,
  clock: Clock,
  closers: Closers,
): Tunnel {
  const { capture, probeKey } = threads
  const tunnel = createTunnelService(
    {
      ports,
      clock,
      store: {
        initial: store.initial.tunnel,
        write: (stored) => store.writer.call('writeTunnel', stored),
      },
      capture,
      network,
      probeKey,
      timings: config.tunnelPace,
    },
    (view) => {
      if (configuration.publicAddresses.add(view)) threads.configureSender()
      bus.push('tunnel.changed', view)
    },
  )
  // Before the listener, which must respond to requests in transit through the tunnel.
  closers.push(() => tunnel.end())
  return tunnel
}

function openHealth(
  { ports, bus, store, configuration: { registry } }: Opening,
  clock: Clock,
  { tunnel, relays }: Pick<Context, 'tunnel' | 'relays'>,
  closers: Closers,
): HealthWatch {
  const health = new HealthWatch({
    store,
    clock,
    log: ports.log,
    bus,
    registry,
    tunnel: () => tunnel.view().state,
    relays: () => relays.views(),
  })
  closers.push(() => health.close())
  bus.on('deliveries.arrived', () => health.arrived())
  bus.on('attempts.made', () => health.arrived())
  bus.on('deliveries.removed', () => relays.deliveriesRemoved())
  return health
}

function openRuns(
  { ports, bus, store, network, configuration, threads: { sender, ownPorts } }: Opening,
  logs: Logs<ReaderApi>,
  closers: Closers,
): Pick<Context, 'rehearsals' | 'scenarios'> {
  const { registry, integrations } = configuration
  const rehearsals = new Rehearsals({
    entry: ports.threads.rehearsal,
    network,
    log: ports.log,
    store,
    registry,
    integrations,
    sender,
    ownPorts: ownPorts.buffer,
    listener: () => configuration.origin,
    push: (name, payload) => bus.push(name, payload),
  })
  closers.push(() => rehearsals.close())
  const scenarios = new Scenarios({
    bus,
    store,
    sender,
    configuration: () => configuration.forSender(),
    logs,
  })
  return { rehearsals, scenarios }
}

function createRelays(
  { ports, config, bus, store, configuration }: Opening,
  clock: Clock,
  context: () => Context,
): Relays {
  return new Relays({
    entry: ports.threads.relay,
    store,
    secrets: ports.secrets,
    log: ports.log,
    clock,
    follows: config.background ?? true,
    config: () => configuration.forCapture(config.limits, context().settings.bodyLimit),
    endpoints: () => configuration.registry.views(),
    addEndpoint: (slug) => addEndpoint(context(), slug),
    changed: (views) => bus.push('relay.changed', views),
    removed: (stats) => {
      const opened = context()
      opened.stats = { ...opened.stats, ...stats }
      bus.push('deliveries.removed', { reason: 'deleted', stats: opened.stats })
    },
  })
}

function keepCurrent({ bus, ports, store, running, flows }: Context, closers: Closers): void {
  let isClosing = false
  bus.on('deliveries.changed', ({ rows }) => {
    const ids = rows.map(({ id }) => id)
    store.touched(ids).catch((error: unknown) => {
      // The reader is closed before the last pushes.
      if (!isClosing) ports.log.error('changed deliveries were not read again', error)
    })
  })
  closers.push(ports.sandbox.onChange((state) => bus.push('sandbox.changed', state)))
  closers.push(ports.sandbox.service.onChange((state) => bus.push('sandboxService.changed', state)))
  closers.push(() => ports.sandbox.close())
  closers.push(() => running.close())
  closers.push(async () => {
    isClosing = true
    await Promise.all([...flows].map((flow) => flow.close()))
  })
}

const OPENING_MS = 3_000

/** Resolves to false if secrets still cannot be decrypted after `OPENING_MS`. */
async function unlockedSoon({ unlocked }: SecretBox): Promise<boolean> {
  if (unlocked === undefined) return true
  const waited = new AbortController()
  const timeout = delay(OPENING_MS, false, { signal: waited.signal }).catch(() => false)
  const isUnlocked = await Promise.race([unlocked.then(() => true), timeout])
  waited.abort()
  return isUnlocked
}

function decryptWhenUnlocked(context: Context, closers: Closers): void {
  const { log, secrets } = context.ports
  log.warn("The system's keyring is locked. Secrets and tokens are available once you unlock it.")
  let isClosed = false
  closers.push(() => void (isClosed = true))
  secrets.unlocked
    ?.then(() => context.turn(async () => (isClosed ? undefined : openLocked(context))))
    .catch((error: unknown) => log.error('secrets could not be decrypted', error))
}

async function openLocked(context: Context): Promise<void> {
  const { integrations, registry, bus, tokens } = context
  for (const { id } of integrations.views()) await integrations.put(integrations.stored(id))
  for (const { id } of registry.views()) await registry.put(registry.stored(id))
  await context.configureThreads()
  await tokens.reopen()
  await context.relays.reopen()
  context.secretsLocked = false
  context.diagnosis.wake()
  bus.push('integrations.changed', integrations.views())
  bus.push('endpoints.changed', registry.views())
  bus.push('secrets.changed', { locked: false })
}

const noStats: StoreStats = { deliveries: 0, bytes: 0, newestId: 0, indexedId: 0 }

/** The threads of the store may report something before the context is complete. */
class StoreEvents {
  readonly #bus: Bus
  readonly #log: Log
  #indexFailing: string | null = null
  #context: Context | null = null
  stats: Partial<StoreStats> = {}
  onArrived: ((newestId: number) => void) | null = null
  #arrivedId = 0
  /** Found to repeat others. Their rows from the writer do not say so, so a change before those would be lost. */
  readonly #repeating = new Set<number>()

  constructor(bus: Bus, log: Log) {
    this.#bus = bus
    this.#log = log
  }

  attach(context: Context): void {
    this.#context = context
    this.#arrivedId = Math.max(this.#arrivedId, context.store.nextId - 1)
    if (this.#indexFailing !== null) context.listening.setFailing('index', this.#indexFailing)
  }

  receive(event: WriterEvent): void {
    const stats = this.#updated('stats' in event ? event.stats : {})
    switch (event.event) {
      case 'arrived':
        this.onArrived?.(event.stats.newestId)
        this.#bus.push('deliveries.arrived', { rows: event.rows, stats })
        this.#wakeDiagnosis(event.rows)
        this.#arrivedId = Math.max(this.#arrivedId, event.rows.at(-1)?.id ?? 0)
        this.#pushRepeating()
        break
      case 'changed':
        void this.#pushChanged(event.ids)
        break
      case 'removed':
        this.#bus.push('deliveries.removed', { reason: 'retention', stats })
        break
      case 'deleted':
        break
      case 'retentionFailing':
        this.#log.warn(`deliveries over the limits cannot be deleted: ${event.reason}`)
        break
    }
  }

  receiveIndexed(event: IndexerEvent): void {
    switch (event.event) {
      case 'indexed': {
        // The writer reports new deliveries a moment later.
        const newestId = Math.max(this.stats.newestId ?? 0, event.indexedId)
        const stats = this.#updated({ indexedId: event.indexedId, newestId })
        this.onArrived?.(stats.newestId)
        for (const id of event.repeating) this.#repeating.add(id)
        this.#pushRepeating()
        this.#bus.push('deliveries.indexed', { stats })
        break
      }
      case 'failing':
        if (event.reason === null) this.#log.info('the search index is writable again')
        else this.#log.warn(`the search index stopped: ${event.reason}`)
        this.#indexFailing = event.reason
        this.#context?.listening.setFailing('index', event.reason)
        break
      case 'observed':
        this.#bus.push('deliveries.observed', {})
        break
      case 'walLong':
      case 'recreated':
        break
    }
  }

  #updated(stats: Partial<StoreStats>): StoreStats {
    this.stats = { ...this.stats, ...stats }
    const context = this.#context
    if (!context) return { ...noStats, ...this.stats }
    context.stats = { ...context.stats, ...stats }
    return context.stats
  }

  /** Rows that were omitted under load may need it as well. */
  #wakeDiagnosis(rows: readonly DeliverySummary[]): void {
    const arrived = (rows.at(-1)?.id ?? 0) - this.#arrivedId
    if (rows.length < arrived || rows.some(({ causes }) => causes === null)) {
      this.#context?.diagnosis.wake()
    }
  }

  #pushRepeating(): void {
    const ids = [...this.#repeating].filter((id) => id <= this.#arrivedId)
    for (const id of ids) this.#repeating.delete(id)
    void this.#pushChanged(ids)
  }

  async #pushChanged(ids: readonly number[]): Promise<void> {
    if (ids.length === 0 || !this.#context) return
    try {
      const rows = await this.#context.store.reader.call('rows', ids)
      if (rows.length > 0) this.#bus.push('deliveries.changed', { rows })
      if (rows.some(({ causes }) => causes === null)) this.#context?.diagnosis.wake()
    } catch (error) {
      this.#log.warn(`changed deliveries could not be read: ${reasonOf(error)}`)
    }
  }
}

/** One after the other: to collect garbage, a thread sets a flag of the process. */
async function releaseThreadMemory(store: Store, capture: Capture, log: Log): Promise<void> {
  try {
    await capture.releaseMemory()
    await store.releaseMemory()
  } catch (error) {
    log.error('memory could not be released', error)
  }
}
