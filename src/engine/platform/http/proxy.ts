import { isIP } from 'node:net'
import { isHttp } from '#shared/text/address.ts'
import { hostOf, knownAddresses } from './addresses.ts'
import { authorityOf, ConnectFailure, type Fault } from './failures.ts'

export interface Proxy {
  /** http or https, without credentials. */
  readonly url: URL
  /** `host:port` */
  readonly name: string
  /** The value of `Proxy-Authorization`; null: not sent. */
  readonly authorization: string | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Without a scheme it is http. Null: not the URL of an HTTP proxy. */
export function parseProxy(text: string): Proxy | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || !isHttp(url)) return null
  let credentials: string
  try {
    credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  } catch {
    return null
  }
  const encoded = Buffer.from(credentials).toString('base64')
  return {
    url: new URL(url.origin),
    name: authorityOf(url),
    authorization: credentials === ':' ? null : `Basic ${encoded}`,
  }
}

/** That `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` name for `url`, in either case. Null: none. Throws `ConnectFailure` if it is not an HTTP proxy. */
export function proxyOfEnvironment({ protocol }: URL, env: Environment): Proxy | null {
  const name = [`${protocol.slice(0, -1)}_proxy`, 'all_proxy'].find(
    (name) => read(env, name) !== '',
  )
  if (name === undefined) return null
  const proxy = parseProxy(read(env, name))
  if (proxy) return proxy
  // Not quoted: it may contain a password.
  throw proxyFailure(
    `The variable ${name.toUpperCase()} is not the URL of an HTTP proxy. Use the form http://proxy.example:3128, or set a proxy in Settings > Network.`,
  )
}

/** Whether requests to `url` never use a proxy: to this machine, and to hosts in `NO_PROXY` (names with the names below them, `host:port`, `*`). */
export function isDirect(url: URL, env: Environment): boolean {
  const host = hostOf(url)
  const known = knownAddresses(host)
  if (known?.every((address) => /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address))) return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return read(env, 'no_proxy')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*' || entry === '') return entry === '*'
      const parts = isIP(entry) === 6 ? null : /^([^:[\]]+|\[[^\]]+\])(?::(\d+))?$/.exec(entry)
      const [, name = entry, only = port] = parts ?? []
      const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
      return only === port && (host === bare || host.endsWith(`.${bare}`))
    })
}

function read(env: Environment, name: string): string {
  return (env[name] ?? env[name.toUpperCase()] ?? '').trim()
}

/**
 * The first proxy of a list such as `PROXY a.example:3128;DIRECT`, in the form of Chromium. Null: none, or an empty list. Throws `ConnectFailure` if it
 * contains only proxies of other kinds. The others of the list are not tried.
 */
export function proxyOfList(list: string): Proxy | null {
  const entries = list.split(';').flatMap((entry) => entry.trim() || [])
  for (const entry of entries) {
    const [kind = '', address = ''] = entry.split(' ')
    if (kind === 'DIRECT') return null
    const scheme = { PROXY: 'http', HTTPS: 'https' }[kind]
    const proxy = scheme === undefined ? null : parseProxy(`${scheme}://${address}`)
    if (proxy) return proxy
  }
  if (entries.length === 0) return null
  throw proxyFailure(
    `The proxy of the system is not an HTTP proxy (${entries[0]?.split(' ')[0]}). Set one in Settings > Network, or connect without a proxy.`,
  )
}

/** What sends the response: a proxy, for http. */
export function responderOf(url: URL, proxy: Proxy | null): URL {
  return proxy && url.protocol === 'http:' ? proxy.url : url
}

export function proxyFailure(message: string, cause?: unknown): ConnectFailure {
  return new ConnectFailure({ code: 'proxy', message }, cause)
}

/** For a response of the proxy itself. `at`: the target. */
export function proxyFault({ name, authorization }: Proxy, status: number, at: string): Fault {
  const proxy = `The proxy ${name}`
  // Some proxies respond with 401 to wrong credentials.
  if (status === 407 || (status === 401 && authorization)) {
    return {
      code: 'proxy',
      message: authorization
        ? `${proxy} rejects its user name or password (status ${status}). Correct them in HTTPS_PROXY or HTTP_PROXY, and start Tabscope again.`
        : `${proxy} requires a user name and password (status 407). Start Tabscope with HTTPS_PROXY or HTTP_PROXY set to http://USER:PASSWORD@${name}.`,
    }
  }
  // RFC 9110, 15.6: the proxy tried.
  if (status === 502 || status === 503 || status === 504) {
    return {
      code: 'unreachable',
      message: `${proxy} cannot connect to ${at} (status ${status}). Check that the target is running and reachable from the proxy.`,
    }
  }
  return {
    code: 'proxy',
    message: `${proxy} refuses to connect to ${at} (status ${status}). Ask its operator to allow that, or add the host to NO_PROXY.`,
  }
}
