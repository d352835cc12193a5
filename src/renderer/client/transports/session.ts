import { toHex } from '#shared/bytes/text.ts'
import { isObject } from '#shared/json/object.ts'

const tokenKey = 'tabscope.token'
const channelName = 'tabscope.session'
/** How long other tabs have to share their session, in milliseconds. Later responses are still accepted. */
const shareTimeout = 500

export interface Credentials {
  /** Can be exchanged for the token once. */
  readonly ticket: string | null
  readonly token: string | null
}

/**
 * Returns the launch token or a ticket for it. Both are removed from the address bar, and the token is then kept in the tab's session storage,
 * so that it does not appear in the history, in screenshots or in copied addresses.
 */
export function readCredentials(page: Window): Credentials {
  const hash = new URLSearchParams(page.location.hash.slice(1))
  const [ticket, token] = [hash.get('ticket'), hash.get('token')]
  if (token !== null) storeToken(page, token)
  if (ticket !== null || token !== null) {
    page.history.replaceState(null, '', page.location.pathname + page.location.search)
  }
  return { ticket, token: token ?? page.sessionStorage.getItem(tokenKey) }
}

/** Whether the address has a token or a ticket. */
export function hasCredentials(page: Window): boolean {
  const hash = new URLSearchParams(page.location.hash.slice(1))
  return hash.has('ticket') || hash.has('token')
}

/** Stores the token for this tab alone, until it is closed. */
export function storeToken(page: Window, token: string): void {
  page.sessionStorage.setItem(tokenKey, token)
}

/** Exchanges a ticket for the token. Null if the ticket was already used or has expired. Rejects if the server does not respond. */
export async function exchangeTicket(
  page: Window,
  ticket: string,
  signal: AbortSignal,
): Promise<string | null> {
  const response = await fetch(new URL('/session', page.location.href), {
    method: 'POST',
    headers: { Authorization: `Bearer ${ticket}` },
    signal,
  })
  if (response.status === 401) return null
  return textAt(await response.json(), 'token')
}

/**
 * Whether the server has the token; does not send it, because another server on the same port may belong to another user. Rejects if
 * there is no response from Tabscope.
 */
export async function hasToken(page: Window, token: string, signal: AbortSignal): Promise<boolean> {
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const address = new URL(`/session/proof?nonce=${nonce}`, page.location.href)
  const response = await fetch(address, { method: 'POST', signal })
  const proof = textAt(await response.json(), 'proof')
  return proof === (await hmac(token, `tabscope-server:${page.location.host}:${nonce}`))
}

/** HMAC-SHA256 of `text` under `key`, as hex. */
async function hmac(key: string, text: string): Promise<string> {
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const
  const imported = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, [
    'sign',
  ])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8.encode(text)))
  return toHex(mac)
}

export interface SharedSession {
  /** Returns the token of another connected tab; null if none responds in time. */
  ask(): Promise<string | null>
  /** Tells other tabs that this tab is connected and can share its token. */
  announce(): void
  close(): void
}

/**
 * Shares the session among the tabs of this browser that have the same origin, port included. Nothing is stored: a token is sent only
 * by a tab that is connected, when another tab asks. `current`: the token to share, or null. `isWanted`: this tab has no session.
 * `received`: a tab has responded late, or has announced itself.
 */
export function shareSession(
  page: Window,
  current: () => string | null,
  isWanted: () => boolean,
  received: (token: string) => void,
): SharedSession {
  const channel = new BroadcastChannel(channelName)
  let onResponse: ((token: string) => void) | null = null
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const token = current()
    if (data === 'ask' && token !== null) channel.postMessage({ token })
    // A tab may connect while this one is still asking: it has not answered, so it is asked again.
    if (data === 'available' && (onResponse || isWanted())) channel.postMessage('ask')
    const given = isObject(data) ? data['token'] : null
    if (typeof given !== 'string') return
    if (onResponse) onResponse(given)
    else if (isWanted()) received(given)
  })
  return {
    ask: () =>
      new Promise((resolve) => {
        const end = (token: string | null): void => {
          onResponse = null
          page.clearTimeout(timer)
          resolve(token)
        }
        const timer = page.setTimeout(end, shareTimeout, null)
        onResponse = end
        channel.postMessage('ask')
      }),
    announce: () => channel.postMessage('available'),
    close: () => channel.close(),
  }
}

function textAt(value: unknown, name: string): string {
  const text = isObject(value) ? value[name] : null
  if (typeof text !== 'string') throw new Error(`The response has no ${name}.`)
  return text
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
