import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'hono',
  label: 'Hono',
  language: 'JavaScript',
  fileName: 'app.mjs',
  note: 'c.req.json() returns only the parsed body, and serializing it again changes its bytes. c.req.arrayBuffer() returns the received bytes. On Node.js, pass the app to serve() from @hono/node-server.',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'

${nodeChecks}

const app = new Hono()

app.post('/webhooks', bodyLimit({ maxSize: 10 * 1024 * 1024 }), async (c) => {
  const rawBody = Buffer.from(await c.req.arrayBuffer())
  if (!isAuthentic(rawBody, c.req.header('${headerName(brand, 'signature')}'))) {
    return c.body(null, 401)
  }
  const event = parseEvent(rawBody)
  if (!event) return c.body(null, 400)
  processEvent(event) // Long work belongs in a queue.
  return c.body(null, 204)
})

export default app
`,
})
