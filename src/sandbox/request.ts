import { createHash, createHmac } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { headerName, userAgentPrefix } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import { isHttp } from '#shared/text/address.ts'
import { SandboxError } from './errors.ts'
import { signWrong, type SignatureFault } from './sign-wrong.ts'

/** Where a delivery goes, and as whom it is sent. */
export interface Target {
  /** http or https, without a user name or password. */
  readonly url: string
  /** Null or empty: no signature header is sent. */
  readonly secret: string | null
  /** The word that stands for `Service` in header names and in the user agent. */
  readonly brand: string
  /** Empty: the sandbox's own. */
  readonly applicationId: string
  /** Custom headers of the dashboard, sent in addition, after the others. */
  readonly customHeaders: readonly (readonly [name: string, value: string])[]
  /** Set: the signature is wrong on purpose, in this way. */
  readonly signWrong?: SignatureFault
}

/** One request, ready to go out as it stands. */
export interface DeliveryRequest {
  readonly url: URL
  /** In the order in which they are sent. Values are Latin-1 text, one character a byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Hex SHA-256 of the body. */
  readonly sha256: string
}

/** The application that the sandbox is when the target names none. */
export const sandboxApplicationId = 'app-pier-9'

/** Headers that say where the message ends or how the connection goes on: the sender's own. */
const framing = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

/** The address as parsed. Throws `SandboxError` (`bad_target`). */
export function parseTargetUrl(address: string): URL {
  // Not named in any of these messages: what does not parse may hold a password too.
  if (!URL.canParse(address))
    throw new SandboxError(
      'bad_target',
      'This is no address. Use one like http://127.0.0.1:4780/hooks/main.',
    )
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    throw new SandboxError('bad_target', 'Leave user name and password out of the address.')
  if (!isHttp(url))
    throw new SandboxError('bad_target', 'Use an address that begins with http:// or https://.')
  return url
}

/** Latin-1 text whose bytes are the UTF-8 of the value; undefined when there is nothing to send. */
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
    throw new SandboxError('bad_target', `The header “${name}” cannot be sent as it is.`, { cause })
  }
}

function signature(body: Buffer, secret: string, wrong: SignatureFault | undefined): string {
  if (wrong !== undefined) return signWrong(wrong, body, secret)
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * The request for one payload: the body's bytes, and the headers of SPEC, "Delivery headers", in a fixed order.
 * The signature is the hex HMAC-SHA256 of exactly these bytes, unless it is to be wrong. Throws `SandboxError` (`bad_target`).
 */
export function compose(target: Target, payload: Payload): DeliveryRequest {
  const url = parseTargetUrl(target.url)
  const { brand, secret } = target
  const body = Buffer.from(JSON.stringify(payload), 'utf8')
  const delivery: [string, string | undefined][] = [
    ['Host', url.host],
    ['User-Agent', `${userAgentPrefix(brand)}/1.0`],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
    [headerName(brand, 'event-type'), identifier(payload.type)],
    [headerName(brand, 'target-uuid'), identifier(payload.targetUuid)],
    [headerName(brand, 'target-id'), identifier(payload.targetId)],
    [headerName(brand, 'application-id'), target.applicationId || sandboxApplicationId],
    [
      headerName(brand, 'signature'),
      secret ? signature(body, secret, target.signWrong) : undefined,
    ],
  ]
  const headers: [string, string][] = []
  for (const [name, value] of delivery) if (value !== undefined) headers.push([name, value])
  for (const [name, value] of target.customHeaders) {
    if (framing.has(name.toLowerCase()))
      throw new SandboxError('bad_target', `The header “${name}” is set by the sender itself.`)
    headers.push([name, value])
  }
  for (const [name, value] of headers) checkHeader(name, value)
  return { url, headers, body, sha256: createHash('sha256').update(body).digest('hex') }
}
