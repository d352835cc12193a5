import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Verdict } from '#contract/models.ts'

/** A secret as the check uses it. */
export interface NamedKey {
  /** "current", "previous" */
  readonly name: string
  readonly key: KeyObject
}

export function namedKey(name: string, secret: string): NamedKey {
  return { name, key: createSecretKey(secret, 'utf8') }
}

/** Hex HMAC-SHA256 of the raw body under the secret (SPEC, "Signature verification", step 2). */
export function sign(body: Uint8Array, key: KeyObject): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

export interface SignatureOutcome {
  readonly verdict: Verdict
  /** Which secret made it `valid`. */
  readonly secretName: string | null
  /** True when the value that matched was written with upper-case letters. */
  readonly upperCase: boolean
}

const hexDigest = /^[0-9a-fA-F]{64}$/

/**
 * Compares every received value with the body's signature under every key, in constant time. The bytes are those that came,
 * before any decoding: one change of encoding and no signature matches.
 */
export function verify(
  body: Uint8Array,
  received: readonly string[],
  keys: readonly NamedKey[],
): SignatureOutcome {
  if (keys.length === 0) return { verdict: 'unsigned', secretName: null, upperCase: false }
  if (received.length === 0) return { verdict: 'missing', secretName: null, upperCase: false }
  for (const { name, key } of keys) {
    const expected = Buffer.from(sign(body, key), 'hex')
    for (const value of received) {
      // Buffer.from(…, 'hex') stops at the first character that is no hex digit, so the shape is checked before.
      if (!hexDigest.test(value)) continue
      if (timingSafeEqual(expected, Buffer.from(value, 'hex'))) {
        return { verdict: 'valid', secretName: name, upperCase: value !== value.toLowerCase() }
      }
    }
  }
  return { verdict: 'invalid', secretName: null, upperCase: false }
}
