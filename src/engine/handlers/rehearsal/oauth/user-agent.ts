import { keptRehearsalBytes } from '#contract/constants.ts'
import type { Header } from '#contract/models.ts'
import { HttpFailure } from '../../../platform/http/http.ts'
import type { Network } from '../../../platform/http/network.ts'
import { sendRequest } from '../../../platform/http/request.ts'

export interface Load {
  readonly url: URL
  readonly headers: readonly Header[]
  readonly status: number | null
  /** A sentence; null if there is a complete response. */
  readonly error: string | null
  readonly responseHeaders: readonly Header[]
  readonly responseBody: Uint8Array
  readonly at: number
  readonly durationMs: number
}

export interface UserAgentOptions {
  readonly mayLoad: (url: URL) => boolean
  readonly loaded: (load: Load) => void
  readonly timeout: number
  readonly network: Network
  readonly signal: AbortSignal
}

const maxRedirects = 20

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly secure: boolean
}

/** A browser without an interface: it follows redirects, and keeps the cookies of one session. */
export class UserAgent {
  /** By host: ports share cookies (RFC 6265, 8.5). */
  readonly #cookies = new Map<string, Cookie[]>()
  readonly #options: UserAgentOptions

  constructor(options: UserAgentOptions) {
    this.#options = options
  }

  /** Returns the last page after redirects. Never rejects. */
  async open(address: string): Promise<Load> {
    let url = new URL(address)
    for (let redirects = 0; ; redirects += 1) {
      const load = await this.#load(url)
      this.#options.loaded(load)
      const { status } = load
      const location = valueOf(load.responseHeaders, 'location')
      if (status === null || status < 300 || status > 399 || location === null) return load
      const next = URL.parse(location, url.href)
      if (next === null || !this.#options.mayLoad(next)) return load
      if (redirects === maxRedirects) {
        return { ...load, error: `It redirected more than ${maxRedirects} times.` }
      }
      url = next
    }
  }

  async #load(url: URL): Promise<Load> {
    const cookies = this.#cookiesOf(url)
    const headers: Header[] = [
      ['Host', url.host],
      ['User-Agent', 'Tabscope rehearsal'],
      ['Accept', 'text/html, */*'],
      ...(cookies === '' ? [] : [['Cookie', cookies] as const satisfies Header]),
    ]
    const at = performance.now()
    const { timeout, signal, network } = this.#options
    try {
      const {
        status,
        headers: responseHeaders,
        body,
      } = await sendRequest(
        {
          method: 'GET',
          url,
          headers,
          body: null,
          timeout,
          maxBytes: keptRehearsalBytes,
          signal,
        },
        network,
      )
      for (const [name, value] of responseHeaders) {
        if (name.toLowerCase() === 'set-cookie') this.#keep(url, value)
      }
      const durationMs = performance.now() - at
      return {
        url,
        headers,
        status,
        error: null,
        responseHeaders,
        responseBody: body,
        at,
        durationMs,
      }
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      return {
        url,
        headers,
        status: null,
        error: error.message,
        responseHeaders: error.partial?.headers ?? [],
        responseBody: error.partial?.body ?? new Uint8Array(),
        at,
        durationMs: performance.now() - at,
      }
    }
  }

  #cookiesOf({ hostname, pathname, protocol }: URL): string {
    return (this.#cookies.get(hostname) ?? [])
      .filter(
        ({ path, secure }) =>
          (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)) &&
          // Browsers send secure cookies to this machine over http too.
          (!secure ||
            protocol === 'https:' ||
            hostname === 'localhost' ||
            hostname === '127.0.0.1'),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  #keep({ hostname }: URL, header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const equals = pair.indexOf('=')
    if (equals < 1) return
    const attribute = (wanted: string): string | null => {
      const found = attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))
      return found === undefined ? null : found.slice(wanted.length + 1)
    }
    const name = pair.slice(0, equals)
    const given = attribute('path')
    const path = given?.startsWith('/') ? given : '/'
    const others = (this.#cookies.get(hostname) ?? []).filter(
      (each) => each.name !== name || each.path !== path,
    )
    const age = attribute('max-age')
    const expires = Date.parse(attribute('expires') ?? '')
    const isOver = age === null ? expires <= Date.now() : Number(age) <= 0
    const secure = attributes.some((each) => each.toLowerCase() === 'secure')
    const cookie: Cookie = { name, value: pair.slice(equals + 1), path, secure }
    this.#cookies.set(hostname, isOver ? others : [...others, cookie])
  }
}

function valueOf(headers: readonly Header[], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null
}
