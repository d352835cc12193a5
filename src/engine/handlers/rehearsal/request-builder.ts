import { toBytes } from '../../platform/byte-text.ts'
import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type {
  DeliverOptions,
  DesignedRequest,
  RequestBuilder,
  SignOptions,
} from '#catalogue/rehearsal/define.ts'
import { createDigits } from '../../sending/jobs/rewrite.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { SampleSource } from '#catalogue/define.ts'
import { headerName, userAgentPrefix } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Header } from '#contract/models.ts'
import type { RehearsalIdentity } from './messages.ts'

/** Of every generated UUID, so that its rows can be found and deleted. */
export const madeUpPrefix = '7ab5c0de'

/** Cases do not share a stream of random numbers, so that one that runs alone sends the same as in a complete run. */
export class CaseRequestBuilder implements RequestBuilder {
  readonly sample: SampleSource
  readonly #identity: RehearsalIdentity
  readonly #digits: (length: number) => string
  readonly #location: SampleSource['location']
  #created = 0

  /** `name` identifies the case and its repetition within the run. */
  constructor(identity: RehearsalIdentity, seed: number, name: string) {
    this.#identity = identity
    this.#digits = createDigits(`${seed}:${name}`)
    const locationDigits = createDigits(`${seed}:location`)(12)
    this.#location = {
      uuid: `${madeUpPrefix}-0000-4000-a000-${locationDigits}`,
      id: `rehearsal-${seed}`,
      name: 'Tabscope rehearsal',
    }
    this.sample = this.#newSample()
  }

  get brand(): string {
    return this.#identity.brand
  }

  get hasSecret(): boolean {
    return this.#identity.secret !== null
  }

  get previousSecret(): string | null {
    return this.#identity.previousSecret
  }

  get accessSecret(): string | null {
    return this.#identity.accessSecret
  }

  event(type = 'ORDER_PLACED', changes: Payload = {}): Payload {
    const source = this.#newSample()
    // Events of one case differ in their time, so that a handler that deduplicates by it sees several.
    this.#created += 1
    const { targetUuid, targetId, data }: Payload = eventTypeOf(type)?.sample(source) ?? {
      targetUuid: source.uuid(),
    }
    const { uuid, name, id } = this.#location
    return {
      type,
      targetUuid,
      targetId,
      locationUuid: uuid,
      locationName: name,
      locationId: id,
      createdAt: new Date(source.now.getTime() + this.#created).toISOString(),
      data: data ?? {},
      ...changes,
    }
  }

  deliver(payload: Payload | string, options: DeliverOptions = {}): DesignedRequest {
    const validBody = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
    const common = typeof payload === 'string' ? parse(payload) : payload
    const ownSignature = this.hasSecret ? this.sign(validBody) : null
    const body = options.body === undefined ? validBody : Buffer.from(options.body)
    const headers = this.#headers(common, body, this.#signatureOf(body, ownSignature, options))
    return {
      headers: changeHeaders(headers, this.brand, options),
      body,
      valid: { headers: this.#headers(common, validBody, ownSignature), body: validBody },
      ...(options.method === undefined ? {} : { method: options.method }),
      ...(options.query === undefined ? {} : { query: options.query }),
      ...(options.transmission === undefined ? {} : { transmission: options.transmission }),
      ...(options.keepAlive === undefined ? {} : { keepAlive: options.keepAlive }),
    }
  }

  sign(
    body: Uint8Array | string,
    { key, algorithm = 'hmac-sha256', encoding = 'hex' }: SignOptions = {},
  ): string {
    const { secret } = this.#identity
    if (secret === null) return ''
    if (algorithm === 'sha256') return createHash('sha256').update(body).digest(encoding)
    return createHmac(algorithm.slice('hmac-'.length), key ?? secret)
      .update(body)
      .digest(encoding)
  }

  randomHex(length: number): string {
    return this.#digits(length)
  }

  gzip(body: string): Uint8Array {
    return gzipSync(body)
  }

  /** The given signature, or a valid one, of the changed body if that is `signed`. Null: none. */
  #signatureOf(
    body: Uint8Array,
    own: string | null,
    { signature, signed }: DeliverOptions,
  ): string | null {
    if (signature !== undefined) return signature
    return signed && this.hasSecret ? this.sign(body) : own
  }

  #newSample(): SampleSource {
    const between = (from: number, to: number): number =>
      from + (Number.parseInt(this.#digits(8), 16) % (to - from + 1))
    return {
      now: new Date(),
      uuid: () => {
        const hex = this.#digits(23)
        return `${madeUpPrefix}-${hex.slice(0, 4)}-4${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`
      },
      between,
      pick: (from) => {
        const found = from[between(0, from.length - 1)]
        if (found === undefined) throw new RangeError('Cannot pick from an empty list.')
        return found
      },
      brand: this.brand,
      location: this.#location,
    }
  }

  #headers(payload: Payload, body: Uint8Array, signature: string | null): Header[] {
    const { brand, applicationId, customHeaders } = this.#identity
    const rows: [string, string | null][] = [
      ['User-Agent', `${userAgentPrefix(brand)}/1.0`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.byteLength)],
      [headerName(brand, 'event-type'), headerText(payload.type)],
      [headerName(brand, 'target-uuid'), headerText(payload.targetUuid)],
      [headerName(brand, 'target-id'), headerText(payload.targetId)],
      [headerName(brand, 'application-id'), applicationId],
      [headerName(brand, 'signature'), signature],
      ...customHeaders,
    ]
    return rows.flatMap(([name, value]): Header[] => (value === null ? [] : [[name, value]]))
  }
}

function changeHeaders(
  headers: readonly Header[],
  brand: string,
  { eventType, contentType, chunked, headers: change }: DeliverOptions,
): readonly Header[] {
  const changed = headers.map(([name, value]): Header => {
    if (eventType !== undefined && name === headerName(brand, 'event-type')) {
      return [name, eventType]
    }
    if (contentType !== undefined && name === 'Content-Type') return [name, contentType]
    return chunked && name === 'Content-Length' ? ['Transfer-Encoding', 'chunked'] : [name, value]
  })
  return change ? change(changed) : changed
}

function headerText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return toBytes(value)
}

function parse(text: string): Payload {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
