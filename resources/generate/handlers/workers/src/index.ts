import { receive } from './webhooks.ts'

const limit = 10 * 1024 * 1024

async function respond(request: Request, context: ExecutionContext): Promise<number> {
  if (new URL(request.url).pathname !== '/webhooks') return 404
  if (request.method !== 'POST') return 405
  if (Number(request.headers.get('Content-Length')) > limit) return 413
  const rawBody = Buffer.from(await request.arrayBuffer())
  // In chunks, it has no Content-Length.
  if (rawBody.length > limit) return 413
  const signature = request.headers.get('X-Service-Signature')
  return receive(rawBody, signature, (work) => context.waitUntil(work))
}

export default {
  async fetch(request, env, context) {
    return new Response(null, { status: await respond(request, context) })
  },
} satisfies ExportedHandler
