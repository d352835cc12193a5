import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Verdict } from '#contract/models.ts'

/** Bytes of a block of SHA-256 (RFC 6234, 5.1), and of its digest. */
const block = 64
const digest = 32
/** Up to this many bytes two one-shot hashes are faster than `createHmac`, which sets up its machinery for each message. */
const short = 16 * 1024

/** A secret with its two pads made once (RFC 2104, 2). */
export interface HmacKey {
  readonly secret: Buffer
  readonly inner: Buffer
  /** Room for the inner digest behind the pad. */
  readonly outer: Buffer
}

/** Takes the secret's bytes as they are. */
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

const scratch = Buffer.allocUnsafe(block + short)

/** Hex HMAC-SHA256 of the message (RFC 2104), 64 digits. */
export function hmac(message: Uint8Array, key: HmacKey): string {
  if (message.byteLength > short) {
    return createHmac('sha256', key.secret).update(message).digest('hex')
  }
  scratch.set(key.inner)
  scratch.set(message, block)
  const inner = hash('sha256', scratch.subarray(0, block + message.byteLength), 'hex')
  key.outer.write(inner, block, 'hex')
  return hash('sha256', key.outer, 'hex')
}

/** A secret as the check uses it. */
export interface NamedKey {
  /** "current", "previous" */
  readonly name: string
  readonly key: HmacKey
}

export function namedKey(name: string, secret: string): NamedKey {
  return { name, key: hmacKey(Buffer.from(secret, 'utf8')) }
}

/** Hex HMAC-SHA256 of the raw body under the secret (SPEC, "Signature verification", step 2). */
export function sign(body: Uint8Array, key: HmacKey): string {
  return hmac(body, key)
}

export interface SignatureOutcome {
  readonly verdict: Verdict
  /** Which secret made it `valid`. */
  readonly secretName: string | null
  /** True when the value that matched was written with upper-case letters. */
  readonly upperCase: boolean
}

/**
 * Compares every received value with the body's signature under every key, in constant time. The bytes are those that came,
 * before any decoding: one change of encoding and no signature matches.
 */
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
      // Buffer.from(…, 'hex') stops at the first character that is no hex digit: such a value is too short to compare.
      const candidate = Buffer.from(value, 'hex')
      if (value.length !== 64 || candidate.byteLength !== expected.byteLength) continue
      if (timingSafeEqual(expected, candidate)) {
        return { verdict: 'valid', secretName: name, upperCase: value !== value.toLowerCase() }
      }
    }
  }
  return { verdict: 'invalid', secretName: null, upperCase: false }
}
