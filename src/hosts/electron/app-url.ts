/** A custom scheme has no access to files, and its pages have an origin like any other. */
export const APP_SCHEME = 'app'
export const APP_HOST = 'tabscope'
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/index.html`
export const LOGS_URL = `${APP_URL}#/logs`
export const TUNNEL_URL = `${APP_URL}#/setup/reach`

/** Compares the parsed URL, not a prefix: `app://tabscope.example` does not belong to the interface. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed !== null &&
    parsed.protocol === `${APP_SCHEME}:` &&
    parsed.host === APP_HOST &&
    parsed.username === '' &&
    parsed.password === ''
  )
}
