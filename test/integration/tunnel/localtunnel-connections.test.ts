import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  openLocalServer,
  startTunnel,
  type LocalServer,
  type StartedTunnel,
} from '#test/support/localtunnel.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

const echo = (): Promise<LocalServer> =>
  openLocalServer((request, response) => void request.pipe(response))

const allOpen = (tried: StartedTunnel, most = 10): Promise<unknown> =>
  until(`${most} connections`, () => tried.connections()?.open === most)

/** A server that gives each client a tunnel to this port, and this many connections. */
const giving = (port: number, most: unknown): Promise<LocalServer> =>
  openLocalServer((_request, response) => {
    const tunnel = { id: 'pier9', port, max_conn_count: most, url: 'http://pier9.localhost' }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(tunnel))
  })

describe('An open localtunnel', () => {
  it('has all its connections again after some were reset, on either side', async () => {
    await using server = await tunnelServer()
    await using localServer = await echo()
    await using tried = startTunnel({ options: { host: server.host }, port: localServer.port })
    const { url } = await tried.opening
    const filled = async (): Promise<void> => {
      await allOpen(tried)
      await until('all at the server', () => server.clients[0]?.connections === 10)
      await until('all at the local server', () => localServer.sockets.size === 10)
    }
    const replaced = async (lose: () => void): Promise<void> => {
      const before = [...localServer.sockets]
      lose()
      await until('four to be gone', () => before.filter((one) => !one.destroyed).length <= 6)
      await filled()
    }
    await filled()
    // More often than there are connections, each of which would be lost permanently.
    for (let round = 0; round < 4; round += 1) {
      await replaced(() => expect(server.dropConnections(4)).toBe(4))
      await replaced(() => {
        for (const socket of [...localServer.sockets].slice(0, 4)) socket.resetAndDestroy()
      })
    }
    // The server may not have noticed yet that the last four are gone.
    await until('a response', async () => {
      const { body } = await publicRequest(url, { body: 'here' })
      return body.toString() === 'here'
    })
  })

  it('ends when its server was restarted', async () => {
    await using server = await tunnelServer()
    await using tried = startTunnel({ options: { host: server.host } })
    const tunnel = await tried.opening
    await server.restart()
    const failure = await tunnel.closed
    expect(failure).toMatchObject({ code: 'ended', retry: true })
    expect(failure?.message).toMatch(
      /^The tunnel closed: localhost:\d+ refuses connections\. Its server was restarted/,
    )
    expect(tried.connections()?.open).toBe(0)
  })

  it('does not wait for a server that closes each connection as soon as it is open', async () => {
    let received = 0
    const closing = createServer((socket) => {
      received += 1
      socket.destroy()
    })
    await using assigned = await listenOnLoopback(closing)
    await using server = await giving(assigned.port, 10)
    await using tried = startTunnel({ options: { host: `http://localhost:${server.port}` } })
    const failure = await (await tried.opening).closed
    expect(failure?.message).toContain('closes each connection as soon as it is open')
    // Without a pause there would be thousands.
    expect(received).toBeLessThan(100)
  })

  it('reports no problem if its server closes each connection after a request', async () => {
    const body = 'POST / HTTP/1.1\r\nHost: pier9\r\nContent-Length: 0\r\n\r\n'
    let served = 0
    const serving = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(body)
      socket.once('data', () => {
        served += 1
        socket.end()
      })
    })
    await using assigned = await listenOnLoopback(serving)
    await using server = await giving(assigned.port, 1)
    await using localServer = await openLocalServer((_request, response) => void response.end('ok'))
    await using tried = startTunnel({
      options: { host: `http://localhost:${server.port}` },
      port: localServer.port,
    })
    await tried.opening
    await until('a hundred requests', () => served >= 100)
  })
})
