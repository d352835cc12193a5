import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'fastify',
  label: 'Fastify',
  language: 'JavaScript',
  fileName: 'server.mjs',
  note: 'Fastify parses JSON before the handler runs. A separate content type parser, in its own scope for this route, keeps the bytes unchanged.',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'

${nodeChecks}

const app = Fastify({ bodyLimit: 10 * 1024 * 1024 })

app.register(async (webhooks) => {
  // Only in this scope: the bytes as received instead of the parsed body.
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, body)
  })
  webhooks.post('/webhooks', (request, reply) => {
    const rawBody = request.body ?? '' // Undefined if the body is empty.
    if (!isAuthentic(rawBody, request.headers['${headerName(brand, 'signature').toLowerCase()}'])) {
      return reply.code(401).send()
    }
    const event = parseEvent(rawBody)
    if (!event) return reply.code(400).send()
    reply.code(204).send() // Respond first, then process the event.
    processEvent(event)
  })
})

await app.listen({ port: 3000 })
`,
})
