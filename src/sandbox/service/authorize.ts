import type { ServiceContext } from './context.ts'

export interface Authorization {
  readonly redirectUrl: string
  /** The value from the query, still encoded, so that it is returned exactly; null: no state was sent. */
  readonly rawState: string | null
}

export interface Problem {
  readonly parameter: 'response_type' | 'access_id' | 'redirect_url' | 'state'
  readonly message: string
  readonly given: string | null
  readonly expected: readonly string[]
}

/** API documentation, "Endpoints" 1. */
export type RegisteredClient = Pick<ServiceContext, 'accessId' | 'redirectUrls'>

/** Returns all problems of an invalid request. Parameters that the API documentation does not name are ignored. */
export function readAuthorization(
  rawQuery: string,
  client: RegisteredClient,
): Authorization | { problems: readonly Problem[] } {
  const query = new URLSearchParams(rawQuery)
  const problems: Problem[] = []
  const single = (parameter: Problem['parameter']): string | null => {
    const [first = null, ...more] = query.getAll(parameter)
    if (more.length > 0)
      problems.push({
        parameter,
        message: `Send “${parameter}” once.`,
        given: [first, ...more].join(', '),
        expected: [],
      })
    return first
  }

  const type = single('response_type')
  if (type !== 'code')
    problems.push({
      parameter: 'response_type',
      message: 'Send “response_type” with the value “code”.',
      given: type,
      expected: ['code'],
    })
  const accessId = single('access_id')
  if (accessId !== client.accessId)
    problems.push({
      parameter: 'access_id',
      message: 'Send the access ID of the integration as “access_id”.',
      given: accessId,
      expected: [client.accessId],
    })
  const redirectUrl = single('redirect_url')
  if (redirectUrl === null || !client.redirectUrls.includes(redirectUrl))
    problems.push({
      parameter: 'redirect_url',
      message: redirectUrlMessage(client.redirectUrls),
      given: redirectUrl,
      expected: client.redirectUrls,
    })
  single('state')
  if (problems.length > 0 || redirectUrl === null) return { problems }
  return { redirectUrl, rawState: rawValue(rawQuery, 'state') }
}

function redirectUrlMessage(configured: readonly string[]): string {
  if (configured.length === 0) return 'No redirect URL is configured.'
  return 'Send a “redirect_url” that exactly matches a configured redirect URL.'
}

function rawValue(rawQuery: string, name: string): string | null {
  for (const pair of rawQuery.split('&')) {
    const at = pair.indexOf('=')
    const key = at === -1 ? pair : pair.slice(0, at)
    if (new URLSearchParams(`${key}=`).has(name)) return at === -1 ? '' : pair.slice(at + 1)
  }
  return null
}
