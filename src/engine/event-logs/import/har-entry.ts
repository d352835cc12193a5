import { describeFindings } from '#catalogue/findings.ts'
import { z } from 'zod'
import { headerName } from '#catalogue/headers.ts'
import { hash } from 'node:crypto'
import type { Header } from '#contract/models.ts'
import { inspect } from '../../capture/inspect.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '../../capture/messages.ts'
import type { JsonObject } from '#shared/json/object.ts'
import { titleOfBody } from '../../deliveries/describe.ts'
import { parseBody } from '../../capture/parse-body.ts'
import type { ExportedDelivery } from '../items.ts'
import { isTime, outOfBounds } from './line-limits.ts'
import { assertFits, estimateHeap } from './memory.ts'
import { describeIssue, type Read } from './read-line.ts'

const Pair = z.object({ name: z.string(), value: z.string() })

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

/** Null: missing or invalid. */
export function entryTime(value: JsonObject): number | null {
  const { startedDateTime } = value
  const receivedAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN
  return Number.isNaN(receivedAt) || !isTime(receivedAt) ? null : receivedAt
}

/**
 * Inspects the entry like a received request to an endpoint without a secret: its verdict is `unchecked`, or `unsigned` without a signature.
 * Throws `log_unreadable` for a body that would need too much memory.
 */
export function readEntry(value: JsonObject, id: number): Read<ExportedDelivery> {
  const parsed = Entry.safeParse(value)
  if (!parsed.success) return { ok: false, problem: describeIssue(parsed.error) }
  const entry = parsed.data
  const receivedAt = entryTime(value)
  if (receivedAt === null) return { ok: false, problem: 'startedDateTime is not a valid time' }
  const headers = entry.request.headers.map(({ name, value }): Header => [name, value])
  const { body, omitted } = entryBody(entry)
  // In the entry the body was a single string. Parsing it creates all the values that it contains.
  assertFits(estimateHeap(body))
  const brand = findBrand(headers)
  const { method } = entry.request
  const { type, target, locationName, createdAt, verdict, secretName, findings } = inspect(
    { method, rawHeaders: headers.flat(), body, arrival: 'complete' },
    endpointFor(brand),
    brand,
  )
  const fields: ExportedDelivery['fields'] = {
    id,
    receivedAt,
    method,
    path: urlPath(entry.request.url),
    endpointId: null,
    type,
    title: omitted === null ? titleOfBody(parseBody(body)) : 'Body is not in the HAR file',
    target,
    locationName,
    createdAt,
    verdict,
    causes: null,
    findings: omitted === null ? describeFindings({ findings, type }) : [],
    status: (entry.response?.status ?? 0) > 0 ? (entry.response?.status ?? null) : null,
    responseMs: entry.time === null || entry.time === undefined ? null : Math.max(0, entry.time),
    bytes: omitted === null ? body.byteLength : declaredSize(entry.request.bodySize),
    sha256: hash('sha256', body, 'hex'),
    arrival: 'complete',
    pinned: false,
    tags: [],
    duplicateOf: null,
    sentBy: null,
    respondedBy: null,
    lastAttempt: null,
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
  const problem = outOfBounds({ kind: 'delivery', ...fields, body: { text: '' }, attempts: [] })
  return problem === null
    ? { ok: true, value: { fields, body, omitted, attempts: [] } }
    : { ok: false, problem }
}

function entryBody({ request: { postData, bodySize } }: Entry): {
  body: Buffer
  omitted: string | null
} {
  const noBody = Buffer.alloc(0)
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
  return { body: noBody, omitted: isMissing ? 'The HAR file does not hold this body.' : null }
}

/** In HAR, -1 means unknown. */
function declaredSize(bodySize: number | null | undefined): number {
  return Number.isSafeInteger(bodySize) ? Math.max(0, bodySize ?? 0) : 0
}

function urlPath(url: string): string {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url) ?? []
  if (path === undefined) return url === '' ? '/' : url
  return path.startsWith('/') ? path : `/${path}`
}

/** From the header name `X-<brand>-Signature`. */
function findBrand(headers: readonly Header[]): string {
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

let lastEndpoint: InspectedEndpoint | null = null

/** Entries of one file mostly have the same brand. */
function endpointFor(brand: string): InspectedEndpoint {
  if (lastEndpoint?.brand !== brand) {
    lastEndpoint = inspectedEndpoint({
      id: 0,
      name: '',
      brand,
      applicationId: '',
      customHeaders: [],
      secrets: [],
    })
  }
  return lastEndpoint
}
