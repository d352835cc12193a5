import { hash } from 'node:crypto'
import type { JsMsg } from '@nats-io/jetstream'
import { inspect } from '../capture/inspect.ts'
import type { CaptureConfig } from '../capture/messages.ts'
import { EndpointPaths } from '../capture/paths.ts'
import {
  assertFormat,
  decodeRecords,
  maxMessageBytes,
  messageHeaders,
  partSubject,
  RecordError,
  type RecordHead,
} from './format.ts'
import type { RelayedDelivery } from './messages.ts'

export interface InboundDelivery {
  readonly delivery: RelayedDelivery
  readonly body: Uint8Array
}

export class Inspector {
  #config: CaptureConfig
  #paths: EndpointPaths

  constructor(config: CaptureConfig) {
    this.#config = config
    this.#paths = new EndpointPaths(config.routes)
  }

  configure(config: CaptureConfig): void {
    this.#config = config
    this.#paths = new EndpointPaths(config.routes)
  }

  /** `position`: of the message in the stream. `part`: a part of a large body. Throws `RecordError` for what this version cannot read. */
  async read(
    { headers, data, subject }: Pick<JsMsg, 'headers' | 'data' | 'subject'>,
    position: number,
    part: (subject: string) => Promise<Uint8Array>,
  ): Promise<InboundDelivery[]> {
    assertFormat(headers?.get(messageHeaders.format))
    const records = decodeRecords(data)
    const count = Number(headers?.get(messageHeaders.records))
    if (records.length !== count) throw new RecordError('The message is not complete.')
    const found: InboundDelivery[] = []
    const slug = subject.split('.').at(-1) ?? ''
    for (const { head, body } of records) {
      const whole = head.parts ? await joined(head, slug, part) : body
      found.push({ delivery: this.#inspected(head, whole, position), body: whole })
    }
    return found
  }

  #inspected(head: RecordHead, body: Uint8Array, position: number): RelayedDelivery {
    const uid = Buffer.from(head.id.replaceAll('-', ''), 'hex')
    const endpoint = this.#paths.endpointOf(head.path)
    const request = { ...head, body, nearPath: this.#paths.nearPath(head.path) }
    const { fallbackBrand } = this.#config
    return {
      ...inspect(request, endpoint, fallbackBrand),
      uid,
      receiver: head.receiver,
      position,
      storedBytes: body.byteLength,
      receivedUs: head.receivedUs,
      method: head.method,
      path: head.path,
      httpVersion: head.httpVersion,
      remoteAddress: head.remoteAddress,
      endpointId: endpoint?.id ?? null,
      endpointName: endpoint?.name ?? null,
      brand: endpoint?.brand ?? fallbackBrand,
      arrival: head.arrival,
      reason: head.reason,
      bytes: head.bytes,
      status: head.status,
      sentBy: null,
      respondedBy: null,
      via: 'relay',
      headers: head.rawHeaders.join('\n'),
      trailers: head.rawTrailers.join('\n'),
    }
  }
}

async function joined(
  head: RecordHead,
  slug: string,
  part: (subject: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { count, bytes, sha256 } = head.parts ?? { count: 0, bytes: 0, sha256: '' }
  const parts: Uint8Array[] = []
  let left = bytes
  for (let index = 0; index < count; index += 1) {
    const some = await part(partSubject(slug, head.id, index))
    left -= some.byteLength
    if (left < 0 || some.byteLength > maxMessageBytes) throw damaged()
    parts.push(some)
  }
  const body = Buffer.concat(parts)
  if (left > 0 || hash('sha256', body, 'hex') !== sha256) throw damaged()
  return body
}

function damaged(): RecordError {
  return new RecordError('The body of a large delivery is damaged.')
}
