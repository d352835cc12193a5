import { Elysia } from 'elysia'
import { receive } from './webhooks.ts'

const limit = 10 * 1024 * 1024

// In chunks, a body has no Content-Length. Bun itself then responds with 413.
export const app = new Elysia({ serve: { maxRequestBodySize: limit } }).post(
  '/webhooks',
  async ({ request }) => {
    const length = Number(request.headers.get('Content-Length'))
    if (length > limit) return new Response(null, { status: 413 })
    const rawBody = Buffer.from(await request.arrayBuffer())
    const signature = request.headers.get('X-Service-Signature')
    return new Response(null, { status: receive(rawBody, signature) })
  },
  { parse: 'none' },
)
