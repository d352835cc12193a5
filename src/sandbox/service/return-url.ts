import type { Authorization } from './authorize.ts'
import type { Fault } from './faults.ts'

/** What goes back to the client: a code, or the user's refusal. */
export type Verdict = { readonly code: string } | { readonly error: 'access_denied' }

export interface ReturnOptions {
  readonly faults: ReadonlySet<Fault>
  /** For the fault `wrong_state`. */
  readonly otherState: string
  /** For the fault `code_twice`. */
  readonly otherCode: string
}

/** The encoded value, with what no address may hold encoded as well. */
const safe = (raw: string) =>
  raw.replaceAll(/[^\u0021-\u007e]/g, (sign) => encodeURIComponent(sign))

/**
 * The redirect URL with `code`, or `error`, and with `state` if one was sent (SPEC, "Endpoints" 1). What it held before stays as it
 * was, to the byte. The faults of the redirect show here.
 */
export function returnUrl(
  { redirectUrl, rawState }: Authorization,
  verdict: Verdict,
  { faults, otherState, otherCode }: ReturnOptions,
): string {
  const pairs: string[] = []
  if ('error' in verdict) pairs.push(`error=${verdict.error}`)
  else if (faults.has('empty_code')) pairs.push('code=')
  else if (!faults.has('no_code')) pairs.push(`code=${encodeURIComponent(verdict.code)}`)
  if ('code' in verdict && faults.has('code_twice'))
    pairs.push(`code=${encodeURIComponent(otherCode)}`)

  const state = faults.has('wrong_state') ? otherState : rawState
  if (state !== null && !faults.has('no_state')) {
    pairs.push(`state=${safe(state)}`)
    if (faults.has('state_twice')) pairs.push(`state=${safe(state)}`)
  }
  const target = faults.has('wrong_path') ? elsewhere(redirectUrl) : redirectUrl
  if (pairs.length === 0) return target
  // A query that is there, even an empty one, is gone on with.
  const mark = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?'
  return target + mark + pairs.join('&')
}

function elsewhere(redirectUrl: string): string {
  const url = new URL(redirectUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/elsewhere`
  return url.href
}
