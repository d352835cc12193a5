import { createServer, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import { listenOnLoopback } from './listen.ts'

export interface ConnectProxy extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, over TLS `https://proxy.localhost:<port>` */
  readonly url: string
  readonly name: string
  /** The first line and `Proxy-Authorization` of each request. */
  readonly seen: readonly string[]
  forget(): void
}

/**
 * An HTTP proxy on loopback. `portOf` stands for DNS: the local port for `host:port`, or the status with which the proxy refuses. `authorization`: the
 * required header. `tls`: the proxy itself is reached over TLS.
 */
export async function openConnectProxy(
  portOf: (authority: string) => number | { readonly status: number },
  { authorization, tls }: { authorization?: string; tls?: { cert: string; key: string } } = {},
): Promise<ConnectProxy> {
  const seen: string[] = []
  const judge = (line: string, given: string | undefined, authority: string) => {
    seen.push(given === undefined ? line : `${line} ${given}`)
    return authorization !== undefined && given !== authorization
      ? { status: 407 }
      : portOf(authority)
  }
  const server = tls ? createSecureServer(tls) : createServer()
  server.on('request', (incoming, response) => {
    const { method, url = '', headers } = incoming
    const { host, pathname, search } = new URL(url)
    const authority = host.includes(':') ? host : `${host}:80`
    const port = judge(`${method} ${url}`, headers['proxy-authorization'], authority)
    if (typeof port === 'object') {
      response.writeHead(port.status).end('from the proxy')
      return
    }
    const { 'proxy-authorization': _, ...rest } = headers
    const onward = request({ port, method, path: pathname + search, headers: rest }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  server.on('connect', ({ url = '', headers }, client) => {
    const port = judge(`CONNECT ${url}`, headers['proxy-authorization'], url)
    client.on('error', () => undefined)
    if (typeof port === 'object') {
      client.end(`HTTP/1.1 ${port.status} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\n')
      target.pipe(client)
      client.pipe(target)
    })
    target.on('error', () => client.destroy())
    client.on('close', () => target.destroy())
  })
  const listening = await listenOnLoopback(server)
  const name = `${tls ? 'proxy.localhost' : '127.0.0.1'}:${listening.port}`
  return {
    ...listening,
    url: `${tls ? 'https' : 'http'}://${name}`,
    name,
    seen,
    forget: () => void seen.splice(0),
  }
}
