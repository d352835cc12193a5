import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { openLocalServer, startTunnel } from '#test/support/localtunnel.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

const held = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => !kind.startsWith('FS') && kind !== 'Immediate' && kind !== 'CloseReq')
    .toSorted()

describe('Closing a localtunnel', () => {
  it('leaves nothing behind, forty times, at any stage of opening', async () => {
    await using server = await tunnelServer()
    await using localServer = await openLocalServer((_request, response) => void response.end('ok'))
    const setup = { options: { host: server.host }, port: localServer.port }
    const before = held()
    const outcomes = new Set<string>()
    for (let round = 0; round < (full ? 40 : 8); round += 1) {
      const tried = startTunnel(setup)
      // Immediately, during the request to its server, while it connects, and when it has been open for a while.
      if (round % 8 === 7) await tried.opening
      else await new Promise((resolve) => setTimeout(resolve, round * 3))
      tried.abort()
      const tunnel = await tried.opening.catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'TunnelFailure', code: 'stopped' })
        return null
      })
      if (tunnel) expect(await tunnel.closed).toBeNull()
      outcomes.add(tunnel ? 'open' : 'opening')
      await until(
        'no connection to be left',
        () => server.sockets === 0 && localServer.sockets.size === 0,
      )
    }
    expect(outcomes).toEqual(new Set(['open', 'opening']))
    await until('everything to be let go', () => held().length <= before.length)
  })

  it('finishes a response that is being sent', async () => {
    await using server = await tunnelServer()
    let answer: (() => void) | null = null
    await using localServer = await openLocalServer((_request, response) => {
      answer = () => void response.end('in time')
    })
    await using tried = startTunnel({ options: { host: server.host }, port: localServer.port })
    const tunnel = await tried.opening
    const asked = publicRequest(tunnel.url, { body: 'x' })
    const give = await until('the request', () => answer)
    tried.abort()
    setTimeout(give, 50)
    expect((await asked).body.toString()).toBe('in time')
    expect(await tunnel.closed).toBeNull()
  })

  it('does not wait for a missing response', async () => {
    await using server = await tunnelServer()
    let received = false
    await using localServer = await openLocalServer(() => {
      received = true
    })
    await using tried = startTunnel({ options: { host: server.host }, port: localServer.port })
    const tunnel = await tried.opening
    const asked = publicRequest(tunnel.url, { body: 'x' })
    await until('the request', () => received)
    tried.abort()
    expect(await tunnel.closed).toBeNull()
    expect((await asked).status).toBe(502)
  })
})
