import { headerName } from '#catalogue/headers.ts'
import type { Clock } from '../clock.ts'
import { SandboxError } from '../errors.ts'
import { parseTargetUrl } from '../request.ts'
import { checkRate } from '../run.ts'
import { createSending } from '../sending.ts'
import type { Sending } from '../sending.ts'
import { createSender } from '../sender.ts'
import type { Outcome, Sender } from '../sender.ts'

/** Webhooks that the dashboard keeps at most. */
const mostWebhooks = 10

/** One webhook of the dashboard. Its secret is not in it. */
export interface WebhookView {
  readonly id: number
  readonly url: string
  /** A secret is set, so deliveries carry a signature. */
  readonly signed: boolean
  /** Deliveries answered with 200 to 299. */
  readonly sent: number
  /** All others: another status, or no answer. */
  readonly failed: number
  /** Null: nothing was sent yet, or there was no response to the last one. */
  readonly lastStatus: number | null
  /** What went wrong with the last delivery, as a sentence; null: nothing. */
  readonly lastError: string | null
}

/** One delivery, as it is told of. */
export interface Delivered {
  readonly url: string
  readonly type: string
  readonly outcome: Outcome
}

export interface Webhooks {
  list(): WebhookView[]
  /** Throws `SandboxError` (`bad_target`, `too_many`). An empty secret is none. */
  add(url: string, secret: string | null): void
  /** Resolves when nothing more is sent there. */
  remove(id: number): Promise<void>
  /** One sample of each type to each webhook. Resolves when all are answered. Rejects with `SandboxError` (`unknown_type`). */
  send(types: readonly string[]): Promise<void>
  /** The same evening to each webhook, `rate` deliveries a second to each. Rejects with `SandboxError` (`bad_rate`). */
  startEvening(rate: number): Promise<void>
  stop(): Promise<void>
  /** Deliveries a second of the evening that goes on; null: none does. */
  evening(): number | null
  close(): Promise<void>
}

export interface WebhooksOptions {
  readonly clock: Clock
  readonly brand: string
  /** A number to begin an evening or a sample with. */
  readonly randomSeed: () => number
  readonly sender?: Sender | undefined
  readonly onDelivery: (delivered: Delivered) => void
}

interface Webhook {
  view: WebhookView
  readonly secret: string | null
  readonly sending: Sending
}

/** The webhooks of the one integration: what happens is sent to each of them (SPEC, "Endpoints" 3). */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { clock, brand, randomSeed, onDelivery } = options
  const sender = options.sender ?? createSender({ clock })
  const webhooks = new Map<number, Webhook>()
  const typeHeader = headerName(brand, 'event-type')
  let lastId = 0
  // One for all webhooks, so that each is told of the same things.
  let seed = randomSeed()
  let rate: number | null = null

  const target = ({ view, secret }: Webhook) => ({
    url: view.url,
    secret,
    brand,
    applicationId: '',
    customHeaders: [],
  })

  /** Sends through the one sender, and keeps count. */
  const counting = (id: number): Sender => ({
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
    // The sender outlives each webhook.
    close: () => {},
    [Symbol.asyncDispose]: async () => {},
  })

  const each = async (job: (webhook: Webhook) => Promise<unknown>) => {
    await Promise.all([...webhooks.values()].map(job))
  }

  const begin = (webhook: Webhook, pace: number) =>
    webhook.sending.startEvening(target(webhook), { rate: pace, seed })

  return {
    list: () => [...webhooks.values()].map(({ view }) => view),

    add(url, secret) {
      parseTargetUrl(url)
      if (webhooks.size >= mostWebhooks)
        throw new SandboxError(
          'too_many',
          `The sandbox keeps ${mostWebhooks} webhooks. Remove one.`,
        )
      const id = (lastId += 1)
      const held = secret === '' ? null : secret
      const webhook: Webhook = {
        view: {
          id,
          url,
          signed: held !== null,
          sent: 0,
          failed: 0,
          lastStatus: null,
          lastError: null,
        },
        secret: held,
        sending: createSending({ clock, sender: counting(id), randomSeed: () => seed }),
      }
      webhooks.set(id, webhook)
      // Who comes late is told of what happens from now on. It fails only where it is removed in the same moment.
      if (rate !== null) void begin(webhook, rate).catch(() => undefined)
    },

    async remove(id) {
      const webhook = webhooks.get(id)
      webhooks.delete(id)
      if (webhooks.size === 0) rate = null
      await webhook?.sending.close()
    },

    async send(types) {
      seed = randomSeed()
      await each(async (webhook) => {
        try {
          await webhook.sending.send(target(webhook), types)
        } catch (error) {
          // That nobody takes it is counted, and told beside the webhook. Closed: it was removed on the way.
          const told = error instanceof SandboxError && /^(unreachable|closed)$/.test(error.code)
          if (!told) throw error
        }
      })
    },

    async startEvening(wish) {
      checkRate(wish)
      seed = randomSeed()
      if (webhooks.size > 0) rate = wish
      await each((webhook) => begin(webhook, wish))
    },

    async stop() {
      rate = null
      await each(({ sending }) => sending.stop())
    },

    evening: () => rate,

    async close() {
      await each(({ sending }) => sending.close())
      sender.close()
    },
  }
}
