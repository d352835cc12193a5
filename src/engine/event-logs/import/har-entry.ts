import { describeFindings } from '#catalogue/findings.ts'
import { headerName } from '#catalogue/headers.ts'
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { unknownTime } from '#contract/constants.ts'
import type { Header } from '#contract/models.ts'
import { inspect, titleOfBody } from '../../payload/inspect.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '../../payload/endpoint.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { plural } from '#shared/text/format.ts'
import { parseBody } from '../../payload/parse-body.ts'
import type { ExportedDelivery } from '../items.ts'
import { areStorable, isTime, lastMs, outOfBounds, type Read } from './read-line.ts'

/** Members of a HAR file that have another type than HAR requires are read as far as their meaning is certain, and otherwise like missing ones. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'string' && value.trim() !== '' ? Number(value) : (value ?? Number.NaN)
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** `omitted`: how many are not a name with a value, or cannot be stored. */
export interface HarHeaders {
  readonly headers: readonly Header[]
  readonly omitted: number
}

export function readHeaders(value: unknown): HarHeaders {
  if (value === undefined || value === null) return { headers: [], omitted: 0 }
  const pairs = Array.isArray(value) ? value : [value]
  const headers = pairs.flatMap((pair: unknown): Header[] => {
    const { name, value: content } = isObject(pair) ? pair : {}
    if (typeof name !== 'string' || name === '') return []
    const isText = ['string', 'number', 'boolean'].includes(typeof content)
    const header: Header = [name, isText ? String(content) : '']
    return areStorable([header]) && (isText || content === undefined || content === null)
      ? [header]
      : []
  })
  return { headers, omitted: pairs.length - headers.length }
}

/** Null: missing or invalid. */
export function entryTime({ startedDateTime }: JsonObject): number | null {
  // `Date.parse` also reads texts such as "12.5", as a date that nobody wrote.
  if (typeof startedDateTime !== 'string' || !/(?:^|\D)\d{4}(?:\D|$)/.test(startedDateTime)) {
    return null
  }
  const receivedAt = Date.parse(startedDateTime)
  return Number.isNaN(receivedAt) || !isTime(receivedAt) ? null : receivedAt
}

/** An entry as a delivery. `notes`: what of it is not in the delivery, as sentences. */
export interface ReadHarEntry {
  readonly delivery: ExportedDelivery
  readonly notes: readonly string[]
}

interface HarRequest extends Pick<ReadHarEntry, 'notes'> {
  readonly method: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  readonly omitted: string | null
  readonly bytes: number
}

function readRequest(request: JsonObject): HarRequest {
  const notes: string[] = []
  const read = readHeaders(request['headers'])
  if (read.omitted > 0) {
    notes.push(
      `${plural(read.omitted, 'header', 'headers')} without a name or with an invalid value left out.`,
    )
  }
  const sent = read.headers.filter(([name]) => !name.startsWith(':'))
  const size = declaredSize(request['bodySize'], sent)
  const { body, omitted } = entryBody(request, size)
  const headers = isDecoded(sent, body)
    ? sent.filter(
        ([name, content]) =>
          !/^content-encoding$/i.test(name) &&
          !(/^content-length$/i.test(name) && content.trim() !== String(body.byteLength)),
      )
    : sent
  if (headers.length < sent.length) {
    notes.push('The file holds the body decoded, so headers about its coding were left out.')
  }
  const given = textOf(request['method']).slice(0, 100)
  const method = given || (body.byteLength > 0 ? 'POST' : 'GET')
  if (given === '') notes.push(`It has no method; ${method} is assumed.`)
  return { method, headers, body, omitted, bytes: omitted === null ? body.byteLength : size, notes }
}

/** Inspects the entry like a received request to an endpoint without a secret: its verdict is `unchecked`, or `unsigned` without a signature. */
export function readEntry(value: JsonObject, id: number): Read<ReadHarEntry> {
  const { request } = value
  if (!isObject(request)) return { ok: false, problem: 'it has no request' }
  const time = entryTime(value)
  const { method, headers, body, omitted, bytes, notes: ofRequest } = readRequest(request)
  const notes =
    time === null
      ? ['It has no valid start time, so its time is unknown.', ...ofRequest]
      : ofRequest
  const brand = findBrand(headers)
  const { type, facts, target, locationName, createdAt, verdict, secretName, findings } = inspect(
    { method, rawHeaders: headers.flat(), body, arrival: 'complete' },
    endpointFor(brand),
    brand,
  )
  const response = isObject(value['response']) ? value['response'] : {}
  const status = numberOf(response['status'])
  const duration = numberOf(value['time'])
  const fields: ExportedDelivery['fields'] = {
    id,
    receivedAt: time ?? unknownTime,
    method,
    path: urlPath(textOf(request['url'])),
    endpointId: null,
    type,
    facts,
    title: omitted === null ? titleOfBody(parseBody(body)) : 'Body is not in the file',
    target,
    locationName,
    createdAt: createdAt === null || Math.abs(createdAt) > lastMs ? null : createdAt,
    verdict,
    causes: null,
    findings: omitted === null ? describeFindings({ findings, type }) : [],
    status: Number.isInteger(status) && (status ?? 0) > 0 ? status : null,
    responseMs: duration === null || duration > lastMs ? null : Math.max(0, duration),
    bytes,
    sha256: hash('sha256', body, 'hex'),
    arrival: 'complete',
    pinned: false,
    tags: [],
    duplicateOf: null,
    sentBy: null,
    respondedBy: null,
    lastAttempt: null,
    httpVersion: textOf(request['httpVersion']).replace(/^http\//i, ''),
    remoteAddress: '',
    via: null,
    relay: null,
    headers: [...headers],
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
    ? { ok: true, value: { delivery: { fields, body, omitted, attempts: [] }, notes } }
    : { ok: false, problem }
}

/** Whether the body is not in the coding that its headers declare: compressed data is not UTF-8, and gzip has a signature. */
function isDecoded(headers: readonly Header[], body: Buffer): boolean {
  const coding = headers.find(([name]) => /^content-encoding$/i.test(name))?.[1].trim() ?? ''
  if (coding === '' || /^identity$/i.test(coding) || body.byteLength === 0) return false
  return isUtf8(body) || (/^(?:x-)?gzip$/i.test(coding) && body.readUInt8(0) !== 0x1f)
}

function bytesOfText({ text, encoding }: JsonObject): Buffer | null {
  if (typeof text !== 'string' || text === '') return null
  return Buffer.from(text, textOf(encoding).toLowerCase() === 'base64' ? 'base64' : 'utf8')
}

/** HTTP Toolkit writes a body that HAR cannot represent into `_content`. Playwright 1.65 writes one that is not UTF-8 with U+FFFD. */
function entryBody(
  { postData, _content: content }: JsonObject,
  size: number,
): { body: Buffer; omitted: string | null } {
  const posted = isObject(postData) ? postData : { text: postData }
  const body = bytesOfText(posted) ?? (isObject(content) ? bytesOfText(content) : null)
  const isReplaced = body?.includes('\ufffd') && size > 0 && size !== body.byteLength
  if (body && !isReplaced) return { body, omitted: null }
  const params = Array.isArray(posted['params']) ? posted['params'] : []
  if (
    params.length > 0 &&
    textOf(posted['mimeType']).startsWith('application/x-www-form-urlencoded')
  ) {
    const form = new URLSearchParams(
      params.map((param: unknown): [string, string] => {
        const { name, value } = isObject(param) ? param : {}
        return [textOf(name), textOf(value)]
      }),
    )
    return { body: Buffer.from(form.toString()), omitted: null }
  }
  const none = Buffer.alloc(0)
  if (isReplaced) {
    return {
      body: none,
      omitted: 'The file has other bytes in place of those that are not UTF-8.',
    }
  }
  if ('_file' in posted) {
    return {
      body: none,
      omitted: "It is beside the HAR file. In Playwright, record with content: 'embed'.",
    }
  }
  const isMissing = params.length > 0 || size > 0
  return { body: none, omitted: isMissing ? 'The file does not hold this body.' : null }
}

/** In HAR, -1 means unknown, and Playwright writes 0 for what it does not record. */
function declaredSize(bodySize: unknown, headers: readonly Header[]): number {
  const [, length] = headers.find(([name]) => /^content-length$/i.test(name)) ?? []
  const sizes = [numberOf(bodySize), Number(length ?? 0)]
  return sizes.find((size) => Number.isSafeInteger(size) && (size ?? 0) > 0) ?? 0
}

function urlPath(url: string): string {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url) ?? []
  if (path === undefined) return url === '' ? '/' : url
  return path.startsWith('/') ? path : `/${path}`
}

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
