import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'fastify',
  label: 'Fastify',
  language: 'TypeScript',
  fileName: 'server.ts',
  note: 'Fastify parses JSON before the handler runs. A separate content type parser, in its own scope for this route, keeps the bytes unchanged.',
  code: (brand, { imports, text } = nodeChecks) => `${imports}import Fastify from 'fastify'
${text}
const app = Fastify({ bodyLimit: 10 * 1024 * 1024 })

app.register(async (webhooks) => {
  // Only in this scope: the bytes as received instead of the parsed body.
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, body)
  })
  webhooks.post<{ Body?: Buffer }>('/webhooks', (request, reply) => {
    const rawBody = request.body ?? Buffer.alloc(0) // Undefined if the body is empty.
    const signature = request.headers['${headerName(brand, 'signature').toLowerCase()}']
    reply.code(receive(rawBody, signature?.toString())).send()
  })
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
`,
})
