import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

const on = (state: { faults: { name: string; on: boolean }[] }) =>
  state.faults.filter((fault) => fault.on).map(({ name }) => name)

describe('the sandbox service through the engine', () => {
  it('fills in its integration, and keeps its URL after a stop', async () => {
    await using tab = await openTestEngine()
    const { engine } = tab
    expect((await engine.call('app.snapshot', {})).sandboxService.running).toBe(false)
    const pushed: boolean[] = []
    engine.on('sandboxService.changed', ({ running }) => void pushed.push(running))

    const service = await engine.call('sandboxService.start', {})
    expect(service).toMatchObject({ running: true, tokens: 0, tokenLifetime: 86_400 })
    const [sandbox] = (await engine.call('app.snapshot', {})).integrations
    expect(sandbox).toMatchObject({
      kind: 'sandbox',
      baseUrl: service.baseUrl,
      redirectUrls: service.redirectUrls,
      redirectUrl: service.redirectUrls[0],
      accessSecret: { set: true, unavailable: false },
    })
    expect(sandbox?.accessId).not.toBe('')
    const { secret } = await engine.call('integrations.revealAccessSecret', { id: 1 })
    const answer = await fetch(`${service.baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        api_access_id: sandbox?.accessId,
        api_access_secret: secret,
        code: 'never issued',
      }),
    })
    expect(answer.status).toBe(400)

    expect(await engine.call('sandboxService.start', {})).toEqual(service)
    expect((await engine.call('sandboxService.stop', {})).running).toBe(false)
    await expect(fetch(`${service.baseUrl}/`)).rejects.toThrow()
    const again = await engine.call('sandboxService.start', {})
    expect([again.baseUrl, again.redirectUrls]).toEqual([service.baseUrl, service.redirectUrls])
    await expect.poll(() => pushed.at(-1)).toBe(true)
  })

  it.each([
    ['base URL', { baseUrl: 'https://pier9.example' }],
    ['access id', { accessId: 'id-9' }],
  ])('leaves its integration alone once the user has given it another %s', async (_, change) => {
    await using tab = await openTestEngine()
    const { engine } = tab
    await engine.call('sandboxService.start', {})
    const own = await engine.call('integrations.update', { id: 1, ...change })
    expect(own).toMatchObject({ kind: 'service', ...change })
    await engine.call('sandboxService.stop', {})
    await engine.call('sandboxService.start', {})
    const { integrations } = await engine.call('app.snapshot', {})
    expect(integrations).toMatchObject([own, { name: 'Sandbox service 2', kind: 'sandbox' }])
    const secret = { id: 2, secret: 'a secret of my own' }
    expect((await engine.call('integrations.setAccessSecret', secret)).kind).toBe('service')
  })

  it.runIf(full)(
    'stays the sandbox’s integration if only its name or refresh settings change',
    async () => {
      await using tab = await openTestEngine()
      const { baseUrl } = await tab.engine.call('sandboxService.start', {})
      const change = {
        id: 1,
        name: 'Trial',
        baseUrl: baseUrl ?? '',
        refresh: { dueBeforeSeconds: 60 },
      }
      expect((await tab.engine.call('integrations.update', change)).kind).toBe('sandbox')
    },
  )

  it.runIf(full)('uses another port if its own is in use', async () => {
    await using tab = await openTestEngine()
    const before = await tab.engine.call('sandboxService.start', {})
    await tab.engine.call('sandboxService.stop', {})
    const port = Number(new URL(before.baseUrl ?? '').port)
    await using _ = await listenOnLoopback(createServer(), port)
    const after = await tab.engine.call('sandboxService.start', {})
    expect(after.running).toBe(true)
    expect(after.baseUrl).not.toBe(before.baseUrl)
  })

  it('can be configured while running or stopped, and rejects an unknown fault', async () => {
    await using tab = await openTestEngine()
    const { engine } = tab
    await engine.call('sandboxService.configure', { tokenLifetime: 60, faults: ['slow'] })
    const running = await engine.call('sandboxService.start', {})
    expect([running.tokenLifetime, on(running)]).toEqual([60, ['slow']])
    await engine.call('sandboxService.configure', { faults: [] })
    const stopped = await engine.call('sandboxService.stop', {})
    expect([stopped.tokenLifetime, on(stopped)]).toEqual([60, []])
    await expect(
      engine.call('sandboxService.configure', { faults: ['boredom'] }),
    ).rejects.toMatchObject({
      code: 'sandbox_failed',
      message: expect.stringContaining('Unknown fault'),
    })
  })
})
