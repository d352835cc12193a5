import type { StoreStats } from '#contract/models.ts'
import { RunningRequests } from '../api-console/request-runner.ts'
import { randomBytes } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import { Answering, EndpointRegistry } from '../endpoints/registry.ts'
import { Bus } from '../platform/event-bus.ts'
import { createCapture, type Capture } from '../capture/capture.ts'
import {
  defaultLimits,
  type CaptureLimits,
  type CaptureConfig,
  type EndpointRoute,
} from '../capture/messages.ts'
import { systemClock } from '../platform/clock.ts'
import { endHeapGrowthLimits, limitHeapGrowth } from '../platform/heap-limits.ts'
import { collectGarbage, createMemoryRelease } from '../platform/release-memory.ts'
import { start as startSandbox } from '../sandbox/routes.ts'
import type { Context } from './context.ts'
import { proveRefresh } from '../integrations/routes.ts'
import { IntegrationRegistry } from '../integrations/registry.ts'
import { createEventLogService } from '../event-logs/service.ts'
import { createListening } from '../capture/listening/listening.ts'
import type { EngineConfig, EnginePorts, Log, SecretBox } from '../platform/ports.ts'
import { OwnPorts, type SenderConfig, type SenderEvent } from '../sending/messages.ts'
import { createRehearsals } from '../rehearsal/service.ts'
import { createSender } from '../sending/sender.ts'
import { watchSleep } from '../platform/sleep-watch.ts'
import type { Store, StoreListener } from '../store/store.ts'
import { TokenManager } from '../tokens/manager.ts'
import { tryRefresh } from '../tokens/try-refresh.ts'
import { tunnelProviders } from '../tunnel/providers.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { createTunnelService } from '../tunnel/service.ts'
import type { WriterEvent } from '../store/writer-api.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { formatDuration } from '#shared/text/format.ts'
import { PublicAddresses } from '../tunnel/public-addresses.ts'

/** Time to wait for the system's keyring when opening the engine, in milliseconds. It usually responds immediately. */
const OPENING_MS = 3_000

/** Waits a few seconds until secrets can be decrypted. Resolves to false if they still cannot. */
async function unlockedSoon({ unlocked }: SecretBox): Promise<boolean> {
  if (unlocked === undefined) return true
  const waited = new AbortController()
  const timeout = delay(OPENING_MS, false, { signal: waited.signal }).catch(() => false)
  const isUnlocked = await Promise.race([unlocked.then(() => true), timeout])
  waited.abort()
  return isUnlocked
}

/** Decrypts the secrets and tokens that were unavailable while the keyring was locked, and updates the threads and the interface. */
async function openLocked(context: Context): Promise<void> {
  const { integrations, registry, bus, tokens } = context
  for (const { id } of integrations.views()) await integrations.put(integrations.stored(id))
  for (const { id } of registry.views()) await registry.put(registry.stored(id))
  await context.configureThreads()
  await tokens.reopen()
  context.secretsLocked = false
  bus.push('integrations.changed', integrations.views())
  bus.push('endpoints.changed', registry.views())
  bus.push('secrets.changed', { locked: false })
}

/**
 * Opens the store with `open`, and creates the context of all calls. Adds functions that close its parts to `closers`, in the order of opening. Throws
 * `AppError` if the store cannot be opened.
 */
export async function openContext(
  ports: EnginePorts,
  config: EngineConfig,
  closers: (() => Promise<void> | void)[],
  announce: (listener: string | null) => void,
  open: (on: StoreListener) => Store,
): Promise<Context> {
  const bus = new Bus()
  ports.system.updates?.onChange((state) => bus.push('updates.changed', state))
  // After a crash the writer reports events immediately, before the context is complete.
  let opened: Context | null = null
  let earlyStats: StoreStats | null = null
  const earlyFailures = new Map<'store' | 'index', string | null>()
  const storeFailing = (what: 'store' | 'index', reason: string | null): void => {
    if (opened) opened.listening.setFailing(what, reason)
    else earlyFailures.set(what, reason)
  }
  const memory = createMemoryRelease(ports.clock ?? systemClock, {
    limit: limitHeapGrowth,
    endLimit: endHeapGrowthLimits,
    release: () => {
      collectGarbage()
      void releaseThreadMemory(store, opened?.capture, ports.log)
    },
  })
  closers.push(memory.stop)
  const died = (error: Error): void => void ports.log.error('a thread of the engine crashed', error)
  const store = open({
    died,
    event: (event) => {
      if ('stats' in event) {
        earlyStats = event.stats
        if (opened) opened.stats = event.stats
      }
      if (event.event === 'arrived' || event.event === 'indexed') {
        memory.arrived(event.stats.newestId)
      }
      publishStoreEvent(bus, ports.log, event)
      if (event.event === 'failing') storeFailing('store', event.reason)
      if (event.event === 'indexFailing') storeFailing('index', event.reason)
    },
  })
  closers.push(() => store.close())
  if (store.setAside) {
    ports.log.warn(`the store was damaged and was moved to ${store.setAside}`)
  }
  const { settings, endpoints } = store.initial
  const isUnlocked = await unlockedSoon(ports.secrets)
  const integrations = new IntegrationRegistry(ports.secrets, ports.log)
  for (const integration of store.initial.integrations) await integrations.put(integration)
  const registry = new EndpointRegistry(ports.secrets, ports.log)
  for (const endpoint of endpoints) await registry.put(endpoint)
  const answering = new Answering(
    store.initial.forwards,
    store.initial.responses,
    store.initial.ruleUses,
  )
  const targets = new Map(store.initial.targets.map((target) => [target.origin, target]))
  const routes = (): EndpointRoute[] => registry.routes((id) => integrations.brandOf(id), answering)
  const fallbackBrand = (): string => integrations.views()[0]?.brand ?? 'Service'
  const captureConfig = (bodyLimit: number): CaptureConfig => ({
    routes: routes(),
    fallbackBrand: fallbackBrand(),
    limits: limitsOf(config, bodyLimit),
  })
  const publicAddresses = new PublicAddresses(tunnelProviders)
  const senderConfig = (listener: string | null): SenderConfig => ({
    endpoints: routes(),
    fallbackBrand: fallbackBrand(),
    forwards: answering.forwards,
    targets: [...targets.values()],
    listener,
    publicAddresses: publicAddresses.all,
  })
  /** Not awaited: deliveries to the Tabscope listener are sent later than this. */
  const configureSender = (): void => {
    void sender.configure(senderConfig(origin)).catch(() => undefined)
  }
  const ownPorts = new OwnPorts()
  const probeKey = new Uint8Array(randomBytes(32))
  const passing = new MessageChannel()
  const capture = createCapture(
    ports.threads.capture,
    {
      journalDir: store.journal.dir,
      journalEnd: store.journal.end,
      firstId: store.journal.nextId,
      shared: store.progress.buffer,
      config: captureConfig(settings.bodyLimit),
      ownPorts: ownPorts.buffer,
      probeKey,
      sender: passing.port1,
      uses: store.initial.ruleUses,
    },
    {
      failing: (reason) => {
        if (reason === null) ports.log.info('Deliveries are accepted again.')
        else ports.log.warn(`Deliveries are rejected with 503: ${reason}`)
        listening.setFailing('journal', reason)
      },
      used: (uses) => {
        answering.uses = uses
        bus.push('responses.used', uses)
      },
      died: (error) => {
        died(error)
        listening.died()
      },
    },
  )
  let origin: string | null = null
  const listening = createListening(capture, (state) => {
    origin = state.state === 'listening' ? state.origin : null
    opened?.tunnel.listenerChanged(state)
    announce(origin)
    if (opened) configureSender()
    bus.push('listener.changed', state)
  })
  const sender = createSender(
    ports.threads.sender,
    {
      storePath: store.path,
      progress: store.progress.buffer,
      ownPorts: ownPorts.buffer,
      followFrom: store.journal.nextId - 1,
      writer: store.sendPort,
      capture: passing.port2,
      config: senderConfig(null),
    },
    { died, event: (event) => publishSenderEvent(bus, event) },
  )
  closers.push(() => sender.close())
  // Before the sender, which still forwards deliveries whose response comes from a target.
  closers.push(async () => {
    await capture.close()
    listening.stopped()
  })
  const stats = await store.reader.call('stats')
  const clock = ports.clock ?? systemClock
  const tunnel = createTunnelService(
    { ports, clock, store, capture, probeKey, timings: config.tunnelPace },
    (view) => {
      if (publicAddresses.add(view)) configureSender()
      bus.push('tunnel.changed', view)
    },
  )
  // Before the listener, which must respond to requests in transit through the tunnel.
  closers.push(() => tunnel.end())
  const tokens = new TokenManager({
    clock,
    secrets: ports.secrets,
    log: ports.log,
    writer: {
      insert: (fields) => store.writer.call('insertToken', fields),
      // Changes over time, such as expiry, are determined again when the folder is next opened.
      update: async (token, wipe) =>
        store.readOnly ? undefined : store.writer.call('updateToken', { token, wipe }),
      remove: (id) => store.writer.call('deleteToken', id),
    },
    integrations,
    tryRefresh: (of, take) => tryRefresh(context, of, take),
    proven: (integration, at) => proveRefresh(context, integration, at),
    changed: (views) => bus.push('tokens.changed', views),
    background: config.background ?? true,
  })
  const sleep = watchSleep(clock, (from, to) => {
    ports.log.info(
      `The computer was asleep for ${formatDuration(to - from)}, or its clock was changed.`,
    )
    tunnel.resumedFromSleep(from, to)
    tokens.slept()
    void listening.recheck()
  })
  closers.push(() => sleep.end())
  const logs = createEventLogService(
    {
      ports,
      clock,
      dataDir: config.dataDir,
      version: config.version,
      store,
      registry,
      integrations,
      tokens,
      listening,
    },
    (view) => bus.push('logs.changed', view),
  )
  closers.push(() => logs.close())
  const rehearsals = createRehearsals({
    entry: ports.threads.rehearsal,
    log: ports.log,
    store,
    registry,
    integrations,
    sender,
    ownPorts: ownPorts.buffer,
    listener: () => origin,
    push: (name, payload) => bus.push(name, payload),
  })
  closers.push(() => rehearsals.close())
  const context: Context = {
    ports,
    config,
    bus,
    clock,
    store,
    registry,
    listening,
    capture,
    tunnel,
    sender,
    answering,
    targets,
    integrations,
    tokens,
    sleep,
    logs,
    rehearsals,
    runs: new Map(),
    flows: new Set(),
    running: new RunningRequests(),
    turn: createMutex(),
    startSandbox: () => context.turn(() => startSandbox(context)),
    settings,
    secretsLocked: !isUnlocked,
    stats: earlyStats ?? { ...stats, behind: 0 },
    configureThreads: async () => {
      await Promise.all([
        capture.configure(captureConfig(context.settings.bodyLimit)),
        sender.configure(senderConfig(origin)),
      ])
    },
  }
  opened = context
  for (const [what, reason] of earlyFailures) listening.setFailing(what, reason)
  bus.on('deliveries.changed', ({ rows }) => {
    // During shutdown the reader is closed before the last pushes.
    store.reader
      .call(
        'touched',
        rows.map(({ id }) => id),
      )
      .catch(() => undefined)
  })
  closers.push(ports.sandbox.onChange((state) => bus.push('sandbox.changed', state)))
  closers.push(ports.sandbox.service.onChange((state) => bus.push('sandboxService.changed', state)))
  closers.push(() => ports.sandbox.close())
  closers.push(() => tokens.close())
  closers.push(() => context.running.close())
  closers.push(async () => {
    await Promise.all([...context.flows].map((flow) => flow.close()))
  })
  await tokens.open(store.initial.tokens)
  if (!isUnlocked) {
    ports.log.warn(
      "The system's keyring is locked. Secrets and tokens are available once you unlock it.",
    )
    let isClosed = false
    closers.push(() => void (isClosed = true))
    ports.secrets.unlocked
      ?.then(() => context.turn(async () => (isClosed ? undefined : openLocked(context))))
      .catch((error: unknown) => ports.log.error('secrets could not be decrypted', error))
  }
  return context
}

function limitsOf(config: EngineConfig, bodyBytes: number): CaptureLimits {
  return { ...defaultLimits, bodyBytes, ...config.limits }
}

/** Publishes events of the sender thread to the interfaces. */
function publishSenderEvent(bus: Bus, event: SenderEvent): void {
  switch (event.event) {
    case 'attempts':
      bus.push('attempts.made', { rows: event.rows })
      break
    case 'job':
      bus.push('jobs.changed', { job: event.job, removed: false })
      break
    case 'health':
      bus.push('forwards.health', event.health)
      break
  }
}

/** Publishes events of the writer thread to the interfaces and the log. */
function publishStoreEvent(bus: Bus, log: Log, event: WriterEvent): void {
  switch (event.event) {
    case 'arrived':
      bus.push('deliveries.arrived', { rows: event.rows, stats: event.stats })
      break
    case 'changed':
      bus.push('deliveries.changed', { rows: event.rows })
      break
    case 'removed':
      bus.push('deliveries.removed', { reason: 'retention', stats: event.stats })
      break
    case 'indexed':
      bus.push('deliveries.indexed', { stats: event.stats })
      break
    case 'indexFailing':
      if (event.reason === null) log.info('the search index is writable again')
      else log.warn(`the search index stopped: ${event.reason}`)
      break
    case 'failing':
      if (event.reason === null) log.info('the store is writable again')
      else log.warn(`the store is not writable: ${event.reason}`)
      break
  }
}

/** Releases memory of the threads, one after the other: to collect garbage, a thread sets a flag of the process. */
async function releaseThreadMemory(
  store: Store,
  capture: Capture | undefined,
  log: Log,
): Promise<void> {
  try {
    await capture?.releaseMemory()
    await store.writer.call('releaseMemory')
    await store.reader.call('releaseMemory')
  } catch (error) {
    log.error('memory could not be released', error)
  }
}
