import { timingSafeEqual } from 'node:crypto'
import type { Verdict } from '#contract/models.ts'
import { hmac, hmacKey, type HmacKey } from './hmac.ts'

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
