import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A fresh `state`: 256 random bits as base64url, 43 characters (RFC 6749, section 10.12). `random` gives so many random bytes. */
export function newState(random: (bytes: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url')
}

/**
 * Compares two states in constant time. Their digests are compared, so neither the place of the first difference nor a length shows in the
 * time it takes.
 */
export function sameState(expected: string, returned: string): boolean {
  return timingSafeEqual(digest(expected), digest(returned))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
