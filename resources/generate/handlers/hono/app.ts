import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { receive } from './webhooks.ts'

const app = new Hono()

app.post('/webhooks', bodyLimit({ maxSize: 10 * 1024 * 1024 }), async (c) => {
  const rawBody = Buffer.from(await c.req.arrayBuffer())
  return c.body(null, receive(rawBody, c.req.header('X-Service-Signature')))
})

export default app
