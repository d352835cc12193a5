import { hash, randomBytes } from 'node:crypto'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'
import { encodeInvitation, type Invitation } from '#engine/receiving/relay/files.ts'
import {
  deliverySubject,
  encodeRecord,
  messageHeaders,
  partSubject,
  recordFormat,
  type RecordHead,
} from '#engine/receiving/relay/format.ts'
import { sign } from '../requests.ts'

export interface TestRecord {
  readonly head: RecordHead
  readonly body: Uint8Array
}

let last = 0

/** A UUIDv7. */
export function recordId(): string {
  last = Math.max(last + 1, Date.now())
  const hex = last.toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `7${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** As a receiver writes it: a delivery with the signature of the test secret. */
export function recordOf(
  slug: string,
  body: string | Uint8Array,
  edits: Partial<RecordHead> = {},
): TestRecord {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const rawHeaders = [
    'Host',
    'hooks.example.com',
    'Content-Type',
    'application/json',
    'Content-Length',
    String(bytes.byteLength),
    'X-Service-Signature',
    sign(bytes),
  ]
  return {
    head: {
      format: recordFormat,
      id: recordId(),
      receivedUs: Date.now() * 1000,
      method: 'POST',
      path: `/hooks/${slug}`,
      httpVersion: '1.1',
      rawHeaders,
      rawTrailers: [],
      remoteAddress: '198.51.100.7',
      arrival: 'complete',
      reason: null,
      bytes: bytes.byteLength,
      status: 202,
      nearPath: null,
      protocol: null,
      bodyBytes: bytes.byteLength,
      parts: null,
      ...edits,
    },
    body: bytes,
  }
}

/** What is published instead of what a receiver would. */
export interface Published {
  readonly receiver?: string
  readonly format?: string
  readonly count?: number
  readonly data?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Of an error of the server. */
  readonly status?: number
}

const receiver = 'gate'

/** One message with these records. */
export async function publish(
  connection: NatsConnection,
  slug: string,
  records: readonly TestRecord[],
  change: Published = {},
): Promise<number> {
  const { status } = change
  const given = status === undefined ? headers() : headers(status, 'Message Not Found')
  given.set(messageHeaders.format, change.format ?? String(recordFormat))
  given.set(messageHeaders.records, String(change.count ?? records.length))
  for (const [name, value] of Object.entries(change.headers ?? {})) given.set(name, value)
  const data =
    change.data ?? Buffer.concat(records.map(({ head, body }) => encodeRecord(head, body)))
  const subject = deliverySubject(slug, change.receiver ?? receiver)
  const { seq } = await jetstream(connection).publish(subject, data, { headers: given })
  return seq
}

/** The parts of a large body, and then its record. */
export async function publishLarge(
  connection: NatsConnection,
  slug: string,
  { head, body }: TestRecord,
  partBytes = 400_000,
): Promise<void> {
  const count = Math.ceil(body.byteLength / partBytes)
  await publishParts(connection, slug, { head, body }, partBytes, count)
  const parts = { count, bytes: body.byteLength, sha256: hash('sha256', body, 'hex') }
  await publish(connection, slug, [
    { head: { ...head, bodyBytes: 0, parts }, body: new Uint8Array() },
  ])
}

export async function publishParts(
  connection: NatsConnection,
  slug: string,
  { head, body }: TestRecord,
  partBytes: number,
  count: number,
): Promise<void> {
  for (let part = 0; part < count; part += 1) {
    await jetstream(connection).publish(
      partSubject(slug, receiver, head.id, part),
      body.subarray(part * partBytes, (part + 1) * partBytes),
    )
  }
}

export function invitationOf(url: string, edits: Partial<Invitation> = {}): string {
  return encodeInvitation({
    tabscope: 'relay invitation',
    version: 1,
    name: 'Team',
    servers: [url],
    seed: null,
    ca: null,
    user: 'ann',
    endpoints: ['*'],
    ...edits,
  })
}
