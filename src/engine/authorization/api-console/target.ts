import type { ApiParameter } from '#contract/api.ts'
import { withScheme, isHttp } from '#shared/text/address.ts'
import { faultOfAddress } from '../../platform/http/request-head.ts'
import { AppError } from '../../platform/errors.ts'

/** Null if the text is not an http or https URL. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, origin } = new URL(address)
  return isHttp({ protocol }) ? origin : null
}

/**
 * `path` under the base URL, or a full http or https URL, with the query added. A path is always appended to the base URL's origin and a slash, so that
 * nothing in it (`//host`, `@`, backslashes, `..`) can change the host. Throws `bad_input`.
 */
export function targetOf(baseUrl: string, path: string, query: readonly ApiParameter[]): URL {
  const address = withScheme(path)
  const url = /^https?:\/\//i.test(address) ? fullUrl(address) : underBase(baseUrl, path)
  url.hash = ''
  // Added as text, because `searchParams` would re-encode the query that the user wrote.
  const added = query
    .filter(({ on }) => on)
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  if (added.length > 0) url.search = [url.search.slice(1), ...added].filter(Boolean).join('&')
  return url
}

function fullUrl(address: string): URL {
  if (!URL.canParse(address)) {
    throw new AppError('bad_input', 'The path is not a valid URL. Check its host and port.', {
      details: { fields: ['path'] },
    })
  }
  const url = new URL(address)
  const fault = faultOfAddress(url)
  if (fault) throw new AppError('bad_input', fault, { details: { fields: ['path'] } })
  return url
}

function underBase(baseUrl: string, path: string): URL {
  const origin = originOf(baseUrl)
  if (origin === null) {
    throw new AppError(
      'bad_input',
      'The integration has no base URL yet. Enter it, or use a full URL that starts with http:// or https://.',
      { details: { fields: ['path'] } },
    )
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) || /^https?:/i.test(path)) {
    throw new AppError(
      'bad_input',
      'Enter a path under the base URL, or a full URL that starts with http:// or https://.',
      { details: { fields: ['path'] } },
    )
  }
  const base = new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')
  // A path with only a query is appended to the base URL itself.
  const below = /^[?#]/.test(path) && base !== '' ? path : `/${path.replace(/^\//, '')}`
  return new URL(`${origin}${base}${below}`)
}
