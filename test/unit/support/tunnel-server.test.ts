import { createServer } from 'node:http'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { publicAgent, publicRequest } from '../../support/public-request.ts'
import { tunnelServer } from '../../support/tunnel-server.ts'
import { until } from '../../support/until.ts'

interface Tunnel {
  readonly url: string
  on(event: 'error', listener: (error: Error) => void): void
  close(): void
}

/** The real client, which has no type definitions. */
const localtunnel = z
  .custom<(options: object) => Promise<Tunnel>>((value) => typeof value === 'function')
  .parse(createRequire(import.meta.url)('localtunnel'))

const enders: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of enders.splice(0).toReversed()) await end()
})

/** A local server that returns the received request. */
async function local(): Promise<number> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      res.writeHead(200, { 'X-Target': req.url, 'X-Names': req.rawHeaders.join('|') })
      res.end(Buffer.concat(parts))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  enders.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}

async function client(host: string, subdomain?: string): Promise<Tunnel> {
  const port = await local()
  const tunnel = await localtunnel({ port, host, ...(subdomain ? { subdomain } : {}) })
  tunnel.on('error', () => undefined)
  enders.push(() => tunnel.close())
  return tunnel
}

describe('the test server for localtunnel', () => {
  it('serves the real client: name, bodies, concurrent requests, and headers like the real server', async () => {
    await using server = await tunnelServer()
    const { url } = await client(server.host, 'pier9')
    expect(url).toBe(`http://pier9.localhost:${server.port}`)
    await until('ten connections', () => server.clients[0]?.connections === 10)
    const agent = publicAgent(40)
    const bodies = Array.from({ length: 200 }, (_, n) =>
      Buffer.from(Array.from({ length: n * 50 }, (__, i) => (i * n) & 0xff)),
    )
    const answers = await Promise.all(
      bodies.map((body, n) => publicRequest(`${url}/hooks/a?n=${n}`, { body, agent })),
    )
    agent.destroy()
    for (const [n, answer] of answers.entries()) {
      expect(answer.status).toBe(200)
      expect(answer.headers['x-target']).toBe(`/hooks/a?n=${n}`)
      expect(answer.body.equals(bodies[n] ?? Buffer.alloc(0))).toBe(true)
    }
    const named = await publicRequest(`${url}/`, {
      body: 'x',
      headers: { 'X-Twice': ['a', 'b'], 'X-Forwarded-For': '9.9.9.9' },
    })
    expect(named.headers['x-names']).toMatch(/x-twice\|a, b/)
    expect(named.headers['x-names']).toMatch(/x-forwarded-for\|9\.9\.9\.9, /)
  })

  it('replaces a taken name, releases it after the grace period, and rejects an invalid name', async () => {
    await using server = await tunnelServer({ graceMs: 50 })
    const first = await client(server.host, 'pier9')
    const second = await client(server.host, 'pier9')
    expect(second.url).not.toBe(first.url)
    first.close()
    await until('the name to be free', () => server.clients.every(({ id }) => id !== 'pier9'))
    const third = await client(server.host, 'pier9')
    expect(third.url).toBe(first.url)
    const refused = await publicRequest(`${server.host}/Abc`, { method: 'GET' })
    expect(refused.status).toBe(403)
    expect(refused.body.toString()).toMatch(/"message":"Invalid subdomain/)
  })

  it('is killed and restarted on its port, with every name and socket forgotten', async () => {
    await using server = await tunnelServer()
    const tunnel = await client(server.host, 'pier9')
    const gone: unknown[] = []
    tunnel.on('error', (error) => gone.push(error))
    await until('connections', () => server.sockets >= 10)
    await server.kill()
    expect(server.sockets).toBe(0)
    await expect(publicRequest(tunnel.url)).rejects.toThrow(/ECONNREFUSED/)
    await until('the client to give up', () => gone.length > 0)
    await server.restart()
    expect((await publicRequest(tunnel.url)).status).toBe(404)
  })

  it('is silent while frozen, and then continues', async () => {
    await using server = await tunnelServer()
    const { url } = await client(server.host, 'pier9')
    server.freeze()
    await expect(publicRequest(url, { timeoutMs: 100 })).rejects.toThrow(/abort/i)
    const late = publicRequest(url, { body: 'late' })
    server.thaw()
    expect((await late).body.toString()).toBe('late')
  })

  it('lets a request wait for a connection, and times out in the end', async () => {
    await using server = await tunnelServer({ queue: { most: 1, ms: 50 }, graceMs: 5000 })
    await publicRequest(`${server.host}/pier9`, { method: 'GET' })
    const url = `http://pier9.localhost:${server.port}/`
    const statuses = await Promise.all([publicRequest(url), publicRequest(url)])
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([502, 504]))
  })
})
