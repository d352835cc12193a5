import { receive } from '../../webhooks.ts'

const limit = 10 * 1024 * 1024

/** Null if it is too large. */
async function readBody(request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get('Content-Length')) > limit) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function POST(request: Request): Promise<Response> {
  const rawBody = await readBody(request)
  const signature = request.headers.get('X-Service-Signature')
  return new Response(null, { status: rawBody ? receive(rawBody, signature) : 413 })
}
