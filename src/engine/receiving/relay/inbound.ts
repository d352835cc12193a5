import { hash } from 'node:crypto'
import type { MsgHdrs } from '@nats-io/transport-node'
import { inspect } from '../../payload/inspect.ts'
import type { CaptureConfig } from '../listener/messages.ts'
import { EndpointPaths } from '../listener/paths.ts'
import {
  assertFormat,
  decodeRecords,
  deliverySubject,
  maxMessageBytes,
  messageHeaders,
  partSubject,
  receiverPattern,
  RecordError,
  type RecordHead,
} from './format.ts'
import type { RelayedDelivery } from '../../deliveries/groups.ts'

export interface InboundDelivery {
  readonly delivery: RelayedDelivery
  readonly body: Uint8Array
}

/** As the relay has it. */
export interface StoredMessage {
  readonly subject: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly headers: MsgHdrs | undefined
  readonly data: Uint8Array
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

  /** `position`: of the message in the stream of `slug`. `part`: a part of a large body. Throws `RecordError` for what this version cannot read. */
  async read(
    { headers, data, subject }: StoredMessage,
    slug: string,
    position: number,
    part: (subject: string) => Promise<Uint8Array>,
  ): Promise<InboundDelivery[]> {
    assertFormat(headers?.get(messageHeaders.format))
    const records = decodeRecords(data)
    const count = Number(headers?.get(messageHeaders.records))
    if (!count || records.length !== count) throw new RecordError('The message is not complete.')
    const found: InboundDelivery[] = []
    const receiver = subject.split('.').at(-1) ?? ''
    if (subject !== deliverySubject(slug, receiver) || !receiverPattern.test(receiver)) {
      throw new RecordError('The message is not of a receiver.')
    }
    const partOf = (id: string, index: number): Promise<Uint8Array> =>
      part(partSubject(slug, receiver, id, index))
    for (const { head, body } of records) {
      const whole = head.parts ? await joined(head, partOf) : body
      try {
        found.push({
          delivery: this.#inspected(head, whole, slug, { receiver, position }),
          body: whole,
        })
      } catch {
        throw new RecordError('A record is damaged.')
      }
    }
    return found
  }

  #inspected(
    head: RecordHead,
    body: Uint8Array,
    slug: string,
    from: Pick<RelayedDelivery, 'receiver' | 'position'>,
  ): RelayedDelivery {
    const uid = Buffer.from(head.id.replaceAll('-', ''), 'hex')
    // A receiver writes only deliveries of its own endpoints, whatever path they have.
    const own = this.#paths.endpointOf(`/hooks/${slug}`)
    const endpoint = this.#paths.endpointOf(head.path) === own ? own : null
    const request = { ...head, body, nearPath: this.#paths.nearPath(head.path) }
    const { fallbackBrand } = this.#config
    return {
      ...inspect(request, endpoint, fallbackBrand),
      uid,
      ...from,
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
  part: (id: string, index: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { count, bytes, sha256 } = head.parts ?? { count: 0, bytes: 0, sha256: '' }
  const parts: Uint8Array[] = []
  let left = bytes
  for (let index = 0; index < count; index += 1) {
    const some = await part(head.id, index)
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
