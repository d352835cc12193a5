import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeIsAuthentic } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'fastify',
  label: 'Fastify',
  language: 'JavaScript',
  fileName: 'server.mjs',
  note: 'Fastify parses JSON before the handler runs. A parser of its own for this route, in a scope that no other route shares, leaves the bytes alone.',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')

${nodeIsAuthentic}

const app = Fastify({ bodyLimit: 10 * 1024 * 1024 })

app.register(async (webhooks) => {
  // In this scope alone: the bytes as they came, in place of the parsed body.
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, body)
  })
  webhooks.post('/webhooks', (request, reply) => {
    const rawBody = request.body ?? '' // None when it is empty.
    if (!isAuthentic(rawBody, request.headers['${headerName(brand, 'signature').toLowerCase()}'])) {
      return reply.code(401).send()
    }
    const event = JSON.parse(rawBody)
    reply.code(204).send() // Answer first, then work.
    console.log(event.type)
  })
})

await app.listen({ port: 3000 })
`,
})
