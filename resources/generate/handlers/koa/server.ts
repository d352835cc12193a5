import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import { receive } from './webhooks.ts'

const app = new Koa()
const limit = 10 * 1024 * 1024

/** The bytes as received. Null if there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > limit) return null
  const chunks: Buffer[] = []
  let length = 0
  // The connection stays open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Before any body parser, which would consume the body.
app.use(async (ctx, next) => {
  if (ctx.path !== '/webhooks') return next()
  if (ctx.method !== 'POST') {
    ctx.status = 405
    return
  }
  const rawBody = await readBody(ctx.req)
  ctx.status = rawBody ? receive(rawBody, ctx.get('X-Service-Signature')) : 413
})

const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`Listening on http://127.0.0.1:${port}/webhooks`))
