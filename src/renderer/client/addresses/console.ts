import { hasCredentials, isHttp, withScheme } from '#shared/text/address.ts'

/** The target of a request. `foreign`: its origin differs from that of the base URL, so the token must not be sent there. */
export type Target =
  | {
      readonly ok: true
      readonly url: string
      readonly origin: string
      readonly whole: boolean
      readonly foreign: boolean
    }
  | { readonly ok: false; readonly message: string }

const wholeAddress = /^[a-z][a-z0-9+.-]*:\/\//i

/** Whether the path is a complete URL that does not use the base URL. */
export function isWhole(path: string): boolean {
  return wholeAddress.test(withScheme(path))
}

/** The base URL as a prefix of `path`: `https://api.example/v1/`, without the slash if the path starts with one. */
export function prefixOf(baseUrl: string, path: string): string {
  const base = baseUrl.trim().replace(/(?<!\/)\/+$/, '')
  return /^[/?#]/.test(path.trim()) ? base : `${base}/`
}

/** Resolves `path` under `baseUrl`. Base URLs can have a path and a trailing slash. */
export function targetOf(baseUrl: string, path: string): Target {
  const written = path.trim()
  if (written === '') return { ok: false, message: 'Enter a path.' }
  const whole = isWhole(written)
  const base = URL.parse(baseUrl.trim())
  if (!whole && !base) return { ok: false, message: 'The integration has no base URL yet.' }
  const url = URL.parse(whole ? withScheme(written) : `${prefixOf(baseUrl, written)}${written}`)
  if (!url) return { ok: false, message: 'Enter a valid path or URL.' }
  if (!isHttp(url)) {
    return { ok: false, message: 'Enter an http or https URL.' }
  }
  if (hasCredentials(url.href)) {
    return {
      ok: false,
      message: 'Remove the user name and password from the URL, and send them as a header.',
    }
  }
  return {
    ok: true,
    url: url.href,
    origin: url.origin,
    whole,
    foreign: url.origin !== base?.origin,
  }
}

/** A URL without its origin, for lists where the origin is always the same. */
export function shortAddress(address: string): string {
  const url = URL.parse(address)
  return url ? address.slice(address.indexOf(url.host) + url.host.length) || '/' : address
}
