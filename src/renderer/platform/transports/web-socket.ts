import { decode, encode } from '@msgpack/msgpack'
import { backoff } from '#shared/async/retry.ts'
import type { NoSession, Transport } from '../client.ts'
import { hostFrame } from '#contract/frame-client.ts'
import {
  checkServer,
  exchangeTicket,
  hasCredentials,
  shareSession,
  storeToken,
  takeCredentials,
  type ServerProof,
} from './session.ts'

/** Retry delays in milliseconds. */
const retryDelays = { shortest: 200, longest: 5000 }

/**
 * Sends frames as MessagePack to `/wire` of the host that served the page, and reconnects after 0.2 to 5 s. A page without a session asks
 * other tabs for theirs. The token is only sent to a server that has proven that it has the token.
 */
export function webSocketTransport(page: Window): Transport {
  return (events) => {
    let { ticket, token } = takeCredentials(page)
    const ending = new AbortController()
    const address = new URL('/wire', page.location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    let socket: WebSocket | null = null
    let timer = 0
    /** Consecutive failed attempts. */
    let failures = 0
    let state: 'connecting' | 'connected' | 'no_session' | 'ended' = 'connecting'
    const ended = (): boolean => state === 'ended'
    const tabs = shareSession(
      () => (state === 'connected' ? token : null),
      () => state === 'no_session',
      (given) => {
        state = 'connecting'
        token = given
        void connect()
      },
    )

    function open(): void {
      const opening = new WebSocket(address, ['tabscope', `token.${token}`])
      socket = opening
      opening.binaryType = 'arraybuffer'
      opening.addEventListener('open', () => {
        failures = 0
        state = 'connected'
        tabs.announce()
        // Undefined keys are omitted, so that they are missing and not null for the receiver.
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
      opening.addEventListener('close', () => tryAgain(connect))
    }

    function tryAgain(attempt: () => Promise<void>): void {
      if (ended()) return
      state = 'connecting'
      const wait = backoff(retryDelays, failures)
      failures += 1
      events.closed(wait)
      timer = page.setTimeout(() => void attempt(), wait)
    }

    async function connect(): Promise<void> {
      if (token === null) return findSession('missing')
      let proof: ServerProof
      try {
        proof = await checkServer(page, token, ending.signal)
      } catch {
        return tryAgain(connect)
      }
      if (ended()) return
      if (proof !== 'own') return findSession(proof === 'restarted' ? 'restarted' : 'ended')
      storeToken(page, token)
      open()
    }

    /** Uses the session of another tab. */
    async function findSession(reason: NoSession): Promise<void> {
      const given = await tabs.ask()
      if (ended()) return
      if (given !== null) {
        token = given
        return connect()
      }
      state = 'no_session'
      events.noSession(reason)
    }

    async function redeem(given: string): Promise<void> {
      let exchanged: string | null
      try {
        exchanged = await exchangeTicket(page, given, ending.signal)
      } catch {
        return tryAgain(start)
      }
      if (ended()) return
      ticket = null
      // A tab that already has a token keeps it.
      token = exchanged ?? token
      return token === null ? findSession('link_expired') : connect()
    }

    function start(): Promise<void> {
      return ticket === null ? connect() : redeem(ticket)
    }

    // Pasting a link into this tab only changes the fragment, so the browser does not reload the page.
    const followLink = (): void => {
      if (hasCredentials(page)) page.location.reload()
    }

    page.addEventListener('hashchange', followLink)
    void start()
    return () => {
      page.removeEventListener('hashchange', followLink)
      state = 'ended'
      ending.abort()
      page.clearTimeout(timer)
      tabs.close()
      socket?.close()
    }
  }
}
