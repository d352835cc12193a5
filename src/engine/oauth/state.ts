import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RunFailureCode } from '#contract/authorization.ts'

export type StateRefusal = Extract<
  RunFailureCode,
  'state_missing' | 'state_mismatch' | 'state_repeated'
>

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

/**
 * Whether the states that came back are the one that was sent, exactly once; null when they are. `message` is a sentence in which none of them stands.
 */
export function checkState(
  expected: string,
  returned: readonly string[],
): { readonly code: StateRefusal; readonly message: string } | null {
  const [state] = returned
  if (returned.length > 1) {
    return { code: 'state_repeated', message: `The state came back ${returned.length} times.` }
  }
  // A parameter without a value counts as left out (RFC 6749, section 3.1).
  if (state === undefined || state === '') {
    return { code: 'state_missing', message: 'No state came back, though one was sent.' }
  }
  if (!sameState(expected, state)) {
    return { code: 'state_mismatch', message: 'The state that came back is not the one sent.' }
  }
  return null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
