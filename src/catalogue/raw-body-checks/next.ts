import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'next',
  label: 'Next.js',
  language: 'TypeScript',
  fileName: 'app/webhooks/route.ts',
  note: 'request.json() returns only the parsed body; request.arrayBuffer() returns the received bytes. This is a route handler of the App Router; an API route of the Pages Router needs `bodyParser: false` in its config.',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'

function isAuthentic(rawBody: Buffer, signature: string | null): boolean {
  const secret = process.env.WEBHOOK_SECRET
  if (!secret) throw new Error('Set WEBHOOK_SECRET.')
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}

interface WebhookEvent {
  type: string
  targetUuid?: string | null
  targetId?: string | null
  createdAt?: string
}

// The types that you subscribe to.
const types = ['ORDER_PLACED', 'OPEN_TAB', 'CLOSE_TAB', 'ITEM_ADDED', 'ITEM_REMOVED', 'PRODUCT_UPDATED']

// In production, use a table with a unique key: this forgets everything at a restart.
const seen = new Set<string>()

function parseEvent(rawBody: Buffer): WebhookEvent | null {
  try {
    const event = JSON.parse(rawBody.toString())
    return typeof event?.type === 'string' ? event : null
  } catch {
    return null
  }
}

function processEvent(event: WebhookEvent): void {
  // There is no event ID.
  const key = JSON.stringify([event.type, event.targetUuid ?? event.targetId, event.createdAt])
  if (seen.has(key)) return
  seen.add(key)
  // Ignore other types: new ones may be added.
  if (types.includes(event.type)) console.log(event.type, event.targetUuid)
}

export async function POST(request: Request): Promise<Response> {
  if (Number(request.headers.get('content-length')) > 10 * 1024 * 1024) {
    return new Response(null, { status: 413 })
  }
  const rawBody = Buffer.from(await request.arrayBuffer())
  if (!isAuthentic(rawBody, request.headers.get('${headerName(brand, 'signature')}'))) {
    return new Response(null, { status: 401 })
  }
  const event = parseEvent(rawBody)
  if (!event) return new Response(null, { status: 400 })
  processEvent(event) // In after() of next/server, it runs once the response is sent.
  return new Response(null, { status: 204 })
}
`,
})
