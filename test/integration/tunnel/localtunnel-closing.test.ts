import { describe, expect, it } from 'vitest'
import { openLocalServer, startTunnel } from '#test/support/localtunnel.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

describe('Closing a localtunnel', () => {
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
