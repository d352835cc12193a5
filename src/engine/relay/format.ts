import type { Arrival, Delivery } from '#contract/models.ts'
import type { OtherProtocol } from '../capture/received-request.ts'

// What receivers write and desktops read. A message holds one or more records of one endpoint, one after the other: the length of the head in four bytes
// (big-endian), the head as JSON, and the body.

export const recordFormat = 1

export const streams = {
  deliveries: 'HOOKS',
  /** Of bodies that are larger than a message. */
  bodies: 'BODIES',
} as const

/** Of requests without an endpoint. No slug has this character. */
export const noEndpoint = '_'

export function deliverySubject(slug: string | null): string {
  return `hooks.${slug ?? noEndpoint}`
}

/** What a key may read: one subject for each consumer. */
export function subjectsOf({ endpoints }: { endpoints: readonly string[] }): string[] {
  return endpoints.includes('*') ? ['hooks.*'] : endpoints.map(deliverySubject)
}

/** `part`: from 0 on. */
export function partSubject(slug: string | null, id: string, part: number): string {
  return `parts.${slug ?? noEndpoint}.${id}.${part}`
}

/** Headers of each message. */
export const messageHeaders = {
  /** `recordFormat`. A reader refuses others. */
  format: 'Tabscope-Format',
  /** How many records. */
  records: 'Tabscope-Records',
} as const

/** In bytes. The server's `max_payload` is 1 MiB. */
export const maxMessageBytes = 512 * 1024

export interface RecordHead {
  readonly format: typeof recordFormat
  /** A UUIDv7, given when the request began. */
  readonly id: string
  readonly receivedUs: number
  readonly receiver: string
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly rawHeaders: readonly string[]
  readonly rawTrailers: readonly string[]
  readonly remoteAddress: string
  readonly arrival: Arrival
  readonly reason: string | null
  /** As received; larger than the body if that was too large. */
  readonly bytes: number
  /** Of the response; null: none was possible. */
  readonly status: number | null
  readonly nearPath: string | null
  readonly protocol: OtherProtocol | null
  readonly via: Delivery['via']
  /** Of the body that follows the head. */
  readonly bodyBytes: number
  /** The body is in `parts` messages instead. */
  readonly parts: { readonly count: number; readonly bytes: number; readonly sha256: string } | null
}

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

/** The bodies share the memory of the message. Throws `RecordError` for a truncated message or another format. */
export function decodeRecords(message: Uint8Array): RelayRecord[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
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
  return records
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
  if (typeof head !== 'object' || head === null || !('format' in head)) {
    throw new RecordError('The message is not of Tabscope.')
  }
  if (head.format !== recordFormat) {
    throw new RecordError(`The format ${String(head.format)} is unknown. Update Tabscope.`)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only receivers may write to the stream
  return head as RecordHead
}
