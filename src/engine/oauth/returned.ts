import type { RunFailureCode } from '#contract/authorization.ts'
import { checkState, type StateRefusal } from './authorize-url.ts'

/** The parameters of the way back, as they came: every value of each. */
export interface ReturnedParameters {
  readonly states: readonly string[]
  readonly codes: readonly string[]
  readonly errors: readonly string[]
  readonly errorDescription: string | null
  readonly errorUri: string | null
}

type Refusal =
  | StateRefusal
  | Extract<
      RunFailureCode,
      'access_denied' | 'authorization_error' | 'code_missing' | 'code_empty' | 'code_repeated'
    >

export type ReturnOutcome =
  | { readonly ok: true; readonly code: string }
  | {
      readonly ok: false
      readonly refusal: Refusal
      /** What stands in the way, as a sentence. No code is in it. */
      readonly message: string
      /** Where the check ended: nothing after it was looked at. */
      readonly at: 'state' | 'error' | 'code'
    }

function refuse(at: 'state' | 'error' | 'code', refusal: Refusal, message: string): ReturnOutcome {
  return { ok: false, refusal, message, at }
}

export function returnedParameters(address: string): ReturnedParameters {
  const query = URL.parse(address)?.searchParams ?? new URLSearchParams()
  return {
    states: query.getAll('state'),
    codes: query.getAll('code'),
    errors: query.getAll('error'),
    errorDescription: query.get('error_description'),
    errorUri: query.get('error_uri'),
  }
}

/**
 * Reads an address that is ours: the state first, then errors, then exactly one non-empty code (SPEC, "Authorization endpoint"; RFC 6749, sections
 * 4.1.2 and 10.12). Fails closed: what is not plainly right is refused.
 */
export function readReturn(address: string, expectedState: string): ReturnOutcome {
  const { states, codes, errors, errorDescription } = returnedParameters(address)
  const stateRefusal = checkState(expectedState, states)
  if (stateRefusal) return refuse('state', stateRefusal.code, stateRefusal.message)

  const named = errors.filter((error) => error !== '')
  if (named.length > 0) {
    const told = errorDescription ? `: ${errorDescription.slice(0, 500)}` : '.'
    return named.length === 1 && named[0] === 'access_denied'
      ? refuse('error', 'access_denied', `The request was not approved${told}`)
      : refuse(
          'error',
          'authorization_error',
          `The service returned the error ${named.map((error) => `"${error.slice(0, 200)}"`).join(', ')}${told}`,
        )
  }

  const [code] = codes
  if (code === undefined) {
    return refuse('code', 'code_missing', 'Neither a code nor an error was returned.')
  }
  if (codes.length > 1) {
    return refuse('code', 'code_repeated', `The code was returned ${codes.length} times.`)
  }
  if (code.trim() === '') return refuse('code', 'code_empty', 'The returned code is empty.')
  return { ok: true, code }
}
