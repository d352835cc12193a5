import { z } from 'zod'
import { headerName } from '#catalogue/headers.ts'
import { hash } from 'node:crypto'
import type { Header } from '#contract/models.ts'
import { inspect } from '../../capture/inspect.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '../../capture/messages.ts'
import type { JsonObject } from '#shared/json/object.ts'
import { describe } from '../../deliveries/describe.ts'
import type { ExportedDelivery } from '../items.ts'
import { isTime, outOfBounds } from './bounds.ts'
import { assertFits, heapOf } from './memory.ts'
import { whyNot, type Read } from './read-line.ts'

const Pair = z.object({ name: z.string(), value: z.string() })

/** What is read of an entry that another tool has written. */
const Entry = z.object({
  startedDateTime: z.string(),
  time: z.number().nullish(),
  request: z.object({
    method: z.string().min(1).max(100),
    url: z.string(),
    httpVersion: z.string().nullish(),
    headers: z.array(Pair).default([]),
    postData: z
      .object({
        mimeType: z.string().nullish(),
        text: z.string().nullish(),
        encoding: z.string().nullish(),
        params: z.array(z.object({ name: z.string(), value: z.string().nullish() })).nullish(),
      })
      .nullish(),
    bodySize: z.number().nullish(),
  }),
  response: z.object({ status: z.int().nullish() }).nullish(),
  serverIPAddress: z.string().nullish(),
})
type Entry = z.infer<typeof Entry>

/** When an entry began, in milliseconds since the epoch; null: it does not say. */
export function timeOf(value: JsonObject): number | null {
  const { startedDateTime } = value
  const at = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN
  return Number.isNaN(at) || !isTime(at) ? null : at
}

/**
 * An entry of any tool as a delivery: the same look at it as when it had arrived here, with an endpoint that has no secret, since none of
 * ours has to do with it. So its signature is not checked: its verdict is `unchecked`, or `unsigned` where there is none. Throws `log_unreadable` for a
 * body that would take too much memory.
 */
export function deliveryOf(value: JsonObject, id: number): Read<ExportedDelivery> {
  const parsed = Entry.safeParse(value)
  if (!parsed.success) return { ok: false, why: whyNot(parsed.error) }
  const entry = parsed.data
  const at = timeOf(value)
  if (at === null) return { ok: false, why: 'startedDateTime: it is no time' }
  const headers = entry.request.headers.map(({ name, value }): Header => [name, value])
  const { body, omitted } = bodyOf(entry)
  // As a string it was one value. Looked at, it is all that it holds.
  assertFits(heapOf(body))
  const brand = brandOf(headers)
  const { method } = entry.request
  const { type, target, locationName, createdAt, verdict, secretName, findings } = inspect(
    { method, rawHeaders: headers.flat(), body, arrival: 'complete' },
    endpointOf(brand),
    brand,
  )
  const fields: ExportedDelivery['fields'] = {
    id,
    receivedAt: at,
    method,
    path: pathOf(entry.request.url),
    endpointId: null,
    type,
    title: omitted === null ? describe(body).title : 'Body is not in the HAR file',
    target,
    locationName,
    createdAt,
    verdict,
    findings: omitted === null ? [...findings] : [],
    status: (entry.response?.status ?? 0) > 0 ? (entry.response?.status ?? null) : null,
    answeredIn: entry.time === null || entry.time === undefined ? null : Math.max(0, entry.time),
    bytes: omitted === null ? body.byteLength : sizeOf(entry.request.bodySize),
    sha256: hash('sha256', body, 'hex'),
    arrival: 'complete',
    pinned: false,
    tags: [],
    repeats: null,
    own: null,
    answeredBy: null,
    sent: null,
    httpVersion: (entry.request.httpVersion ?? '').replace(/^http\//i, ''),
    remoteAddress: '',
    via: null,
    headers,
    trailers: [],
    reason: null,
    endpointName: null,
    brand,
    secretName,
    note: '',
    bodyRedacted: false,
    notForwarded: [],
  }
  const why = outOfBounds({ kind: 'delivery', ...fields, body: { text: '' }, attempts: [] })
  return why === null
    ? { ok: true, value: { fields, body, omitted, attempts: [] } }
    : { ok: false, why }
}

function bodyOf({ request: { postData, bodySize } }: Entry): {
  body: Buffer
  omitted: string | null
} {
  const none = Buffer.alloc(0)
  const text = postData?.text ?? ''
  if (text !== '') {
    const encoding = postData?.encoding === 'base64' ? 'base64' : 'utf8'
    return { body: Buffer.from(text, encoding), omitted: null }
  }
  const params = postData?.params ?? []
  const isForm = postData?.mimeType?.startsWith('application/x-www-form-urlencoded') ?? false
  if (params.length > 0 && isForm) {
    const form = new URLSearchParams(
      params.map(({ name, value }): [string, string] => [name, value ?? '']),
    )
    return { body: Buffer.from(form.toString()), omitted: null }
  }
  const isMissing = params.length > 0 || (bodySize ?? 0) > 0
  return { body: none, omitted: isMissing ? 'The HAR file does not hold this body.' : null }
}

/** In HAR -1 stands for what is not known. */
function sizeOf(bodySize: number | null | undefined): number {
  return Number.isSafeInteger(bodySize) ? Math.max(0, bodySize ?? 0) : 0
}

/** Path and query of an address. */
function pathOf(url: string): string {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url) ?? []
  if (path === undefined) return url === '' ? '/' : url
  return path.startsWith('/') ? path : `/${path}`
}

/** By the names of its headers: `X-<brand>-Signature`. */
function brandOf(headers: readonly Header[]): string {
  for (const [name] of headers) {
    const [, brand] = /^x-(.{1,60})-signature$/i.exec(name) ?? []
    if (
      brand !== undefined &&
      headerName(brand, 'signature').toLowerCase() === name.toLowerCase()
    ) {
      return brand
    }
  }
  return 'Service'
}

let last: InspectedEndpoint | null = null

/** Entries of one file are mostly of one brand. */
function endpointOf(brand: string): InspectedEndpoint {
  if (last?.brand !== brand) {
    last = inspectedEndpoint({
      id: 0,
      name: '',
      brand,
      applicationId: '',
      customHeaders: [],
      secrets: [],
    })
  }
  return last
}
