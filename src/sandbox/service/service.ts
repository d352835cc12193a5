import { randomBytes } from 'node:crypto'
import { headerName } from '#catalogue/headers.ts'
import { createChanges } from '../changes.ts'
import { type Clock, systemClock } from '../clock.ts'
import { parseTargetUrl, type Target } from '../request.ts'
import { type Outcome, Sender } from '../sender.ts'
import { applyChange, checkChange, type ServiceChange, type ServiceContext } from './context.ts'
import type { Fault } from './faults.ts'
import { createGrants, users } from './grants.ts'
import { createRouter } from './router.ts'
import { openServer } from './server.ts'
import { Sending } from '../sending.ts'

export interface DeliveryReport {
  readonly url: string
  readonly type: string
  readonly outcome: Outcome
}

export interface ServiceOptions {
  /** 0 or absent: the system chooses a port. The host is always 127.0.0.1. */
  readonly port?: number
  readonly clock?: Clock
  /** Cryptographically secure. */
  readonly random?: (bytes: number) => Uint8Array
  readonly accessId?: string
  readonly accessSecret?: string
  readonly redirectUrls?: readonly string[]
  /** In seconds. Default: 86400, the value of the API documentation. */
  readonly tokenLifetime?: number
  readonly faults?: readonly Fault[]
  readonly slowMs?: number
  readonly brand?: string
  readonly webhook?: { readonly url: string; readonly secret: string | null } | null
  readonly sender?: Pick<Sender, 'deliver' | 'close'>
  /** Called for each delivery after its response or failure. */
  readonly onDelivery?: (report: DeliveryReport) => void
}

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Authorization page, token endpoint, a fictional resource, and a webhook, on their own port. Rejects with `SandboxError` (`port_in_use`, the errors of
 * `configure`, and `bad_target` for an invalid webhook URL).
 */
export async function openService(options: ServiceOptions = {}) {
  const { clock = systemClock, random = randomBytes } = options
  const webhook = options.webhook && {
    ...options.webhook,
    url: parseTargetUrl(options.webhook.url).href,
  }
  const checked = checkChange(options)
  const server = await openServer(options.port ?? 0)
  const context: ServiceContext = {
    baseUrl: server.baseUrl,
    accessId: options.accessId ?? `sandbox-${Buffer.from(random(6)).toString('hex')}`,
    accessSecret: options.accessSecret ?? Buffer.from(random(32)).toString('base64url'),
    clock,
    random,
    grants: createGrants(clock, random),
    slowMs: options.slowMs ?? 5000,
    redirectUrls: checked.redirectUrls ?? [],
    tokenLifetime: checked.tokenLifetime ?? 86_400,
    faults: new Set(checked.faults),
    touch: () => changes.touch(),
  }
  const changes = createChanges(clock, () => stateOf(context))
  const traffic = webhook && createTraffic(webhook, options)
  const close = async () => {
    await server.close()
    await traffic?.close()
    changes.close()
  }
  server.serve(createRouter(context))

  return {
    accessSecret: context.accessSecret,
    state: () => stateOf(context),
    /** Throws `SandboxError` (`bad_lifetime`, `bad_redirect_url`, `unknown_fault`, `too_many`) without changing anything. */
    configure(change: ServiceChange): ServiceState {
      applyChange(context, change)
      return stateOf(context)
    },
    revokeTokens(): void {
      context.grants.revokeAll()
      context.touch()
    },
    /** Refresh tokens remain valid. */
    expireTokens(): void {
      context.grants.expireAll()
      context.touch()
    },
    /** Sends to the webhook, if any, until the service closes. `rate`: deliveries per second. Rejects with `SandboxError` (`bad_rate`). */
    startTraffic: async (rate: number): Promise<void> => traffic?.start(rate),
    /** At most ten times a second. Returns a function that removes the listener. */
    onChange: (listener: (state: ServiceState) => void) => changes.listen(listener),
    close,
  }
}

interface ServiceState {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly accessId: string
  readonly redirectUrls: readonly string[]
  readonly users: readonly { readonly name: string; readonly locations: readonly string[] }[]
  readonly tokenLifetime: number
  readonly faults: readonly Fault[]
  /** Access tokens that are neither expired nor revoked. */
  readonly tokens: number
}

function stateOf(context: ServiceContext): ServiceState {
  return {
    baseUrl: context.baseUrl,
    accessId: context.accessId,
    redirectUrls: context.redirectUrls,
    users: users.map(({ name, locations }) => ({
      name,
      locations: locations.map((location) => location.name),
    })),
    tokenLifetime: context.tokenLifetime,
    faults: [...context.faults],
    tokens: context.grants.activeCount(),
  }
}

function createTraffic(
  { url, secret }: NonNullable<ServiceOptions['webhook']>,
  { clock = systemClock, random = randomBytes, brand = 'Service', ...options }: ServiceOptions,
): { start(rate: number): Promise<void>; close(): Promise<void> } {
  const sender = options.sender ?? new Sender({ clock })
  const typeHeader = headerName(brand, 'event-type')
  const reporting: Pick<Sender, 'deliver' | 'close'> = {
    close: () => sender.close(),
    async deliver(request, signal) {
      const outcome = await sender.deliver(request, signal)
      const type = request.headers.find(([name]) => name === typeHeader)?.[1] ?? ''
      options.onDelivery?.({ url, type, outcome })
      return outcome
    },
  }
  const randomSeed = (): number => Buffer.from(random(4)).readUInt32LE()
  const sending = new Sending({ clock, sender: reporting, randomSeed })
  const target: Target = { url, secret, brand, applicationId: '', customHeaders: [] }
  return {
    start: async (rate) => void (await sending.startTraffic(target, { rate, seed: undefined })),
    close: () => sending.close(),
  }
}
