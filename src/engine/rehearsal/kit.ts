import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type {
  DeliverOptions,
  DesignedRequest,
  RehearsalKit,
  SignOptions,
} from '#catalogue/rehearsal/define.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { SampleSource } from '#catalogue/define.ts'
import { headerName, userAgentPrefix } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Header } from '#contract/models.ts'
import type { RehearsalIdentity } from './messages.ts'

/** The start of every made-up UUID, so that its rows can be found and deleted. */
export const madeUpPrefix = '7ab5c0de'

/** A stream of pseudorandom hexadecimal digits that depends only on its name. */
function createDigits(name: string): (length: number) => string {
  let counter = 0
  let rest = ''
  return (length) => {
    while (rest.length < length) {
      rest += createHash('sha256').update(`${name}:${counter}`).digest('hex')
      counter += 1
    }
    const digits = rest.slice(0, length)
    rest = rest.slice(length)
    return digits
  }
}

/**
 * Creates what the requests of a case are made with. `name` identifies the case and its repetition within the run: cases do not share a stream of random
 * numbers, so that one that runs alone sends the same as in a complete run.
 */
export function createKit(identity: RehearsalIdentity, seed: number, name: string): RehearsalKit {
  const { brand, secret } = identity
  const digits = createDigits(`${seed}:${name}`)
  const uuid = (): string => {
    const hex = digits(23)
    return `${madeUpPrefix}-${hex.slice(0, 4)}-4${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`
  }
  const between = (from: number, to: number): number =>
    from + (Number.parseInt(digits(8), 16) % (to - from + 1))
  const locationDigits = createDigits(`${seed}:location`)(12)
  const location = {
    uuid: `${madeUpPrefix}-0000-4000-a000-${locationDigits}`,
    id: `rehearsal-${seed}`,
    name: 'Tabscope rehearsal',
  }
  let created = 0
  const sample = (): SampleSource => ({
    now: new Date(),
    uuid,
    between,
    pick: (from) => {
      const found = from[between(0, from.length - 1)]
      if (found === undefined) throw new RangeError('Cannot pick from an empty list.')
      return found
    },
    brand,
    location,
  })
  const sign = (
    body: Uint8Array | string,
    { key = secret ?? '', algorithm = 'hmac-sha256', encoding = 'hex' }: SignOptions = {},
  ): string => {
    if (secret === null) return ''
    if (algorithm === 'sha256') return createHash('sha256').update(body).digest(encoding)
    return createHmac(algorithm.slice('hmac-'.length), key).update(body).digest(encoding)
  }
  const event = (type = 'ORDER_PLACED', changes: Payload = {}): Payload => {
    const source = sample()
    // Events of one case differ in their time, so that a handler that deduplicates by it sees several.
    created += 1
    const { targetUuid, targetId, data }: Payload = eventTypeOf(type)?.sample(source) ?? {
      targetUuid: uuid(),
    }
    return {
      type,
      targetUuid,
      targetId,
      locationUuid: location.uuid,
      locationName: location.name,
      locationId: location.id,
      createdAt: new Date(source.now.getTime() + created).toISOString(),
      data: data ?? {},
      ...changes,
    }
  }
  const headersOf = (payload: Payload, body: Uint8Array, signature: string | null): Header[] => {
    const rows: [string, string | null][] = [
      ['User-Agent', `${userAgentPrefix(brand)}/1.0`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.byteLength)],
      [headerName(brand, 'event-type'), headerText(payload.type)],
      [headerName(brand, 'target-uuid'), headerText(payload.targetUuid)],
      [headerName(brand, 'target-id'), headerText(payload.targetId)],
      [headerName(brand, 'application-id'), identity.applicationId],
      [headerName(brand, 'signature'), signature],
      ...identity.customHeaders,
    ]
    return rows.flatMap(([name, value]): Header[] => (value === null ? [] : [[name, value]]))
  }
  const deliver = (payload: Payload | string, options: DeliverOptions = {}): DesignedRequest => {
    const validBody = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
    const common = typeof payload === 'string' ? parse(payload) : payload
    const own = secret === null ? null : sign(validBody)
    const valid = { headers: headersOf(common, validBody, own), body: validBody }
    const body = options.body === undefined ? validBody : Buffer.from(options.body)
    const signature =
      options.signature === undefined
        ? options.signed && secret !== null
          ? sign(body)
          : own
        : options.signature
    let headers: readonly Header[] = headersOf(common, body, signature)
    if (options.eventType !== undefined) {
      headers = replaceHeader(headers, headerName(brand, 'event-type'), options.eventType)
    }
    if (options.contentType !== undefined) {
      headers = replaceHeader(headers, 'Content-Type', options.contentType)
    }
    if (options.chunked) {
      headers = headers.map(([name, value]): Header =>
        name === 'Content-Length' ? ['Transfer-Encoding', 'chunked'] : [name, value],
      )
    }
    if (options.headers) headers = options.headers(headers)
    return {
      headers,
      body,
      valid,
      ...(options.method === undefined ? {} : { method: options.method }),
      ...(options.query === undefined ? {} : { query: options.query }),
      ...(options.transmission === undefined ? {} : { transmission: options.transmission }),
      ...(options.keepAlive === undefined ? {} : { keepAlive: options.keepAlive }),
    }
  }
  return {
    brand,
    hasSecret: secret !== null,
    previousSecret: identity.previousSecret,
    accessSecret: identity.accessSecret,
    sample: sample(),
    event,
    deliver,
    sign,
    randomHex: digits,
    gzip: (body) => gzipSync(body),
  }
}

/** The UTF-8 bytes of an identifier as Latin-1 text; null: no header. */
function headerText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return Buffer.from(value, 'utf8').toString('latin1')
}

function replaceHeader(headers: readonly Header[], name: string, value: string): Header[] {
  return headers.map(([each, old]): Header => (each === name ? [each, value] : [each, old]))
}

/** The common properties of a body, for its headers; none if it is not an object. */
function parse(text: string): Payload {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
