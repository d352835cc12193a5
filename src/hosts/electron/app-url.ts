/** Scheme and host of the interface. A scheme of our own has no access to files and is an origin like any other. */
export const APP_SCHEME = 'app'
export const APP_HOST = 'tabscope'
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/index.html`
/** The page of the event logs. */
export const LOGS_URL = `${APP_URL}#/logs`
export const TUNNEL_URL = `${APP_URL}#/tunnel`

/**
 * Whether `url` belongs to the interface. Parsed, not matched by its beginning: `app://tabscope.example` is not ours.
 */
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
