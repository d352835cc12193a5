import { receive } from './webhooks.ts'

const limit = 10 * 1024 * 1024

export async function POST({ request }: { request: Request }): Promise<Response> {
  if (Number(request.headers.get('Content-Length')) > limit) return new Response(null, { status: 413 })
  const rawBody = Buffer.from(await request.arrayBuffer())
  const signature = request.headers.get('X-Service-Signature')
  return new Response(null, { status: receive(rawBody, signature) })
}
