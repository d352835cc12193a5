import { isObject, type JsonObject } from '#shared/json/object.ts'

interface RequestList {
  readonly tool: string
  /** In the beginning of a file: the member with the list, and others of its items. */
  readonly member: string
  readonly marks: readonly string[]
  /** As an entry of a HAR file. */
  readonly entry: (item: JsonObject) => JsonObject
}

/** Lists of received requests that other tools write. */
const lists: readonly RequestList[] = [
  {
    // https://docs.webhook.site/api/requests.html
    tool: 'webhook.site',
    member: 'data',
    marks: ['"uuid"', '"created_at"'],
    entry: ({ created_at: at, method, url, content, headers }) => ({
      // Without a time zone, it is UTC.
      startedDateTime: typeof at === 'string' && !/[TZ]/.test(at) ? `${at}Z` : at,
      request: { method, url, headers: pairsOf(headers), postData: { text: content } },
    }),
  },
  {
    // https://ngrok.com/docs/agent/api (List captured requests). `raw`: of the connection, in base64.
    tool: 'ngrok',
    member: 'requests',
    marks: ['"request"', '"raw"'],
    entry: ({ start, duration, request, response }) => ({
      startedDateTime: start,
      time: typeof duration === 'number' ? duration / 1e6 : null,
      request: isObject(request) ? rawRequest(request) : null,
      response: isObject(response) ? { status: response['status_code'] } : {},
    }),
  },
]

function pairsOf(headers: unknown): JsonObject[] {
  return Object.entries(isObject(headers) ? headers : {}).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value: unknown) => ({ name, value })),
  )
}

function rawRequest({ raw, method, uri, headers, proto }: JsonObject): JsonObject {
  const bytes = Buffer.from(typeof raw === 'string' ? raw : '', 'base64')
  const end = bytes.indexOf('\r\n\r\n')
  const [start = '', ...lines] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n')
  const read = lines.map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })
  return {
    method: method ?? start.split(' ')[0],
    url: uri ?? start.split(' ')[1],
    httpVersion: proto,
    headers: read.length > 0 ? read : pairsOf(headers),
    postData: end === -1 ? {} : { text: bytes.toString('base64', end + 4), encoding: 'base64' },
  }
}

/** `head`: the beginning of a file, whose first members are in `keys`. */
export function isRequestList(head: string, keys: readonly string[]): boolean {
  return lists.some(
    ({ member, marks }) => keys.includes(member) && marks.every((mark) => head.includes(mark)),
  )
}

/** The `log` of a HAR file with these requests. Null: it is no such list. */
export function logOfRequests(value: JsonObject): JsonObject | null {
  const text = JSON.stringify(value).slice(0, 4096)
  const found = lists.find(
    ({ member, marks }) =>
      Array.isArray(value[member]) && marks.every((mark) => text.includes(mark)),
  )
  const items = found && value[found.member]
  if (!found || !Array.isArray(items)) return null
  const entries = items.map((item: unknown) => (isObject(item) ? found.entry(item) : item))
  return { creator: { name: found.tool }, entries }
}
