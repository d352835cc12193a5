import { describe, expect, it } from 'vitest'
import type { TunnelFailure } from '#engine/tunnel/provider.ts'
import { openConnectProxy } from '#test/support/connect-proxy.ts'
import { freePort } from '#test/support/free-port.ts'
import {
  openLocalServer,
  openingError,
  startTunnel,
  tunnelThread,
  type LocalServer,
} from '#test/support/localtunnel.ts'
import { until } from '#test/support/until.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'

async function answered(
  status: number,
  body: unknown,
  options: { headers?: Record<string, string>; subdomain?: string } = {},
): Promise<TunnelFailure> {
  await using server = await openLocalServer((_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'Content-Type': 'application/json', ...options.headers }).end(text)
  })
  return await refusedBy(server, options.subdomain)
}

async function refusedBy({ port }: LocalServer, subdomain?: string): Promise<TunnelFailure> {
  const host = `http://localhost:${port}`
  await using tried = startTunnel({
    options: subdomain === undefined ? { host } : { host, subdomain },
  })
  return await openingError(tried.opening)
}

describe('Opening a localtunnel', () => {
  it('requests any name if none is configured, or the last one if there was one', async () => {
    await using server = await tunnelServer()
    await using first = startTunnel({ options: { host: server.host } })
    const { nextName, requestedName } = await first.opening
    expect(requestedName).toBeNull()
    expect(nextName).toMatch(/^given-/)
    first.abort()
    await (
      await first.opening
    ).closed
    await using second = startTunnel({ options: { host: server.host }, previousName: 'last-time' })
    expect((await second.opening).nextName).toBe('last-time')
    await using third = startTunnel({
      options: { host: server.host, subdomain: 'mine' },
      previousName: 'last-time',
    })
    expect((await third.opening).nextName).toBe('mine')
    expect(server.asked).toEqual(['/?new', '/last-time', '/mine'])
  })

  it('reports the requested name if another was assigned', async () => {
    await using server = await tunnelServer()
    await using holder = startTunnel({ options: { host: server.host, subdomain: 'taken' } })
    await holder.opening
    await using tried = startTunnel({ options: { host: server.host, subdomain: 'taken' } })
    const tunnel = await tried.opening
    expect(tunnel.requestedName).toBe('taken')
    expect(tunnel.nextName).not.toBe('taken')
    expect(tunnel.url).toContain(tunnel.nextName)
    expect(server.asked).toEqual(['/taken', '/taken', '/taken'])
    await until('the first to be forgotten', () => server.clients.length === 2)
  })

  it('fails immediately at a server that redirects forever, or responds without end', async () => {
    const loop = await answered(302, '', { headers: { Location: '/?new' } })
    expect(loop).toMatchObject({ code: 'server_answer' })
    expect(loop.message).toContain('redirects too many times')
    const flood = await answered(200, JSON.stringify({ id: 'x'.repeat(300 * 1024) }))
    expect(flood).toMatchObject({ code: 'server_answer' })
    expect(flood.message).toContain('is too large')
  })

  it('reports that a server is down, does not speak TLS, or has a name that does not resolve', async () => {
    const port = await freePort()
    const failures = []
    await using server = await tunnelServer()
    for (const host of [
      `http://localhost:${port}`,
      `https://localhost:${server.port}`,
      'http://no-such-name.invalid',
    ]) {
      await using tried = startTunnel({ options: { host } })
      const { code, message, retry } = await openingError(tried.opening)
      failures.push({ code, message, retry })
    }
    expect(failures).toEqual([
      {
        code: 'server_down',
        message: `The tunnel's server is down or cannot be reached. Nothing listens at localhost:${port}.`,
        retry: true,
      },
      {
        code: 'server_down',
        message: expect.stringContaining('it does not use TLS on this port'),
        retry: true,
      },
      {
        code: 'server_unresolved',
        message: expect.stringMatching(
          /^The tunnel's server cannot be found\. The name no-such-name\.invalid (does not|cannot)/,
        ),
        retry: true,
      },
    ])
  })

  it('uses the proxy of the environment, but never for this machine', async () => {
    await using proxy = await openConnectProxy(() => ({ status: 502 }))
    const env = { http_proxy: proxy.url, DEBUG: '*' }
    await using server = await tunnelServer()
    await using near = startTunnel({ options: { host: server.host } }, { tunnelThread, env })
    await near.opening
    await using far = startTunnel(
      { options: { host: 'http://tunnel.invalid' } },
      { tunnelThread, env },
    )
    expect(await openingError(far.opening)).toMatchObject({ code: 'server_down' })
    expect(proxy.seen).toEqual(['CONNECT tunnel.invalid:80'])
  })
})
