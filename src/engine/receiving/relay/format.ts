import * as z from 'zod'
import { Arrival } from '#contract/models.ts'
import { defaultLimits } from '../listener/messages.ts'

// What receivers write and desktops read. A message holds one or more records of one endpoint, one after the other: the length of the head in four bytes
// (big-endian), the head as JSON, and the body.

export const recordFormat = 1

/** The stream of bodies that are larger than a message, of all endpoints. */
export const bodiesStream = 'BODIES'

/** Of requests without an endpoint. No slug has this character. */
export const noEndpoint = '_'

const prefix = 'HOOKS_'

/** The stream of an endpoint. */
export function streamOf(slug: string): string {
  return `${prefix}${slug}`
}

/** Null: the stream is no endpoint's. */
export function slugOf(stream: string): string | null {
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : null
}

/** The server lets a key publish only as its own receiver. */
export function deliverySubject(slug: string, receiver: string): string {
  return `hooks.${slug}.${receiver}`
}

/** `part`: from 0 on. */
export function partSubject(slug: string, receiver: string, id: string, part: number): string {
  return `parts.${slug}.${receiver}.${id}.${part}`
}

/** What the server publishes when a message of `slug` is stored: its head. */
export function hintSubject(slug: string): string {
  return `live.${slug}.*`
}

/** Instead of `$JS.API` for the states and names of streams: that is for the JetStream of the own account, and a desktop's has none. */
export const desktopApi = 'relay'

/** The request for one message of a stream. */
export function directGet(stream: string): string {
  return `$JS.API.DIRECT.GET.${stream}`
}

export const receiverPattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Headers of each message. */
export const messageHeaders = {
  /** `recordFormat`. A reader refuses others. */
  format: 'Tabscope-Format',
  /** How many records. */
  records: 'Tabscope-Records',
} as const

/** In bytes. The server's `max_payload` is 1 MiB. */
export const maxMessageBytes = 512 * 1024

const { bodyBytes: maxBodyBytes, headBytes } = defaultLimits

/** Without line breaks, which separate the fields of a stored head. */
const Line = z.string().regex(/^[\t\u0020-\u00ff]*$/)

/** A flat list, as `rawHeaders` of Node. */
const Fields = z
  .array(Line)
  .max(headBytes)
  .refine((fields) => fields.length % 2 === 0)
  .refine((fields) => fields.reduce((sum, { length }) => sum + length, 0) <= headBytes)
  .readonly()

const RecordHead = z
  .object({
    format: z.literal(recordFormat),
    /** Given when the request began. */
    id: z.uuidv7(),
    receivedUs: z
      .int()
      .min(Date.UTC(2000, 0) * 1000)
      .max(Date.UTC(2100, 0) * 1000),
    method: Line.max(32),
    path: Line.max(headBytes),
    httpVersion: Line.max(8),
    rawHeaders: Fields,
    rawTrailers: Fields,
    remoteAddress: Line.max(100),
    arrival: Arrival,
    reason: z
      .string()
      .max(2 * headBytes)
      .nullable(),
    /** As received; larger than the body if that was too large. */
    bytes: z
      .int()
      .min(0)
      .max(2 ** 40),
    /** Of the response; null: none was possible. */
    status: z.int().min(100).max(599).nullable(),
    nearPath: Line.max(headBytes).nullable(),
    protocol: z.enum(['tls', 'http2', 'proxy_protocol']).nullable(),
    /** Of the body that follows the head. */
    bodyBytes: z.int().min(0).max(maxMessageBytes),
    /** The body is in `parts` messages instead. */
    parts: z
      .object({
        count: z
          .int()
          .min(1)
          .max(Math.ceil(maxBodyBytes / maxMessageBytes)),
        bytes: z.int().min(1).max(maxBodyBytes),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      })
      .refine(({ count, bytes }) => bytes <= count * maxMessageBytes)
      .nullable(),
  })
  .refine(({ bodyBytes, parts }) => parts === null || bodyBytes === 0)
export type RecordHead = Readonly<z.infer<typeof RecordHead>>

export interface RelayRecord {
  readonly head: RecordHead
  readonly body: Uint8Array
}

export function encodeRecord(head: RecordHead, body: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(head))
  const record = Buffer.allocUnsafe(4 + json.byteLength + body.byteLength)
  record.writeUInt32BE(json.byteLength)
  record.set(json, 4)
  record.set(body, 4 + json.byteLength)
  return record
}

export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** The bodies share the memory of the message. A head takes 250 bytes and more, which limits their number. Throws `RecordError` for what this version cannot read. */
export function decodeRecords(message: Uint8Array): RelayRecord[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  if (bytes.byteLength > maxMessageBytes) throw new RecordError('The message is too large.')
  const records: RelayRecord[] = []
  for (let at = 0; at < bytes.byteLength;) {
    if (at + 4 > bytes.byteLength) throw truncated()
    const headEnd = at + 4 + bytes.readUInt32BE(at)
    if (headEnd > bytes.byteLength) throw truncated()
    const head = headOf(bytes.toString('utf8', at + 4, headEnd))
    const end = headEnd + head.bodyBytes
    if (end > bytes.byteLength) throw truncated()
    records.push({ head, body: bytes.subarray(headEnd, end) })
    at = end
  }
  if (records.length > 1 && records.some(({ head }) => head.parts !== null)) {
    throw new RecordError('A body in parts is not alone in its message.')
  }
  return records
}

/** `format`: what the message or a head says, which may be anything. */
export function assertFormat(format: unknown): void {
  const text = typeof format === 'number' || typeof format === 'string' ? String(format) : ''
  if (text === String(recordFormat)) return
  throw new RecordError(
    /^\d{1,9}$/.test(text)
      ? `The format ${text} is unknown. Update Tabscope, then forget the relay and add it again to read it.`
      : 'The message is not of Tabscope.',
  )
}

function truncated(): RecordError {
  return new RecordError('The message ends within a record.')
}

function headOf(json: string): RecordHead {
  let head: unknown
  try {
    head = JSON.parse(json)
  } catch {
    throw new RecordError('The head of a record is not JSON.')
  }
  assertFormat(typeof head === 'object' && head !== null && 'format' in head ? head.format : null)
  const parsed = RecordHead.safeParse(head)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path[0] ?? 'bodyBytes'
  throw new RecordError(`The head of a record is damaged: see ${String(where)}.`)
}
