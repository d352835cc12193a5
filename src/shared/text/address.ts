export function isHttp({ protocol }: { protocol: string | undefined }): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** `127.0.0.1`, `[::1]` or `localhost` (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}

/** Usually without a TLS certificate. All repetitions are bounded. */
const localHost =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i

/**
 * Adds a missing scheme: `localhost:3000/hook` becomes `http://localhost:3000/hook`. Only for hosts on this computer and in private networks, because it
 * is unknown whether a public host supports https.
 */
export function withScheme(typed: string): string {
  const written = typed.trim()
  return localHost.test(written) ? `http://${written}` : written
}

/** As people type a target: like `withScheme`, and `:3000/hook` and `3000` are ports of this computer. */
export function targetAddress(typed: string): string {
  const written = typed.trim()
  if (/^\d{1,5}$/.test(written)) return `http://localhost:${written}`
  if (/^:\d{1,5}(?:[/?#]|$)/.test(written)) return `http://localhost${written}`
  return withScheme(written)
}

/** A user name or password before the host: it would be stored, shown and logged. Read as `URL` does, also without a scheme. */
export function hasCredentials(url: string): boolean {
  const written = url.replaceAll(/^[\0- ]+|[\t\n\r]/g, '').trim()
  return /^(?:(?:https?|wss?):[/\\]*[^/?#\\]+|(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?[^/?#]+)@/i.test(
    written,
  )
}

/** For reports: a query often contains a key. `http://host/path?…` */
export function withoutQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : `${url.slice(0, at)}?…`
}

/** The `Location` of a redirect; null: the response is none. */
export function redirectLocation({
  status,
  headers,
}: {
  status: number
  headers: readonly (readonly [name: string, value: string])[]
}): string | null {
  if (status < 300 || status >= 400) return null
  return headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null
}
