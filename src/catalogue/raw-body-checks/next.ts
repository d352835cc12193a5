import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nextChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'next',
  label: 'Next.js',
  language: 'TypeScript',
  fileName: 'app/webhooks/route.ts',
  note: 'request.json() returns only the parsed body; the stream of the request has the received bytes. This is a route handler of the App Router; an API route of the Pages Router needs `bodyParser: false` in its config.',
  code: (brand, { imports, text } = nextChecks) => `${imports}${text}
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
  const signature = request.headers.get('${headerName(brand, 'signature')}')
  return new Response(null, { status: rawBody ? receive(rawBody, signature) : 413 })
}
`,
})
