import Fastify from 'fastify'
import { receive } from './webhooks.ts'

const app = Fastify({ bodyLimit: 10 * 1024 * 1024 })

app.register(async (webhooks) => {
  // Only in this scope: the bytes as received instead of the parsed body.
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, body)
  })
  webhooks.post<{ Body?: Buffer }>('/webhooks', (request, reply) => {
    const rawBody = request.body ?? Buffer.alloc(0) // Undefined if the body is empty.
    const signature = request.headers['x-service-signature']
    reply.code(receive(rawBody, signature?.toString())).send()
  })
})

const port = Number(process.env.PORT ?? 3000)
await app.listen({ port })
console.log(`Listening on http://127.0.0.1:${port}/webhooks`)
