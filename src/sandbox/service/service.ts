import { randomBytes } from 'node:crypto'
import { createChanges } from '../changes.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Sender } from '../sender.ts'
import { applyChange, checkChange, type ServiceChange, type Desk } from './desk.ts'
import { users } from './grants.ts'
import type { Fault } from './faults.ts'
import { createGrants } from './grants.ts'
import { createRouter } from './router.ts'
import { openServer } from './server.ts'
import { createWebhooks, type Delivered } from './webhooks.ts'

export interface ServiceOptions {
  /** 0, and absent: the system chooses. It listens on 127.0.0.1 always. */
  readonly port?: number
  readonly clock?: Clock
  /** So many random bytes, fit for secrets. */
  readonly random?: (bytes: number) => Uint8Array
  readonly accessId?: string
  readonly accessSecret?: string
  readonly redirectUrls?: readonly string[]
  /** Seconds; absent: the 86400 of the document. */
  readonly tokenLifetime?: number
  readonly faults?: readonly Fault[]
  /** Milliseconds of the fault `slow`. */
  readonly slowMs?: number
  readonly brand?: string
  readonly webhook?: { readonly url: string; readonly secret: string | null } | null
  /** What sends the deliveries; it is closed with the service. */
  readonly sender?: Sender
  /** Told of each delivery once it is answered. */
  readonly onDelivery?: (delivered: Delivered) => void
}

export interface Service {
  readonly accessSecret: string
  state(): ServiceState
  /** Sets what is named. Throws `SandboxError` (`bad_lifetime`, `bad_redirect_url`, `unknown_fault`, `too_many`), and then sets nothing. */
  configure(change: ServiceChange): ServiceState
  /** Takes back all access and refresh tokens. */
  revokeTokens(): void
  /** Ends all access tokens; refresh tokens go on. */
  expireTokens(): void
  /** Sends "an evening" to each webhook until the service closes. Rejects with `SandboxError` (`bad_rate`). */
  startEvening(rate: number): Promise<void>
  /** Calls back on each change, at most ten times a second; returns the way to end it. */
  onChange(listener: (state: ServiceState) => void): () => void
  close(): Promise<void>
}

/**
 * The service in miniature on a port of its own: dashboard, authorization page, token endpoint, a made-up resource, webhooks.
 * Rejects with `SandboxError` (`port_in_use`, and what `configure` and a webhook's address may throw).
 */
export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const { clock = systemClock, random = randomBytes, brand = 'Service', webhook = null } = options
  const wanted = checkChange(options)
  const server = await openServer(options.port ?? 0)
  const webhooks = createWebhooks({
    clock,
    brand,
    randomSeed: () => Buffer.from(random(4)).readUInt32LE(),
    sender: options.sender,
    onDelivery: (delivered) => {
      options.onDelivery?.(delivered)
      desk.touch()
    },
  })
  const desk: Desk = {
    baseUrl: server.baseUrl,
    accessId: options.accessId ?? `sandbox-${Buffer.from(random(6)).toString('hex')}`,
    accessSecret: options.accessSecret ?? Buffer.from(random(32)).toString('base64url'),
    clock,
    random,
    grants: createGrants(clock, random),
    webhooks,
    slowMs: options.slowMs ?? 5000,
    redirectUrls: wanted.redirectUrls ?? [],
    tokenLifetime: wanted.tokenLifetime ?? 86_400,
    faults: new Set(wanted.faults),
    touch: () => changes.touch(),
  }
  const changes = createChanges(clock, () => stateOf(desk))
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
  server.serve(createRouter(desk))

  return {
    accessSecret: desk.accessSecret,
    state: () => stateOf(desk),
    configure(change) {
      applyChange(desk, change)
      return stateOf(desk)
    },
    revokeTokens() {
      desk.grants.revokeAll()
      desk.touch()
    },
    expireTokens() {
      desk.grants.expireAll()
      desk.touch()
    },
    startEvening: (rate) => webhooks.startEvening(rate),
    onChange: (listener) => changes.listen(listener),
    close,
  }
}

/** What the service is at the moment. No secret and no token is in it. */
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
  /** Access tokens issued that are neither expired nor revoked. */
  readonly tokens: number
  readonly webhooks: readonly {
    readonly url: string
    readonly signed: boolean
    readonly sent: number
    readonly failed: number
    readonly lastStatus: number | null
  }[]
}

/** The state of a desk. */
function stateOf(desk: Desk): ServiceState {
  return {
    baseUrl: desk.baseUrl,
    dashboardUrl: `${desk.baseUrl}/`,
    accessId: desk.accessId,
    redirectUrls: desk.redirectUrls,
    users: users.map(({ name, locations }) => ({
      name,
      locations: locations.map((location) => location.name),
    })),
    tokenLifetime: desk.tokenLifetime,
    faults: [...desk.faults],
    tokens: desk.grants.rows().filter(({ state }) => state === 'alive').length,
    webhooks: desk.webhooks.list().map(({ url, signed, sent, failed, lastStatus }) => ({
      url,
      signed,
      sent,
      failed,
      lastStatus,
    })),
  }
}
