import { isObject } from '#shared/json/object.ts'
import { headerPairs, type RequestList } from '../request-list.ts'

/** Of the agent's API. `raw` has the bytes, of which a long body is cut off; `duration` is in nanoseconds. */
const ngrok: RequestList = {
  tool: 'ngrok',
  marks: [['/api/requests/http'], ['"request"', '"raw"']],
  member: 'requests',
  entry: ({ start, duration, request, response }) => {
    if (!isObject(request)) return {}
    const { method, uri, proto } = request
    const { headers, body, bodySize } = readRaw(request['raw'], headerPairs(request['headers']))
    return {
      startedDateTime: start,
      time: Number(duration) / 1e6,
      request: {
        method,
        url: uri,
        httpVersion: proto,
        headers,
        bodySize,
        ...(body && { postData: { text: body.toString('base64'), encoding: 'base64' } }),
      },
      response: {
        status: Number.parseInt(String(isObject(response) ? response['status'] : ''), 10),
      },
    }
  },
}
export default ngrok

type Headers = ReturnType<typeof headerPairs>

/** `body` is null if it is not complete. */
function readRaw(raw: unknown, parsed: Headers) {
  const bytes = Buffer.from(typeof raw === 'string' ? raw : '', 'base64')
  const end = bytes.indexOf('\r\n\r\n')
  const [, ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\r\n')
  const headers =
    lines.length === 0
      ? parsed
      : lines.map((line) => {
          const colon = line.indexOf(':')
          return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
        })
  const valueOf = (wanted: string): unknown =>
    headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  const rest = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4)
  const isChunked = /^chunked$/i.test(String(valueOf('transfer-encoding')))
  const body = isChunked ? joinChunks(rest) : rest
  const bodySize = Math.max(Number(valueOf('content-length')) || 0, (body ?? rest).byteLength)
  return { headers, body: body?.byteLength === bodySize ? body : null, bodySize }
}

/** As it is if it is not in chunks; null if it is cut off. */
function joinChunks(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at)
    const line = bytes.toString('latin1', at, Math.max(at, end))
    const [digits] = /^[0-9a-f]{1,8}(?=;|$)/i.exec(line) ?? []
    if (digits === undefined) return at === 0 ? bytes : null
    const size = Number.parseInt(digits, 16)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
