import { headerName } from '#catalogue/headers.ts'
import type { Clock } from '../clock.ts'
import { SandboxError } from '../errors.ts'
import { parseTargetUrl } from '../request.ts'
import { checkRate } from '../run.ts'
import { createSending } from '../sending.ts'
import type { Sending } from '../sending.ts'
import { createSender } from '../sender.ts'
import type { Outcome, Sender } from '../sender.ts'

/** Maximum number of webhooks. */
const maxWebhooks = 10

/** A webhook as shown on the dashboard, without its secret. */
export interface WebhookView {
  readonly id: number
  readonly url: string
  /** True if a secret is set, so that deliveries are signed. */
  readonly signed: boolean
  /** Number of deliveries with a status of 200 to 299. */
  readonly sent: number
  /** Number of all other deliveries: another status, or no response. */
  readonly failed: number
  /** Status of the last response. Null: nothing was sent yet, or the last delivery had no response. */
  readonly lastStatus: number | null
  /** Error message of the last delivery; null: no error. */
  readonly lastError: string | null
}

/** Describes one finished delivery. */
export interface DeliveryReport {
  readonly url: string
  readonly type: string
  readonly outcome: Outcome
}

export interface Webhooks {
  list(): WebhookView[]
  /** Adds a webhook. An empty secret means no secret. Throws `SandboxError` (`bad_target`, `too_many`). */
  add(url: string, secret: string | null): void
  /** Removes a webhook. Resolves when no more deliveries are sent to it. */
  remove(id: number): Promise<void>
  /** Sends one sample of each type to each webhook. Resolves when all deliveries are finished. Rejects with `SandboxError` (`unknown_type`). */
  send(types: readonly string[]): Promise<void>
  /** Sends the same simulated traffic to each webhook, with `rate` deliveries per second to each. Rejects with `SandboxError` (`bad_rate`). */
  startEvening(rate: number): Promise<void>
  stop(): Promise<void>
  /** Rate of the current simulated traffic in deliveries per second; null: none is running. */
  evening(): number | null
  close(): Promise<void>
}

export interface WebhooksOptions {
  readonly clock: Clock
  readonly brand: string
  /** Provides the seed for simulated traffic or samples. */
  readonly randomSeed: () => number
  readonly sender?: Sender | undefined
  readonly onDelivery: (report: DeliveryReport) => void
}

interface Webhook {
  view: WebhookView
  readonly secret: string | null
  readonly sending: Sending
}

/** Creates the webhooks of the integration. Each event is sent to all of them (API documentation, "Endpoints" 3). */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { clock, brand, randomSeed, onDelivery } = options
  const sender = options.sender ?? createSender({ clock })
  const webhooks = new Map<number, Webhook>()
  const typeHeader = headerName(brand, 'event-type')
  let lastId = 0
  // One seed for all webhooks, so that all receive the same events.
  let seed = randomSeed()
  let rate: number | null = null

  const target = ({ view, secret }: Webhook) => ({
    url: view.url,
    secret,
    brand,
    applicationId: '',
    customHeaders: [],
  })

  /** A sender that uses the shared sender and counts the outcomes. */
  const countingSender = (id: number): Sender => ({
    async deliver(request, signal) {
      const outcome = await sender.deliver(request, signal)
      const webhook = webhooks.get(id)
      if (webhook) {
        const { view } = webhook
        webhook.view = {
          ...view,
          sent: view.sent + (outcome.ok ? 1 : 0),
          failed: view.failed + (outcome.ok ? 0 : 1),
          lastStatus: outcome.status,
          lastError: outcome.error,
        }
        const type = request.headers.find(([name]) => name === typeHeader)?.[1] ?? ''
        onDelivery({ url: view.url, type, outcome })
      }
      return outcome
    },
    // The shared sender stays open when a webhook is removed.
    close: () => {},
    [Symbol.asyncDispose]: async () => {},
  })

  const forEachWebhook = async (job: (webhook: Webhook) => Promise<unknown>) => {
    await Promise.all([...webhooks.values()].map(job))
  }

  const startTraffic = (webhook: Webhook, webhookRate: number) =>
    webhook.sending.startEvening(target(webhook), { rate: webhookRate, seed })

  return {
    list: () => [...webhooks.values()].map(({ view }) => view),

    add(url, secret) {
      parseTargetUrl(url)
      if (webhooks.size >= maxWebhooks)
        throw new SandboxError(
          'too_many',
          `The sandbox stores at most ${maxWebhooks} webhooks. Remove one first.`,
        )
      const id = (lastId += 1)
      const storedSecret = secret === '' ? null : secret
      const webhook: Webhook = {
        view: {
          id,
          url,
          signed: storedSecret !== null,
          sent: 0,
          failed: 0,
          lastStatus: null,
          lastError: null,
        },
        secret: storedSecret,
        sending: createSending({ clock, sender: countingSender(id), randomSeed: () => seed }),
      }
      webhooks.set(id, webhook)
      // A webhook that is added later receives the events from now on. This fails only if the webhook is removed at the same time.
      if (rate !== null) void startTraffic(webhook, rate).catch(() => undefined)
    },

    async remove(id) {
      const webhook = webhooks.get(id)
      webhooks.delete(id)
      if (webhooks.size === 0) rate = null
      await webhook?.sending.close()
    },

    async send(types) {
      seed = randomSeed()
      await forEachWebhook(async (webhook) => {
        try {
          await webhook.sending.send(target(webhook), types)
        } catch (error) {
          // Unreachable webhooks are counted and shown on the dashboard. Closed: the webhook was removed while sending.
          const expected =
            error instanceof SandboxError && /^(unreachable|closed)$/.test(error.code)
          if (!expected) throw error
        }
      })
    },

    async startEvening(newRate) {
      checkRate(newRate)
      seed = randomSeed()
      if (webhooks.size > 0) rate = newRate
      await forEachWebhook((webhook) => startTraffic(webhook, newRate))
    },

    async stop() {
      rate = null
      await forEachWebhook(({ sending }) => sending.stop())
    },

    evening: () => rate,

    async close() {
      await forEachWebhook(({ sending }) => sending.close())
      sender.close()
    },
  }
}
