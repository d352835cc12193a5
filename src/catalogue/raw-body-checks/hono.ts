import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeIsAuthentic } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'hono',
  label: 'Hono',
  language: 'JavaScript',
  fileName: 'app.mjs',
  note: 'c.req.json() gives the parsed body only, and a body that is written out again has other bytes. c.req.arrayBuffer() gives those that came. On Node.js, hand the app to serve() of @hono/node-server.',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')

${nodeIsAuthentic}

const app = new Hono()

app.post('/webhooks', async (c) => {
  const rawBody = Buffer.from(await c.req.arrayBuffer())
  if (!isAuthentic(rawBody, c.req.header('${headerName(brand, 'signature')}'))) {
    return c.body(null, 401)
  }
  const event = JSON.parse(rawBody)
  console.log(event.type) // Long work belongs in a queue.
  return c.body(null, 204)
})

export default app
`,
})
