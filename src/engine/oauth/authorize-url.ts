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
