import { expect, it } from 'vitest'
import { readClaims, describeClaims } from '#contract/forwarded.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

it('sends the sandbox’s samples out and back, reports the tunnel’s claims, and that no redirect arrives this way', async () => {
  await using server = await tunnelServer()
  await using tab = await openTestEngine()
  const { engine, endpointId } = tab
  const send = () =>
    engine.call('sandbox.send', { endpointId, types: ['OPEN_TAB'], through: 'tunnel' })
  await expect(send()).rejects.toMatchObject({ code: 'bad_input' })

  const setup = { provider: 'localtunnel', options: { host: server.host, subdomain: 'pier9' } }
  await engine.call('tunnel.open', { setup })
  const url = await until('the tunnel to be online', async () => {
    const { tunnel } = await engine.call('app.snapshot', {})
    return tunnel.state === 'online' ? tunnel.url : null
  })
  expect(await send()).toEqual({ sent: 1 })
  const delivery = await tab.one()
  const { host } = new URL(url)
  expect(delivery).toMatchObject({ via: 'tunnel', verdict: 'valid', findings: [] })
  expect(describeClaims(readClaims(delivery.headers), delivery.via)).toMatchObject({
    by: 'tunnel',
    description: `Reported by the tunnel: from 127.0.0.1, over http, to ${host}.`,
    contradictory: false,
  })
  const checks = await engine.call('deliveries.headers', { id: delivery.id })
  // Lower-case header names and the public host are not findings.
  expect(checks.every(({ name }) => name === name.toLowerCase())).toBe(true)
  expect(checks.filter(({ matches }) => matches === false)).toEqual([])
  expect(
    checks
      .filter(({ source }) => source === 'proxy')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])

  const redirectUrl = `${url}/callback`
  const { id } = await engine.call('integrations.create', {
    name: 'Pier 9',
    baseUrl: 'https://service.example',
    redirectUrls: [redirectUrl],
  })
  const { checks: found } = await engine.call('integrations.preflight', { id })
  const note = found.find(({ code }) => code === 'redirect_url.tunnel')
  expect(note?.message).toContain(`${host} is the address of Tabscope’s tunnel`)
})
