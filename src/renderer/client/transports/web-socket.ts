import { decode, encode } from '@msgpack/msgpack'
import { backoff } from '#shared/async/retry.ts'
import type { NoSession, Transport, TransportEvents } from '../client.ts'
import { hostFrame } from '#contract/frame-client.ts'
import {
  exchangeTicket,
  hasCredentials,
  hasToken,
  shareSession,
  storeToken,
  readCredentials,
} from './session.ts'

/** Retry delays in milliseconds. */
const retryDelays = { shortest: 200, longest: 5000 }

/**
 * Sends frames as MessagePack to `/wire` of the host that served the page, and reconnects after 0.2 to 5 s. A page without a session asks
 * other tabs for theirs. The token is only sent to a server that has proven that it has the token.
 */
export function webSocketTransport(page: Window): Transport {
  return (events) => {
    const connection = new SocketConnection(page, events)
    // Pasting a link into this tab only changes the fragment, so the browser does not reload the page.
    const followLink = (): void => {
      if (hasCredentials(page)) page.location.reload()
    }
    page.addEventListener('hashchange', followLink)
    void connection.start()
    return () => {
      page.removeEventListener('hashchange', followLink)
      connection.end()
    }
  }
}

class SocketConnection {
  readonly #page: Window
  readonly #events: TransportEvents
  readonly #tabs: ReturnType<typeof shareSession>
  readonly #ending = new AbortController()
  #ticket: string | null
  #token: string | null
  #socket: WebSocket | null = null
  #timer = 0
  #failures = 0
  #state: 'connecting' | 'connected' | 'no_session' | 'ended' = 'connecting'

  constructor(page: Window, events: TransportEvents) {
    this.#page = page
    this.#events = events
    ;({ ticket: this.#ticket, token: this.#token } = readCredentials(page))
    this.#tabs = shareSession(
      page,
      () => (this.#state === 'connected' ? this.#token : null),
      () => this.#state === 'no_session',
      (given) => {
        this.#state = 'connecting'
        this.#token = given
        void this.#connect()
      },
    )
  }

  start(): Promise<void> {
    return this.#ticket === null ? this.#connect() : this.#redeem(this.#ticket)
  }

  end(): void {
    this.#state = 'ended'
    this.#ending.abort()
    this.#page.clearTimeout(this.#timer)
    this.#tabs.close()
    this.#socket?.close()
  }

  #ended(): boolean {
    return this.#state === 'ended'
  }

  #open(): void {
    const address = new URL('/wire', this.#page.location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const opening = new WebSocket(address, ['tabscope', `token.${this.#token}`])
    this.#socket = opening
    opening.binaryType = 'arraybuffer'
    opening.addEventListener('open', () => {
      this.#failures = 0
      this.#state = 'connected'
      this.#tabs.announce()
      // Undefined keys are omitted, so that they are missing and not null for the receiver.
      this.#events.opened((frame) => {
        if (opening.readyState === WebSocket.OPEN) {
          opening.send(encode(frame, { ignoreUndefined: true }))
        }
      })
    })
    opening.addEventListener('message', ({ data }) => {
      if (!(data instanceof ArrayBuffer)) return
      const frame = hostFrame(decode(new Uint8Array(data)))
      if (frame) this.#events.received(frame)
    })
    opening.addEventListener('close', () => this.#tryAgain(() => this.#connect()))
  }

  #tryAgain(attempt: () => Promise<void>): void {
    if (this.#ended()) return
    this.#state = 'connecting'
    const wait = backoff(retryDelays, this.#failures)
    this.#failures += 1
    this.#events.closed(wait)
    this.#timer = this.#page.setTimeout(() => void attempt(), wait)
  }

  async #connect(): Promise<void> {
    const token = this.#token
    if (token === null) return this.#findSession('missing')
    let isOwn: boolean
    try {
      isOwn = await hasToken(this.#page, token, this.#ending.signal)
    } catch {
      return this.#tryAgain(() => this.#connect())
    }
    if (this.#ended()) return
    if (!isOwn) return this.#findSession('ended')
    storeToken(this.#page, token)
    this.#open()
  }

  async #findSession(reason: NoSession): Promise<void> {
    const given = await this.#tabs.ask()
    if (this.#ended()) return
    if (given !== null) {
      this.#token = given
      return this.#connect()
    }
    this.#state = 'no_session'
    this.#events.noSession(reason)
  }

  async #redeem(ticket: string): Promise<void> {
    let exchanged: string | null
    try {
      exchanged = await exchangeTicket(this.#page, ticket, this.#ending.signal)
    } catch {
      return this.#tryAgain(() => this.start())
    }
    if (this.#ended()) return
    this.#ticket = null
    this.#token = exchanged ?? this.#token
    return this.#token === null ? this.#findSession('link_expired') : this.#connect()
  }
}
