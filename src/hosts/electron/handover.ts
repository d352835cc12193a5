/**
 * How the page gets its port. The page posts `PORT_WANTED` to its own window as soon as it listens; the preload passes
 * that on to main, main makes a channel, and its page end comes back as a `PORT_GIVEN` message on the window. A reload
 * asks again and gets a new port.
 */
export const PORT_WANTED = 'tabscope:ready'
export const PORT_GIVEN = 'tabscope:port'

/** Scheme and host of the interface. A scheme of our own has no access to files and is an origin like any other. */
export const APP_SCHEME = 'app'
export const APP_HOST = 'tabscope'
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/index.html`

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
