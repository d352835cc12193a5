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

export async function POST(request: Request): Promise<Response> {
  const rawBody = Buffer.from(await request.arrayBuffer())
  if (!isAuthentic(rawBody, request.headers.get('${headerName(brand, 'signature')}'))) {
    return new Response(null, { status: 401 })
  }
  const event = JSON.parse(rawBody.toString())
  console.log(event.type) // Long work belongs in a queue.
  return new Response(null, { status: 204 })
}
`,
})
