import { isLoopback } from '#shared/text/address.ts'
import { SandboxError } from '../errors.ts'

const maxUrls = 50
const maxLength = 2000

/**
 * That a redirect URL must be http or https without a fragment is a rule of the sandbox: the API documentation names no rule. URLs are stored exactly as
 * given. Throws `SandboxError` (`bad_redirect_url`, `too_many`).
 */
export function checkRedirectUrls(urls: readonly string[]): readonly string[] {
  if (urls.length > maxUrls)
    throw new SandboxError(
      'too_many',
      `The sandbox stores at most ${maxUrls} redirect URLs. Remove one first.`,
    )
  for (const url of urls) {
    const problem = validate(url)
    if (problem !== null) throw new SandboxError('bad_redirect_url', problem)
  }
  return [...new Set(urls)]
}

function validate(text: string): string | null {
  if (text === '') return 'Enter a redirect URL.'
  if (text.length > maxLength) return `Use a redirect URL of at most ${maxLength} characters.`
  if (!/^[\u0021-\u007e]+$/.test(text))
    return 'Percent-encode spaces and non-ASCII characters in the redirect URL.'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return 'Use a redirect URL like http://127.0.0.1:5000/callback or https://example.com/callback.'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '')
    return 'Remove the user name and password from the redirect URL.'
  if (text.includes('#')) return 'Remove the fragment (#…) from the redirect URL.'
  return null
}

const withoutSlash = (path: string) => path.replace(/(?<!\/)\/+$/, '')

/** Describes a common mistake; null for any other difference. */
export function describeDifference(given: string, configured: string): string | null {
  if (!URL.canParse(given)) return null
  const a = new URL(given)
  const b = new URL(configured)
  if (a.host + a.pathname + a.search === b.host + b.pathname + b.search) {
    if (a.protocol !== b.protocol)
      return `It begins with ${a.protocol}// instead of ${b.protocol}//.`
    if (a.hash !== b.hash) return 'It has a fragment.'
    // Differences that the URL parser normalizes: letter case of the host, the default port, a slash after the host.
    return 'The spelling differs: compare letter case, port and trailing slash.'
  }
  if (a.origin === b.origin) {
    if (withoutSlash(a.pathname) === withoutSlash(b.pathname) && a.search === b.search)
      return 'The trailing slash differs.'
    if (a.pathname.toLowerCase() === b.pathname.toLowerCase() && a.search === b.search)
      return 'The letter case of the path differs.'
    if (a.pathname === b.pathname) return 'The query differs.'
    return null
  }
  if (a.pathname !== b.pathname) return null
  if (a.hostname === b.hostname && a.protocol === b.protocol) return 'The port differs.'
  if (isLoopback(a.hostname) && isLoopback(b.hostname) && a.port === b.port)
    return `The host is ${a.hostname} instead of ${b.hostname}.`
  return null
}
