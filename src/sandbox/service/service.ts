import { randomBytes } from 'node:crypto'
import { createChanges } from '../changes.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Sender } from '../sender.ts'
import { applyChange, checkChange, type ServiceChange, type ServiceContext } from './context.ts'
import { users } from './grants.ts'
import type { Fault } from './faults.ts'
import { createGrants } from './grants.ts'
import { createRouter } from './router.ts'
import { openServer } from './server.ts'
import { createWebhooks, type DeliveryReport } from './webhooks.ts'

export interface ServiceOptions {
  /** 0 or absent: the system chooses a port. The host is always 127.0.0.1. */
  readonly port?: number
  readonly clock?: Clock
  /** Returns the given number of cryptographically secure random bytes. */
  readonly random?: (bytes: number) => Uint8Array
  readonly accessId?: string
  readonly accessSecret?: string
  readonly redirectUrls?: readonly string[]
  /** Seconds; absent: 86400, the value of the API documentation. */
  readonly tokenLifetime?: number
  readonly faults?: readonly Fault[]
  /** Milliseconds of the fault `slow`. */
  readonly slowMs?: number
  readonly brand?: string
  readonly webhook?: { readonly url: string; readonly secret: string | null } | null
  /** Sends the deliveries. It is closed with the service. */
  readonly sender?: Sender
  /** Called for each delivery after its response or failure. */
  readonly onDelivery?: (report: DeliveryReport) => void
}

export interface Service {
  readonly accessSecret: string
  state(): ServiceState
  /** Changes the given options. Throws `SandboxError` (`bad_lifetime`, `bad_redirect_url`, `unknown_fault`, `too_many`) without changing anything. */
  configure(change: ServiceChange): ServiceState
  /** Revokes all access and refresh tokens. */
  revokeTokens(): void
  /** Expires all access tokens. Refresh tokens remain valid. */
  expireTokens(): void
  /** Sends simulated traffic to each webhook until the service closes. Rejects with `SandboxError` (`bad_rate`). */
  startEvening(rate: number): Promise<void>
  /** Calls the listener on changes, at most ten times a second. Returns a function that removes the listener. */
  onChange(listener: (state: ServiceState) => void): () => void
  close(): Promise<void>
}

/**
 * Opens the simulated service on its own port: dashboard, authorization page, token endpoint, a fictional resource, and webhooks.
 * Rejects with `SandboxError` (`port_in_use`, the errors of `configure`, and `bad_target` for an invalid webhook URL).
 */
export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const { clock = systemClock, random = randomBytes, brand = 'Service', webhook = null } = options
  const checked = checkChange(options)
  const server = await openServer(options.port ?? 0)
  const webhooks = createWebhooks({
    clock,
    brand,
    randomSeed: () => Buffer.from(random(4)).readUInt32LE(),
    sender: options.sender,
    onDelivery: (report) => {
      options.onDelivery?.(report)
      context.touch()
    },
  })
  const context: ServiceContext = {
    baseUrl: server.baseUrl,
    accessId: options.accessId ?? `sandbox-${Buffer.from(random(6)).toString('hex')}`,
    accessSecret: options.accessSecret ?? Buffer.from(random(32)).toString('base64url'),
    clock,
    random,
    grants: createGrants(clock, random),
    webhooks,
    slowMs: options.slowMs ?? 5000,
    redirectUrls: checked.redirectUrls ?? [],
    tokenLifetime: checked.tokenLifetime ?? 86_400,
    faults: new Set(checked.faults),
    touch: () => changes.touch(),
  }
  const changes = createChanges(clock, () => stateOf(context))
  const close = async () => {
    await server.close()
    await webhooks.close()
    changes.close()
  }
  try {
    if (webhook) webhooks.add(webhook.url, webhook.secret)
  } catch (error) {
    await close()
    throw error
  }
  server.serve(createRouter(context))

  return {
    accessSecret: context.accessSecret,
    state: () => stateOf(context),
    configure(change) {
      applyChange(context, change)
      return stateOf(context)
    },
    revokeTokens() {
      context.grants.revokeAll()
      context.touch()
    },
    expireTokens() {
      context.grants.expireAll()
      context.touch()
    },
    startEvening: (rate) => webhooks.startEvening(rate),
    onChange: (listener) => changes.listen(listener),
    close,
  }
}

/** Current state of the service. Contains no secrets and no tokens. */
interface ServiceState {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly accessId: string
  readonly redirectUrls: readonly string[]
  readonly users: readonly { readonly name: string; readonly locations: readonly string[] }[]
  /** Seconds. */
  readonly tokenLifetime: number
  readonly faults: readonly Fault[]
  /** Number of access tokens that are neither expired nor revoked. */
  readonly tokens: number
  readonly webhooks: readonly {
    readonly url: string
    readonly signed: boolean
    readonly sent: number
    readonly failed: number
    readonly lastStatus: number | null
  }[]
}

function stateOf(context: ServiceContext): ServiceState {
  return {
    baseUrl: context.baseUrl,
    dashboardUrl: `${context.baseUrl}/`,
    accessId: context.accessId,
    redirectUrls: context.redirectUrls,
    users: users.map(({ name, locations }) => ({
      name,
      locations: locations.map((location) => location.name),
    })),
    tokenLifetime: context.tokenLifetime,
    faults: [...context.faults],
    tokens: context.grants.rows().filter(({ state }) => state === 'alive').length,
    webhooks: context.webhooks.list().map(({ url, signed, sent, failed, lastStatus }) => ({
      url,
      signed,
      sent,
      failed,
      lastStatus,
    })),
  }
}
