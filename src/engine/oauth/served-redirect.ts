import { isLoopback } from './redirect.ts'

/** True when a listener of ours can take the user back: http on this machine (RFC 8252, section 7.3). */
export function canBeServed(redirectUrl: string): boolean {
  const url = URL.parse(redirectUrl)
  return url?.protocol === 'http:' && isLoopback(url.hostname) && url.port !== '0'
}
