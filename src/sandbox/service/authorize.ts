import type { Desk } from './desk.ts'
import { slipBetween } from './redirect-urls.ts'

/** An authorization request that is right, as it waits for the user's word. */
export interface Authorization {
  readonly redirectUrl: string
  /** As it stood in the query, still encoded, so that it goes back to the byte; null: none was sent. */
  readonly rawState: string | null
}

/** One thing that is wrong with an authorization request. */
export interface Mistake {
  readonly parameter: 'response_type' | 'access_id' | 'redirect_url' | 'state'
  /** A sentence that says what to do. */
  readonly message: string
  /** What was sent; null: nothing. */
  readonly given: string | null
  /** What would have been right; empty: nothing in particular. */
  readonly expected: readonly string[]
}

/** What a query must fit (SPEC, "Endpoints" 1). */
export type Known = Pick<Desk, 'accessId' | 'redirectUrls'>

/** The request in a query, or all that is wrong with it. Parameters that the document does not name are let be. */
export function readAuthorization(
  rawQuery: string,
  known: Known,
): Authorization | { readonly mistakes: readonly Mistake[] } {
  const query = new URLSearchParams(rawQuery)
  const mistakes: Mistake[] = []
  const single = (parameter: Mistake['parameter']): string | null => {
    const [first = null, ...more] = query.getAll(parameter)
    if (more.length > 0)
      mistakes.push({
        parameter,
        message: `Send “${parameter}” once.`,
        given: [first, ...more].join(', '),
        expected: [],
      })
    return first
  }

  const type = single('response_type')
  if (type !== 'code')
    mistakes.push({
      parameter: 'response_type',
      message: 'Send “response_type” with the value “code”.',
      given: type,
      expected: ['code'],
    })
  const accessId = single('access_id')
  if (accessId !== known.accessId)
    mistakes.push({
      parameter: 'access_id',
      message: 'Send the access id of the integration as “access_id”.',
      given: accessId,
      expected: [known.accessId],
    })
  const redirectUrl = single('redirect_url')
  if (redirectUrl === null || !known.redirectUrls.includes(redirectUrl))
    mistakes.push({
      parameter: 'redirect_url',
      message: redirectUrlMessage(redirectUrl, known.redirectUrls),
      given: redirectUrl,
      expected: known.redirectUrls,
    })
  single('state')
  if (mistakes.length > 0 || redirectUrl === null) return { mistakes }
  return { redirectUrl, rawState: rawValue(rawQuery, 'state') }
}

function redirectUrlMessage(given: string | null, configured: readonly string[]): string {
  if (configured.length === 0) return 'Enter a redirect URL on the dashboard first: it has none.'
  const must = 'Send a “redirect_url” that exactly equals one on the dashboard.'
  if (given === null) return must
  const slip = configured.map((url) => slipBetween(given, url)).find((found) => found !== null)
  return slip === undefined ? must : `${must} ${slip}`
}

/** The value of a parameter as it stands in the query, still encoded. */
function rawValue(rawQuery: string, name: string): string | null {
  for (const pair of rawQuery.split('&')) {
    const at = pair.indexOf('=')
    const key = at === -1 ? pair : pair.slice(0, at)
    if (new URLSearchParams(`${key}=`).has(name)) return at === -1 ? '' : pair.slice(at + 1)
  }
  return null
}
