import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RunFailureCode } from '#contract/authorization.ts'

export interface AuthorizeParts {
  readonly baseUrl: string
  readonly accessId: string
  readonly redirectUrl: string
  /** Null: the placeholder `{state}`, for display. */
  readonly state: string | null
}

/** Appends a path to the base URL without its query, fragment and trailing slashes. Throws if the base URL is invalid. */
export function underBase(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl)
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`
  return url
}

/** `{base_url}/manager/oauth` with its four parameters in the documented order. Throws if the base URL is invalid. */
export function authorizeUrl({ baseUrl, accessId, redirectUrl, state }: AuthorizeParts): string {
  const query = [
    'response_type=code',
    `access_id=${encoded(accessId)}`,
    `redirect_url=${encoded(redirectUrl)}`,
    `state=${state === null ? '{state}' : encoded(state)}`,
  ]
  return `${underBase(baseUrl, '/manager/oauth').href}?${query.join('&')}`
}

export function tokenUrl(baseUrl: string): URL {
  return underBase(baseUrl, '/api/oauth/token')
}

/** Encodes a space as `%20`, since `+` means a space only in forms. Replaces lone surrogates, which cannot be encoded. */
function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

export type StateRefusal = Extract<RunFailureCode, 'state_missing' | 'state_mismatch'>

/** 256 random bits as base64url, 43 characters (RFC 6749, section 10.12). */
export function newState(random: (bytes: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url')
}

/** Compares digests in constant time, so that the duration reveals neither the position of the first difference nor a length. */
export function sameState(expected: string, returned: string): boolean {
  return timingSafeEqual(digest(expected), digest(returned))
}

/** Null if the redirect returned the state that was sent, exactly once. `message` is a sentence that contains no state. */
export function checkState(
  expected: string,
  returned: readonly string[],
): { code: StateRefusal; message: string } | null {
  const [state] = returned
  if (returned.length > 1) {
    return { code: 'state_mismatch', message: `The state was returned ${returned.length} times.` }
  }
  // A parameter without a value counts as omitted (RFC 6749, section 3.1).
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
