import { createHash, createHmac } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { headerName, userAgentPrefix } from '#catalogue/headers.ts'
import { field, type Payload } from '#catalogue/payload.ts'
import { parseJson } from '#shared/json/object.ts'
import { hasCredentials, isHttp, targetAddress } from '#shared/text/address.ts'
import { SandboxError } from './errors.ts'
import { JsonEditError, editJson, parseJsonEdit } from '#shared/json/edit.ts'

type Sign = (body: string, secret: string) => string

const hexHmac = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

const signatureFaults = {
  base64: (body, secret) => createHmac('sha256', secret).update(body).digest('base64'),
  prefix: (body, secret) => `sha256=${hexHmac(body, secret)}`,
  pretty: (body, secret) => hexHmac(JSON.stringify(JSON.parse(body), null, 2), secret),
  'line-break': (body, secret) => hexHmac(`${body}\n`, secret),
  'secret-line-break': (body, secret) => hexHmac(body, `${secret}\n`),
  'other-secret': (body, secret) => hexHmac(body, `not ${secret}`),
  sha1: (body, secret) => createHmac('sha1', secret).update(body).digest('hex'),
  plain: (body) => createHash('sha256').update(body).digest('hex'),
} as const satisfies Record<string, Sign>

export type SignatureFault = keyof typeof signatureFaults

function faultySignature(fault: SignatureFault, body: Uint8Array, secret: string): string {
  const sign: Sign = signatureFaults[fault]
  return sign(Buffer.from(body).toString('utf8'), secret)
}

export interface Target {
  /** http or https, without a user name or password. */
  readonly url: string
  /** Null or empty: no signature header is sent. */
  readonly secret: string | null
  /** Replaces `Service` in header names and in the user agent. */
  readonly brand: string
  /** Empty: the application ID of the sandbox. */
  readonly applicationId: string
  readonly customHeaders: readonly (readonly [name: string, value: string])[]
  /** The signature is intentionally wrong in this way. */
  readonly signWrong?: SignatureFault
}

export interface DeliveryRequest {
  readonly url: URL
  /** In the order in which they are sent. Values are Latin-1, one character per byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly sha256: string
}

/** Sent when the target has none. */
export const sandboxApplicationId = 'app-pier-9'

const framingHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

/** Throws `SandboxError` (`bad_target`). */
export function parseTargetUrl(address: string): URL {
  // The messages do not contain the address, because text that cannot be parsed may contain a password too.
  const text = targetAddress(address)
  if (!URL.canParse(text))
    throw new SandboxError(
      'bad_target',
      'This is not a valid URL. Use one like http://127.0.0.1:4780/hooks/main.',
    )
  const url = new URL(text)
  if (!isHttp(url))
    throw new SandboxError('bad_target', 'Use a URL that begins with http:// or https://.')
  if (hasCredentials(url.href))
    throw new SandboxError('bad_target', 'Remove the user name and password from the URL.')
  return url
}

/** Latin-1 text whose bytes are the UTF-8 bytes of the value. Undefined when there is no value to send. */
function identifier(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== ''
    ? Buffer.from(value, 'utf8').toString('latin1')
    : undefined
}

function checkHeader(name: string, value: string) {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch (cause) {
    throw new SandboxError('bad_target', `The header “${name}” has an invalid name or value.`, {
      cause,
    })
  }
}

function signature(body: Buffer, secret: string, wrong: SignatureFault | undefined): string {
  if (wrong !== undefined) return faultySignature(wrong, body, secret)
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * The headers are those of "Delivery headers" in the API documentation, in a fixed order. The signature is the hex HMAC-SHA256 of exactly the bytes of
 * the body, unless a wrong one is requested. Throws `SandboxError` (`bad_target`, `bad_set`).
 */
export function compose(
  target: Target,
  payload: Payload,
  overrides: readonly string[] = [],
): DeliveryRequest {
  const url = parseTargetUrl(target.url)
  const { brand, secret } = target
  const body = bodyWith(payload, overrides)
  const sent = parseJson(body.toString('utf8'))
  const delivery: [string, string | undefined][] = [
    ['Host', url.host],
    ['User-Agent', `${userAgentPrefix(brand)}/1.0`],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
    [headerName(brand, 'event-type'), identifier(field(sent, 'type'))],
    [headerName(brand, 'target-uuid'), identifier(field(sent, 'targetUuid'))],
    [headerName(brand, 'target-id'), identifier(field(sent, 'targetId'))],
    [headerName(brand, 'application-id'), target.applicationId || sandboxApplicationId],
    [
      headerName(brand, 'signature'),
      secret ? signature(body, secret, target.signWrong) : undefined,
    ],
  ]
  const headers: [string, string][] = []
  for (const [name, value] of delivery) if (value !== undefined) headers.push([name, value])
  for (const [name, value] of target.customHeaders) {
    if (framingHeaders.has(name.toLowerCase()))
      throw new SandboxError('bad_target', `The header “${name}” is set automatically. Remove it.`)
    headers.push([name, value])
  }
  for (const [name, value] of headers) checkHeader(name, value)
  return { url, headers, body, sha256: createHash('sha256').update(body).digest('hex') }
}

/** Returns the body with each `path=value` applied, as `editJson` does. Throws `SandboxError` (`bad_set`). */
export function bodyWith(payload: Payload, overrides: readonly string[]): Buffer {
  try {
    const edits = overrides.map(parseJsonEdit)
    return Buffer.from(editJson(JSON.stringify(payload), edits))
  } catch (error) {
    if (error instanceof JsonEditError) throw new SandboxError('bad_set', error.message)
    throw error
  }
}
