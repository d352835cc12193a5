import { isLoopback } from '#shared/text/address.ts'
import { SandboxError } from '../errors.ts'

/** Redirect URLs that the dashboard keeps at most. */
const mostUrls = 50
/** Characters of one. */
const longest = 2000

/**
 * Checks what is entered on the dashboard; it is kept as it stands, to the byte. That a redirect URL is http or https, without a
 * fragment, is the sandbox's own rule: the document names none. Throws `SandboxError` (`bad_redirect_url`, `too_many`).
 */
export function checkRedirectUrls(urls: readonly string[]): readonly string[] {
  if (urls.length > mostUrls)
    throw new SandboxError('too_many', `The sandbox keeps ${mostUrls} redirect URLs. Remove one.`)
  for (const url of urls) {
    const wrong = wrongWith(url)
    if (wrong !== null) throw new SandboxError('bad_redirect_url', wrong)
  }
  return [...new Set(urls)]
}

function wrongWith(text: string): string | null {
  if (text === '') return 'Enter a redirect URL.'
  if (text.length > longest) return `Use a redirect URL of at most ${longest} characters.`
  if (!/^[\u0021-\u007e]+$/.test(text))
    return 'Write spaces and characters beyond ASCII percent-encoded in a redirect URL.'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return 'Use a redirect URL like http://127.0.0.1:5000/callback or https://example.com/callback.'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '')
    return 'Leave user name and password out of a redirect URL.'
  if (text.includes('#')) return 'Leave the fragment (#…) out of a redirect URL.'
  return null
}

const withoutSlash = (path: string) => path.replace(/(?<!\/)\/+$/, '')

/**
 * How a redirect URL differs from one that is configured, where it is one of the usual slips; null when it is something else.
 */
export function slipBetween(given: string, configured: string): string | null {
  if (!URL.canParse(given)) return null
  const a = new URL(given)
  const b = new URL(configured)
  if (a.host + a.pathname + a.search === b.host + b.pathname + b.search) {
    if (a.protocol !== b.protocol) return `It begins with ${a.protocol}// and not ${b.protocol}//.`
    if (a.hash !== b.hash) return 'It has a fragment.'
    // What the parser makes equal: letter case of the host, a port that is the usual one, a slash after the host.
    return 'It is written in another way: compare letter case, port and the slash at the end.'
  }
  if (a.origin === b.origin) {
    if (withoutSlash(a.pathname) === withoutSlash(b.pathname) && a.search === b.search)
      return 'The slash at the end differs.'
    if (a.pathname.toLowerCase() === b.pathname.toLowerCase() && a.search === b.search)
      return 'Upper and lower case of the path differ.'
    if (a.pathname === b.pathname) return 'The query differs.'
    return null
  }
  if (a.pathname !== b.pathname) return null
  if (a.hostname === b.hostname && a.protocol === b.protocol) return 'The port differs.'
  if (isLoopback(a.hostname) && isLoopback(b.hostname) && a.port === b.port)
    return `The host is ${a.hostname} and not ${b.hostname}.`
  return null
}
