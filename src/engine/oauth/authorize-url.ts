import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RunFailureCode } from '#contract/authorization.ts'

/** What the authorization page's address is made of (SPEC, "Authorization endpoint"). */
export interface AuthorizeParts {
  readonly baseUrl: string
  readonly accessId: string
  readonly redirectUrl: string
  /** Null: `{state}` stands in its place, for people. */
  readonly state: string | null
}

/**
 * An address under the base URL, whether or not that has a path of its own or ends in slashes. Throws when the base URL is no URL; a
 * query or fragment of it is dropped.
 */
export function underBase(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl)
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`
  return url
}

/** `{base_url}/manager/oauth` with its four parameters, in the order of the document. Throws when the base URL is no URL. */
export function authorizeUrl({ baseUrl, accessId, redirectUrl, state }: AuthorizeParts): string {
  const query = [
    'response_type=code',
    `access_id=${encoded(accessId)}`,
    `redirect_url=${encoded(redirectUrl)}`,
    `state=${state === null ? '{state}' : encoded(state)}`,
  ]
  return `${underBase(baseUrl, '/manager/oauth').href}?${query.join('&')}`
}

/** `{base_url}/api/oauth/token`. Throws when the base URL is no URL. */
export function tokenUrl(baseUrl: string): URL {
  return underBase(baseUrl, '/api/oauth/token')
}

/** A space as `%20`: `+` means a space to forms alone. Half a surrogate pair, which no encoding can carry, is replaced. */
function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

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
    return { code: 'state_repeated', message: `The state was returned ${returned.length} times.` }
  }
  // A parameter without a value counts as left out (RFC 6749, section 3.1).
  if (state === undefined || state === '') {
    return { code: 'state_missing', message: 'No state was returned, although one was sent.' }
  }
  if (!sameState(expected, state)) {
    return { code: 'state_mismatch', message: 'The returned state does not match the one sent.' }
  }
  return null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
