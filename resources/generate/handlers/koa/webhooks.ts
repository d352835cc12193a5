import { createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { handlers } from './event-handlers.ts'
import { isWebhookEvent, parseEvent, type WebhookEvent } from './webhook-events.ts'

export type Handlers = {
  [Type in WebhookEvent['type']]: (event: WebhookEvent & { type: Type }) => Promise<void>
}

const secret = process.env.WEBHOOK_SECRET ?? ''
const previousSecret = process.env.WEBHOOK_PREVIOUS_SECRET ?? ''
if (secret === '') throw new Error('Set WEBHOOK_SECRET.')

/** Verifies the bytes of a request as received. Returns the status to respond with. */
export function receive(rawBody: Buffer, signature: string | null | undefined): 204 | 400 | 401 {
  const isAuthentic =
    matches(secret, rawBody, signature) ||
    (previousSecret !== '' && matches(previousSecret, rawBody, signature))
  if (!isAuthentic) return 401
  const event = parseEvent(rawBody.toString())
  if (event === null) return 400
  if (isWebhookEvent(event)) accept(event)
  else console.log(`Ignored an event of the unknown type ${JSON.stringify(event.type)}.`)
  return 204
}

function matches(key: string, rawBody: Buffer, signature: string | null | undefined): boolean {
  const expected = Buffer.from(createHmac('sha256', key).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}

// In production, use a table with a unique key instead: this forgets everything at a restart.
const seen = new Set<string>()
const maxSeen = 100_000

// In production, use a queue that survives a restart.
let queue = Promise.resolve()

function accept(event: WebhookEvent): void {
  // There is no event ID.
  const target = event.targetUuid ?? event.targetId ?? null
  const location = event.locationUuid ?? event.locationId ?? null
  const key = JSON.stringify([event.type, target, location, event.createdAt])
  if (seen.has(key)) return
  seen.add(key)
  const [oldest] = seen
  if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest)
  queue = queue.then(() => processEvent(key, event))
}

async function processEvent(key: string, event: WebhookEvent): Promise<void> {
  await setImmediate() // The response is sent first.
  try {
    // The compiler cannot know that the event and its function have the same type.
    const handle = handlers[event.type] as (event: WebhookEvent) => Promise<void>
    await handle(event)
    console.log(`Processed ${key}`)
  } catch (error) {
    seen.delete(key) // It is processed if it is sent again.
    console.error(`Failed to process ${key}:`, error)
  }
}
