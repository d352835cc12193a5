import { describe, expect, it } from 'vitest'
import type { TunnelFailure } from '#engine/receiving/tunnel/provider.ts'
import { freePort } from '#test/support/free-port.ts'
import {
  openLocalServer,
  openingError,
  startTunnel,
  type LocalServer,
} from '#test/support/localtunnel.ts'
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
          /^The tunnel's server cannot be found\. The name “no-such-name\.invalid” (does not|cannot)/,
        ),
        retry: true,
      },
    ])
  })
})
