import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'hono',
  label: 'Hono',
  language: 'TypeScript',
  fileName: 'app.ts',
  note: 'c.req.json() returns only the parsed body, and serializing it again changes its bytes. c.req.arrayBuffer() returns the received bytes. On Node.js, pass the app to serve() from @hono/node-server.',
  code: (brand, { imports, text } = nodeChecks) => `${imports}import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
${text}
const app = new Hono()

app.post('/webhooks', bodyLimit({ maxSize: 10 * 1024 * 1024 }), async (c) => {
  const rawBody = Buffer.from(await c.req.arrayBuffer())
  return c.body(null, receive(rawBody, c.req.header('${headerName(brand, 'signature')}')))
})

export default app
`,
})
