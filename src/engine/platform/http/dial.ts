import { connect, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { hostOf, knownAddresses, lookUp } from './addresses.ts'
import { authorityOf, connectionEnded, faultOfError, type Fault } from './failures.ts'
import type { Network } from './network.ts'
import type { Phases } from './phases.ts'
import { proxyFault, type Proxy } from './proxy.ts'

/** Without a connection, the next address is tried after this. */
const nextAfterMs = 1000
const maxProxyResponseBytes = 16 * 1024

export interface DialOptions {
  /** https connects through it by CONNECT. http is sent to it as it is, with the complete URL, because most proxies allow CONNECT only to port 443. */
  readonly proxy: Proxy | null
  /** Through a proxy, connects by CONNECT for http as well. */
  readonly tunnel?: boolean
  readonly network: Network
  readonly verifyTls: boolean
  /** For a connection without TLS. */
  readonly onread?: OnReadOpts | undefined
}

export interface Dialled {
  /** Called right before connecting, so that DNS rebinding has no effect. False: the dial ends without another call. */
  allowed?(address: string): boolean
  /** To the server or the proxy, before any TLS handshake. */
  connected?(socket: Socket): void
  /** Ready for writing, with TLS after the handshake, and without listeners. */
  ready(socket: Socket): void
  failed(fault: Fault, cause: Error): void
}

/** Opens a connection: looks up the name once and tries its addresses in order. */
export class Dial {
  readonly #url: URL
  /** What is connected to: the proxy or the server. */
  readonly #hop: URL
  readonly #options: DialOptions
  readonly #phases: Phases
  readonly #on: Dialled
  #socket: Socket | null = null
  #next: NodeJS.Timeout | undefined
  #over = false

  constructor(url: URL, options: DialOptions, phases: Phases, on: Dialled) {
    this.#url = url
    this.#hop = options.proxy?.url ?? url
    this.#options = options
    this.#phases = phases
    this.#on = on
    const host = hostOf(this.#hop)
    const known = knownAddresses(host)
    if (known) {
      this.#try(known, null)
      return
    }
    lookUp(host, (error, addresses) => {
      if (this.#over) return
      this.#phases.looked()
      if (error) this.#failHop(error)
      else this.#try(addresses, null)
    })
  }

  cancel(): void {
    this.#over = true
    clearTimeout(this.#next)
    if (this.#socket) dispose(this.#socket)
  }

  #try(addresses: readonly string[], failed: Error | null): void {
    const [address, ...others] = addresses
    if (address === undefined) {
      this.#failHop(failed ?? connectionEnded())
      return
    }
    if (this.#on.allowed?.(address) === false) {
      this.cancel()
      return
    }
    const socket = this.#open(address)
    this.#socket = socket
    const tryNext = (error: Error): void => {
      clearTimeout(this.#next)
      dispose(socket)
      // The first failure is that of the preferred address.
      if (!this.#over) this.#try(others, failed ?? error)
    }
    socket.once('error', tryNext)
    socket.once('connect', () => {
      clearTimeout(this.#next)
      socket.off('error', tryNext)
      this.#phases.connected()
      this.#on.connected?.(socket)
      this.#connected(socket)
    })
    if (others.length > 0) {
      this.#next = setTimeout(() => tryNext(noResponse()), nextAfterMs)
    }
  }

  #open(address: string): Socket {
    const { protocol, port } = this.#hop
    const isSecure = protocol === 'https:'
    const to = { host: address, port: Number(port) || (isSecure ? 443 : 80) }
    const { onread, proxy, verifyTls } = this.#options
    const isVerified = proxy !== null || verifyTls
    const socket = isSecure
      ? connectTls({ ...to, ...this.#tlsOptions(this.#hop, isVerified) })
      : connect({ ...to, ...(onread && { onread }) })
    return socket.setNoDelay()
  }

  #tlsOptions(url: URL, verify: boolean) {
    const host = hostOf(url)
    const { secureContext } = this.#options.network
    return {
      // An IP address is not a server name (RFC 6066, 3). Then the certificate is compared with the address.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Regardless of the environment.
      rejectUnauthorized: verify,
      ...(secureContext && { secureContext }),
    }
  }

  #connected(socket: Socket): void {
    const { proxy, tunnel = false } = this.#options
    const isTunnelled = proxy !== null && (tunnel || this.#url.protocol === 'https:')
    const next = (): void =>
      isTunnelled ? this.#connectThrough(socket, proxy) : this.#ready(socket)
    if (this.#hop.protocol === 'http:') next()
    else {
      const onError = (error: Error): void => this.#failHop(error)
      waitFor(socket, 'secureConnect', onError, () => {
        if (proxy === null) this.#phases.secured()
        next()
      })
    }
  }

  /** By CONNECT (RFC 9110, 9.3.6). */
  #connectThrough(socket: Socket, proxy: Proxy): void {
    const at = authorityOf(this.#url)
    let head = ''
    const stop = waitFor(
      socket,
      'readable',
      (error) => this.#failHop(error),
      () => {
        for (let bytes: unknown; (bytes = socket.read()) instanceof Buffer;) {
          head += bytes.toString('latin1')
        }
        const end = head.indexOf('\r\n\r\n')
        if (end === -1 && head.length < maxProxyResponseBytes) return
        stop()
        const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1])
        if (end === -1 || !(status >= 200)) this.#failHop(notHttp())
        else if (status > 299) this.#fail(proxyFault(proxy, status, at), connectionEnded())
        else {
          // The server speaks first.
          if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'))
          this.#tunnelled(socket)
        }
      },
    )
    const credentials = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
    socket.write(`CONNECT ${at} HTTP/1.1\r\nHost: ${at}\r\n${credentials}\r\n`)
  }

  #tunnelled(socket: Socket): void {
    this.#phases.connected()
    if (this.#url.protocol === 'http:') {
      this.#ready(socket)
      return
    }
    const options = this.#tlsOptions(this.#url, this.#options.verifyTls)
    // The host is only compared with the certificate.
    const host = hostOf(this.#url)
    const secured = connectTls({ socket, host, ...options }).setNoDelay()
    this.#socket = secured
    const failed = (error: Error): void => this.#fail(faultOfError(error, this.#url, false), error)
    waitFor(secured, 'secureConnect', failed, () => {
      this.#phases.secured()
      this.#ready(secured)
    })
  }

  #ready(socket: Socket): void {
    this.#over = true
    this.#socket = null
    this.#on.ready(socket)
  }

  #failHop(error: Error): void {
    const fault = faultOfError(error, this.#hop, false)
    if (!this.#options.proxy) this.#fail(fault, error)
    else {
      const message = `The proxy cannot be used. ${fault.message} Check the proxy in Settings > Network, or in HTTPS_PROXY.`
      this.#fail({ code: 'proxy', message }, error)
    }
  }

  #fail(fault: Fault, cause: Error): void {
    if (this.#over) return
    this.cancel()
    this.#on.failed(fault, cause)
  }
}

/** Calls `done` at each `event`, until the returned function is called or the socket fails or closes. */
function waitFor(
  socket: Socket,
  event: 'secureConnect' | 'readable',
  failed: (error: Error) => void,
  done: () => void,
): () => void {
  const closed = (): void => failed(connectionEnded())
  const stop = (): void => {
    socket.off(event, listener).off('error', failed).off('close', closed)
  }
  const listener = (): void => {
    if (event === 'secureConnect') stop()
    done()
  }
  socket.on(event, listener).once('error', failed).once('close', closed)
  return stop
}

/** Ignores later errors of the socket. */
function dispose(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => undefined).destroy()
}

function noResponse(): Error {
  return Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })
}

function notHttp(): Error {
  return Object.assign(new Error('not HTTP'), { code: 'HPE_INVALID_CONSTANT' })
}

/** Of the other end: `127.0.0.1:3000`. */
export function addressOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':')
    ? `[${remoteAddress}]:${remotePort}`
    : `${remoteAddress}:${remotePort}`
}
