import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { loopbackService, type Arrived } from '#test/support/loopback-service.ts'

export interface EchoService extends AsyncDisposable {
  readonly baseUrl: string
  /** The next response of the token endpoint; by default it returns the tokens of `grants` in order. */
  answerNext(status: number, type: string, body: (request: string) => string): void
  /** The content of every request, to check that the values were really sent. */
  readonly seen: readonly string[]
}

/** A service that echoes everything it receives: in headers, in bodies and in redirects. */
export async function openEchoService(
  grants: readonly { token: string; refreshToken: string; expires: number }[],
): Promise<EchoService> {
  const left = [...grants]
  const seen: string[] = []
  const scripted: { status: number; type: string; body: (request: string) => string }[] = []
  function answer(request: Arrived, response: ServerResponse): void {
    const { url, headers } = request
    const body = request.body.toString()
    seen.push(`${url}\n${JSON.stringify(headers)}\n${body}`)
    const echo = JSON.stringify({ url, headers, body })
    const path = new URL(url, 'http://service').pathname
    switch (path) {
      case '/api/oauth/token': {
        const next = scripted.shift()
        if (next) {
          response.writeHead(next.status, { 'Content-Type': next.type, 'X-Echo': safe(body) })
          response.end(next.body(body))
          return
        }
        const grant = left.shift()
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Set-Cookie': `session=${grant?.token ?? ''}`,
          'X-Echo': safe(body),
        })
        response.end(JSON.stringify(responseOf(grant)))
        return
      }
      case '/gzip':
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        response.end(gzipSync(echo))
        return
      case '/elsewhere':
        response.writeHead(302, { Location: `/echo?${tokenIn(request)}` })
        response.end(echo)
        return
      case '/401':
      case '/403':
        response.writeHead(Number(path.slice(1)), { 'Content-Type': 'text/html' })
        response.end(`<pre>${echo}</pre>`)
        return
      default:
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'X-Echo': safe(headers.authorization ?? ''),
        })
        response.end(echo)
    }
  }
  return {
    ...(await loopbackService(answer)),
    seen,
    answerNext: (status, type, body) => void scripted.push({ status, type, body }),
  }
}

function responseOf(grant: { token: string; refreshToken: string; expires: number } | undefined) {
  const now = Math.floor(Date.now() / 1000)
  return {
    tokenType: 'Bearer',
    token: grant?.token,
    initiated: now,
    expires: grant?.expires,
    expiresIn: (grant?.expires ?? now) - now,
    refreshToken: grant?.refreshToken,
  }
}

function safe(value: string): string {
  return value.replaceAll(/[^\u0020-\u007e]/g, ' ')
}

function tokenIn(request: Arrived): string {
  return `t=${encodeURIComponent(request.headers.authorization ?? '')}`
}
