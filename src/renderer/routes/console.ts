import { withScheme } from '#contract/http.ts'
import { isHttp } from '#shared/text/address.ts'

/** Where a request goes. `foreign`: to another origin than the base URL's, where its token does not belong. */
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

/** Whether the path is a whole address, which stands for itself and not under the base URL. */
export function isWhole(path: string): boolean {
  return wholeAddress.test(withScheme(path))
}

/** The base URL as `path` goes on from it: `https://api.example/v1/`, without the slash where the path brings its own. */
export function prefixOf(baseUrl: string, path: string): string {
  const base = baseUrl.trim().replace(/(?<!\/)\/+$/, '')
  return /^[/?#]/.test(path.trim()) ? base : `${base}/`
}

/** The address that `path` comes to under `baseUrl`; base URLs with a path and with a trailing slash work alike. */
export function targetOf(baseUrl: string, path: string): Target {
  const written = path.trim()
  if (written === '') return { ok: false, message: 'Enter a path.' }
  const whole = isWhole(written)
  const base = URL.parse(baseUrl.trim())
  if (!whole && !base) return { ok: false, message: 'The integration has no base URL yet.' }
  const url = URL.parse(whole ? withScheme(written) : `${prefixOf(baseUrl, written)}${written}`)
  if (!url) return { ok: false, message: 'This is not an address.' }
  if (!isHttp(url)) {
    return { ok: false, message: 'Only http and https addresses can be called.' }
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, message: 'Take the user name and password out, and send them as a header.' }
  }
  return {
    ok: true,
    url: url.href,
    origin: url.origin,
    whole,
    foreign: url.origin !== base?.origin,
  }
}

/** An address without its origin, for a list where that is always the same. */
export function shortAddress(address: string): string {
  const url = URL.parse(address)
  return url ? address.slice(address.indexOf(url.host) + url.host.length) || '/' : address
}
