import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Verdict, Delivery, SignatureReport } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'

/** SHA-256 block and digest (RFC 6234, 5.1), in bytes. */
const block = 64
const digest = 32
/** Up to this size, two one-shot hashes are faster than `createHmac`, which has a setup cost per message. */
const shortMessage = 16 * 1024

/** Has the two precomputed pads (RFC 2104, 2). */
export interface HmacKey {
  readonly secret: Buffer
  readonly inner: Buffer
  readonly outer: Buffer
}

export function hmacKey(secret: Uint8Array): HmacKey {
  const bytes = Buffer.from(secret)
  const padded = Buffer.alloc(block)
  if (bytes.byteLength > block) padded.write(hash('sha256', bytes, 'hex'), 'hex')
  else bytes.copy(padded)
  const outer = Buffer.alloc(block + digest)
  outer.set(padded.map((byte) => byte ^ 0x5c))
  const inner = Buffer.from(padded.map((byte) => byte ^ 0x36))
  return { secret: bytes, inner, outer }
}

const scratch = Buffer.allocUnsafe(block + shortMessage)

/** HMAC-SHA256 (RFC 2104) as 64 hex digits. */
export function hmac(message: Uint8Array, key: HmacKey): string {
  if (message.byteLength > shortMessage) {
    return createHmac('sha256', key.secret).update(message).digest('hex')
  }
  scratch.set(key.inner)
  scratch.set(message, block)
  const inner = hash('sha256', scratch.subarray(0, block + message.byteLength), 'hex')
  key.outer.write(inner, block, 'hex')
  return hash('sha256', key.outer, 'hex')
}

export interface NamedKey {
  /** "current", "previous" */
  readonly name: string
  readonly key: HmacKey
}

export function namedKey(name: string, secret: string): NamedKey {
  return { name, key: hmacKey(Buffer.from(secret, 'utf8')) }
}

/** Of the raw body (API documentation, "Signature verification", step 2). */
export function sign(body: Uint8Array, key: HmacKey): string {
  return hmac(body, key)
}

/** Some proxies join the lines of a repeated header with commas (RFC 9110, section 5.3). */
export function signatureValues(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    const items = value.split(',').map((item) => item.trim())
    const isList = items.length > 1 && items.every((item) => /^[0-9a-f]{64}$/i.test(item))
    return isList ? items : value
  })
}

export interface SignatureOutcome {
  readonly verdict: Verdict
  readonly secretName: string | null
  /** The matching value has upper-case letters. */
  readonly upperCase: boolean
}

/** Compares in constant time. `body` must be the received bytes before any decoding: after a change of encoding no signature matches. */
export function verify(
  body: Uint8Array,
  received: readonly string[],
  keys: readonly NamedKey[],
): SignatureOutcome {
  if (keys.length === 0) {
    const verdict = received.length === 0 ? 'unsigned' : 'unchecked'
    return { verdict, secretName: null, upperCase: false }
  }
  if (received.length === 0) return { verdict: 'missing', secretName: null, upperCase: false }
  for (const { name, key } of keys) {
    const expected = Buffer.from(sign(body, key), 'hex')
    for (const value of received) {
      // Buffer.from(…, 'hex') stops at the first character that is not a hex digit, so the length shows an invalid value.
      const candidate = Buffer.from(value, 'hex')
      if (value.length !== 64 || candidate.byteLength !== expected.byteLength) continue
      if (timingSafeEqual(expected, candidate)) {
        return { verdict: 'valid', secretName: name, upperCase: value !== value.toLowerCase() }
      }
    }
  }
  return { verdict: 'invalid', secretName: null, upperCase: false }
}

type Received = Pick<Delivery, 'brand' | 'headers'>

/** The brand in the name of the signature header: that at arrival, or `current`, the one of the integration, if it was corrected since. */
export function signingBrand({ brand, headers }: Received, current: string | undefined): string {
  const isReceived = (each: string): boolean => valuesOf(headers, each).length > 0
  return current !== undefined && !isReceived(brand) && isReceived(current) ? current : brand
}

export function signaturesOf(
  { brand, headers }: Received,
  currentBrand?: string,
): Pick<SignatureReport, 'headerName' | 'received'> {
  const signing = signingBrand({ brand, headers }, currentBrand)
  return { headerName: headerName(signing, 'signature'), received: valuesOf(headers, signing) }
}

function valuesOf(headers: Received['headers'], brand: string): string[] {
  const name = headerName(brand, 'signature').toLowerCase()
  const own = headers.filter(([header]) => header.toLowerCase() === name)
  return signatureValues(own.map(([, value]) => value))
}
