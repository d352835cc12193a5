import { decode, encode } from '@msgpack/msgpack'
import type { Transport } from '../transport.ts'
import { hostFrame } from '../transport.ts'

const tokenKey = 'tabscope.token'
const firstRetry = 200
const longestRetry = 5000

interface Credentials {
  /** To be exchanged for the token, once. */
  readonly ticket: string | null
  readonly token: string | null
}

/**
 * The launch token, or a ticket for it: from the address bar on first sight, from then on the token out of this tab's session storage,
 * so that it stays out of the history, of screenshots and of what people paste.
 */
function takeCredentials(page: Window): Credentials {
  const hash = new URLSearchParams(page.location.hash.slice(1))
  const [ticket, token] = [hash.get('ticket'), hash.get('token')]
  if (token !== null) page.sessionStorage.setItem(tokenKey, token)
  if (ticket !== null || token !== null) {
    page.history.replaceState(null, '', page.location.pathname + page.location.search)
  }
  return { ticket, token: token ?? page.sessionStorage.getItem(tokenKey) }
}

/** The token for a ticket; null when it was used before, or has expired. Rejects when the server does not answer. */
async function exchange(page: Window, ticket: string, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(new URL('/session', page.location.href), {
    method: 'POST',
    headers: { Authorization: `Bearer ${ticket}` },
    signal,
  })
  if (response.status === 401) return null
  const answer: unknown = await response.json()
  const token: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'token') : null
  if (typeof token !== 'string') throw new Error('No token came.')
  return token
}

/** Frames as MessagePack over `/wire` of the host that served the page; tries again after 0.2 to 5 s. */
export function webSocketTransport(page: Window): Transport {
  return (events) => {
    let { ticket, token } = takeCredentials(page)
    const ending = new AbortController()
    const address = new URL('/wire', page.location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    let socket: WebSocket | null = null
    let timer = 0
    let delay = firstRetry
    let ended = false

    function open(): void {
      const opening = new WebSocket(
        address,
        token === null ? ['tabscope'] : ['tabscope', `token.${token}`],
      )
      socket = opening
      opening.binaryType = 'arraybuffer'
      opening.addEventListener('open', () => {
        delay = firstRetry
        // Undefined keys are left out, as structured clone's receivers would see them: absent, not null.
        events.opened((frame) => {
          if (opening.readyState === WebSocket.OPEN) {
            opening.send(encode(frame, { ignoreUndefined: true }))
          }
        })
      })
      opening.addEventListener('message', ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return
        const frame = hostFrame(decode(new Uint8Array(data)))
        if (frame) events.received(frame)
      })
      opening.addEventListener('close', () => tryAgain(open))
    }

    function tryAgain(attempt: () => void): void {
      if (ended) return
      events.closed(delay)
      timer = page.setTimeout(attempt, delay)
      delay = Math.min(delay * 2, longestRetry)
    }

    async function redeem(given: string): Promise<void> {
      try {
        const got = await exchange(page, given, ending.signal)
        if (ended) return
        ticket = null
        if (got !== null) page.sessionStorage.setItem(tokenKey, got)
        // A tab that was let in before needs no other token.
        token = got ?? token
      } catch {
        return tryAgain(begin)
      }
      if (token === null) events.linkExpired()
      else open()
    }

    function begin(): void {
      if (ticket === null) open()
      else void redeem(ticket)
    }

    begin()
    return () => {
      ended = true
      ending.abort()
      page.clearTimeout(timer)
      socket?.close()
    }
  }
}
