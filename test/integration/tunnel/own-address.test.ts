import { expect, test } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo } from '#test/support/forwarding.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

async function openTunnel(
  { engine }: TestEngine,
  options: Record<string, string>,
): Promise<TunnelView & { url: string }> {
  await engine.call('tunnel.open', { setup: { provider: 'localtunnel', options } })
  return until('the tunnel', async () => {
    const { tunnel } = await engine.call('app.snapshot', {})
    return tunnel.state === 'online' && tunnel.url !== null ? { ...tunnel, url: tunnel.url } : null
  })
}

const refusal = (origin: string): string =>
  `${origin} is the public URL of this listener, so a forwarded request would be received and forwarded again. Forward to another URL.`

test('nothing is forwarded to the URL of the tunnel, but a delivery can be resent there manually', async () => {
  await using server = await tunnelServer()
  await using tab = await openTestEngine()
  const { engine, endpointId, path } = tab
  const early = `${server.host.replace('localhost', 'pier9.localhost')}${path}`
  await using forward = await forwardTo(tab, early)
  const { url: origin } = await openTunnel(tab, { host: server.host, subdomain: 'pier9' })
  expect(early).toBe(`${origin}${path}`)
  const sentence = refusal(origin)

  await deliver(tab, post(path, goodBody))
  const first = await tab.one()
  expect(first).toMatchObject({ via: null, sentBy: null })
  expect(await attemptsOf(tab, first.id, 1)).toMatchObject([
    { kind: 'forward', status: null, error: { code: 'invalid_request', message: sentence } },
  ])

  const refused = { code: 'bad_target', message: sentence }
  await expect(
    engine.call('forwards.add', { endpointId, url: `${origin}/elsewhere` }),
  ).rejects.toMatchObject(refused)
  await expect(
    engine.call('forwards.update', { id: forward.id, url: `${origin}/elsewhere` }),
  ).rejects.toMatchObject(refused)

  const again = await engine.call('deliveries.resend', { id: first.id, url: early })
  expect(again).toMatchObject({ status: 200, error: null })
  const [, byHand] = await tab.kept(2)
  expect(byHand).toMatchObject({
    via: 'tunnel',
    sentBy: null,
    sha256: first.sha256,
    verdict: 'valid',
  })
  // It is forwarded like any external delivery, so the loop ends here as well.
  expect((await attemptsOf(tab, byHand?.id ?? 0, 1))[0]?.error?.message).toBe(sentence)

  // An old name may still lead here.
  await engine.call('tunnel.close', {})
  await expect(
    engine.call('forwards.add', { endpointId, url: `${origin}${path}` }),
  ).rejects.toMatchObject(refused)
  expect(await tab.kept(2)).toHaveLength(2)
})
