import { receive } from '../../webhooks'

const limit = 10 * 1024 * 1024

/** Null if it is too large. */
async function readBody(request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get('Content-Length')) > limit) return null
  const chunks: Uint8Array[] = []
  let length = 0
  // TypeScript 5 has no `for await` over it.
  const reader = request.body?.getReader()
  for (;;) {
    const chunk = (await reader?.read())?.value
    if (!chunk) return Buffer.concat(chunks)
    length += chunk.length
    if (length > limit) {
      await reader?.cancel()
      return null
    }
    chunks.push(chunk)
  }
}

export async function POST(request: Request): Promise<Response> {
  const rawBody = await readBody(request)
  const signature = request.headers.get('X-Service-Signature')
  return new Response(null, { status: rawBody ? receive(rawBody, signature) : 413 })
}
