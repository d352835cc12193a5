import { randomBytes } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import type { HoldState } from '#contract/hold.ts'
import type { Target } from '#contract/sending.ts'
import type { ListenerState } from '#contract/models.ts'
import { createCapture } from '../../receiving/listener/capture.ts'
import { createListening, type Listening } from '../../receiving/listener/listening/listening.ts'
import {
  defaultLimits,
  notHolding,
  type CaptureConfig,
  OwnPorts,
} from '../../receiving/listener/messages.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import { EndpointRules, EndpointRegistry } from '../../receiving/endpoints/registry.ts'
import { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import type { Bus } from '../../platform/event-bus.ts'
import type { Network } from '../../platform/http/network.ts'
import type { EnginePorts, Log } from '../../platform/ports.ts'
import type { EngineConfig } from '../context.ts'
import type { SenderConfig, SenderEvent } from '../../sending/messages.ts'
import { createSender } from '../../sending/sender.ts'
import type { StoredScript } from '../../sending/scripts/messages.ts'
import type { Store } from '../threads/store.ts'
import { tunnelProviders } from '../../receiving/tunnel/providers.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { TunnelProvider } from '../../receiving/tunnel/provider.ts'

/** A tunnel may get another name each time. */
const most = 200

/**
 * Public addresses of the listener during this run, including earlier ones, which may still lead here. Of addresses that the user set up, only
 * `/hooks/` counts: other paths there may lead elsewhere.
 */
export class PublicAddresses {
  readonly #providers: readonly Pick<TunnelProvider, 'id' | 'target'>[]
  #all: readonly string[] = []

  constructor(providers: readonly Pick<TunnelProvider, 'id' | 'target'>[]) {
    this.#providers = providers
  }

  get all(): readonly string[] {
    return this.#all
  }

  /** Returns true if the address is new. */
  add({ url, using }: Pick<TunnelView, 'url' | 'using'>): boolean {
    if (url === null || !URL.canParse(url)) return false
    const provider = this.#providers.find(({ id }) => id === using?.provider)
    const { href } = new URL(provider?.target === 'listener' ? '/hooks/' : '/', url)
    if (this.#all.includes(href)) return false
    this.#all = [...this.#all, href].slice(-most)
    return true
  }
}

/** Decrypted in memory, with what the capture and sender threads need of it. */
export class Configuration {
  readonly integrations: IntegrationRegistry
  readonly registry: EndpointRegistry
  readonly endpointRules: EndpointRules
  /** By origin: confirmed, or with a certificate that is not verified. */
  readonly targets: Map<string, Target>
  /** By name. */
  readonly scripts: Map<string, StoredScript>
  readonly publicAddresses = new PublicAddresses(tunnelProviders)
  /** Of the listener; null: it is not running. */
  origin: string | null = null

  private constructor({ secrets, log }: EnginePorts, { initial }: Store) {
    this.integrations = new IntegrationRegistry(secrets, log)
    this.registry = new EndpointRegistry(secrets, log)
    this.endpointRules = new EndpointRules(initial.forwards, initial.responses)
    this.scripts = new Map(initial.scripts.map((script) => [script.name, script]))
    this.targets = new Map(initial.targets.map((target) => [target.origin, target]))
  }

  static async open(ports: EnginePorts, store: Store): Promise<Configuration> {
    const configuration = new Configuration(ports, store)
    for (const stored of store.initial.integrations) await configuration.integrations.put(stored)
    for (const stored of store.initial.endpoints) await configuration.registry.put(stored)
    return configuration
  }

  forCapture(limits: EngineConfig['limits'], bodyBytes: number): CaptureConfig {
    return {
      routes: this.#routes(),
      fallbackBrand: this.#fallbackBrand(),
      limits: { ...defaultLimits, bodyBytes, ...limits },
    }
  }

  forSender(): SenderConfig {
    return {
      endpoints: this.#routes(),
      fallbackBrand: this.#fallbackBrand(),
      forwards: this.endpointRules.forwards,
      scripts: [...this.scripts.values()],
      targets: [...this.targets.values()],
      listener: this.origin,
      publicAddresses: this.publicAddresses.all,
    }
  }

  #routes(): EndpointRoute[] {
    return this.registry.routes((id) => this.integrations.brandOf(id), this.endpointRules)
  }

  #fallbackBrand(): string {
    return this.integrations.views()[0]?.brand ?? 'Service'
  }
}

interface ThreadPorts {
  readonly ports: EnginePorts
  readonly config: EngineConfig
  readonly bus: Bus
  readonly store: Store
  readonly network: Network
  readonly configuration: Configuration
  readonly died: (error: Error) => void
  readonly onListener: (state: ListenerState) => void
}

export function startThreads(
  { ports, config, bus, store, network, configuration, died, onListener }: ThreadPorts,
  closers: (() => Promise<void> | void)[],
) {
  const ownPorts = new OwnPorts()
  const probeKey = new Uint8Array(randomBytes(32))
  const passing = new MessageChannel()
  const shared = { progress: store.progress.buffer, ownPorts: ownPorts.buffer }
  let isClosing = false
  const reported = (work: Promise<void>, message: string): void => {
    work.catch((error: unknown) => {
      if (!isClosing) ports.log.error(message, error)
    })
  }
  const capture = createCapture(
    ports.threads.capture,
    {
      writer: store.capturePort,
      shared: shared.progress,
      config: configuration.forCapture(config.limits, store.initial.settings.bodyLimit),
      ownPorts: shared.ownPorts,
      probeKey,
      sender: passing.port1,
      holding: notHolding,
    },
    captureListener({ ports, bus, configuration, died }, () => listening),
  )
  const listening = createListening(capture, (state) => {
    configuration.origin = state.state === 'listening' ? state.origin : null
    onListener(state)
    configureSender()
    bus.push('listener.changed', state)
  })
  const sender = createSender(
    ports.threads.sender,
    {
      storePath: store.path,
      ...shared,
      followFrom: store.nextId - 1,
      hasHeld: store.initial.hasHeld,
      writer: store.sendPort,
      capture: passing.port2,
      config: configuration.forSender(),
      scriptThread: ports.threads.script.href,
    },
    network,
    {
      died,
      event: (event) => {
        publishSenderEvent(bus, ports.log, event)
        if (event.event !== 'hold') return
        reported(holdChanged(event.state), 'the capture thread does not know what is held')
      },
    },
  )
  const holdChanged = ({ rules }: HoldState): Promise<void> =>
    capture.hold({
      response: rules.some(({ at }) => at === 'response'),
      forward: rules.some(({ at }) => at === 'forward'),
    })
  const configureSender = (): void =>
    reported(sender.configure(configuration.forSender()), 'the sender could not be configured')
  closers.push(() => {
    isClosing = true
    return sender.close()
  })
  // Before the sender, which still forwards deliveries whose response comes from a target.
  closers.push(async () => {
    await capture.close()
    listening.stopped()
  })
  const configure = async (bodyLimit: number): Promise<void> => {
    await Promise.all([
      capture.configure(configuration.forCapture(config.limits, bodyLimit)),
      sender.configure(configuration.forSender()),
    ])
  }
  return {
    capture,
    listening,
    sender,
    ownPorts,
    /** Authenticates the requests with which Tabscope checks its tunnel. */
    probeKey,
    configure,
    /** Like `configure` for the sender, without waiting: deliveries to the Tabscope listener are sent later than this. */
    configureSender,
    /** Lets the capture thread know which responses wait. */
    holdChanged,
  }
}

function captureListener(
  {
    ports,
    bus,
    configuration,
    died,
  }: Pick<ThreadPorts, 'ports' | 'bus' | 'configuration' | 'died'>,
  listening: () => Listening,
): Parameters<typeof createCapture>[2] {
  return {
    failing: (reason) => {
      logFailing(ports.log, reason)
      listening().setFailing('store', reason)
    },
    used: (uses) => {
      configuration.endpointRules.uses = uses
      bus.push('responses.used', uses)
    },
    died: (error) => {
      died(error)
      listening().died()
    },
  }
}

/** Null: deliveries are accepted again. */
function logFailing(log: Log, reason: string | null): void {
  if (reason === null) log.info('Deliveries are accepted again.')
  else log.warn(`Deliveries are rejected with 503: ${reason}`)
}

function publishSenderEvent(bus: Bus, log: Log, event: SenderEvent): void {
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
    case 'hold':
      bus.push('hold.changed', event.state)
      break
    case 'failed':
      log.error(event.message, event.error)
      break
  }
}
