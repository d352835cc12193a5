import { describe, expect, it } from 'vitest'
import { defaultRefreshRule } from '#contract/default-refresh.ts'
import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { openHostileEndpoint, respondWith } from '#test/support/hostile-endpoint.ts'
import { storedFiles } from '#test/support/stored-files.ts'

const tab = sharedTestEngine()
const call: ReturnType<typeof tab>['engine']['call'] = (...given) => tab().engine.call(...given)

const secret = 'access-secret-of-the-tests-9f3a'
const full = {
  name: 'Pier 9',
  brand: 'Acme',
  baseUrl: 'https://pier9.example/base',
  accessId: 'id-1',
  accessSecret: secret,
  redirectUrls: ['http://127.0.0.1:4790/callback', 'https://app.example/callback'],
}

describe('integrations', () => {
  it('start with the sandbox', async () => {
    const { integrations } = await call('app.snapshot', {})
    expect(integrations).toMatchObject([
      { id: 1, name: 'Sandbox service', kind: 'sandbox', baseUrl: '', refresh: defaultRefreshRule },
    ])
  })

  it('have unique names', async () => {
    const { id } = await call('integrations.create', { name: 'Taken' })
    const refused = expect.objectContaining({ code: 'name_taken' })
    await expect(call('integrations.create', { name: 'taken' })).rejects.toEqual(refused)
    await expect(call('integrations.update', { id: 1, name: 'TAKEN' })).rejects.toEqual(refused)
    expect((await call('integrations.update', { id, name: 'TAKEN' })).name).toBe('TAKEN')
    await call('integrations.remove', { id })
  })

  it('use a redirect URL that exactly matches a listed one', async () => {
    const { id } = await call('integrations.create', { ...full, name: 'Redirects' })
    const use = (change: Partial<Pick<Integration, 'redirectUrl' | 'redirectUrls'>>) =>
      call('integrations.update', { id, ...change })
    await expect(use({ redirectUrl: 'https://app.example/callback/' })).rejects.toMatchObject({
      code: 'bad_input',
      details: { fields: ['redirectUrl'] },
    })
    expect((await use({ redirectUrl: full.redirectUrls[1] ?? '' })).redirectUrl).toBe(
      full.redirectUrls[1],
    )
    expect((await use({ redirectUrls: ['https://new.example/'] })).redirectUrl).toBe(
      'https://new.example/',
    )
    expect((await use({ redirectUrls: [] })).redirectUrl).toBe('')
    await call('integrations.remove', { id })
  })

  it('cannot be deleted while an endpoint belongs to them, nor if there is only one', async () => {
    await expect(call('integrations.remove', { id: 1 })).rejects.toMatchObject({ code: 'in_use' })
    const { id } = await call('integrations.create', { name: 'Second' })
    await expect(call('integrations.remove', { id: 1 })).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('The endpoint "Samples" belongs to this integration.'),
    })
    const endpoint = await call('endpoints.update', { id: tab().endpointId, integrationId: id })
    expect(endpoint.integrationId).toBe(id)
    await call('endpoints.update', { id: tab().endpointId, integrationId: 1 })
    await call('integrations.remove', { id })
  })

  it('reset the proof of a refresh template when it or the base URL changes', async () => {
    const { id } = await call('integrations.create', { ...full, name: 'Refresh' })
    const template = { ...defaultRefreshRule.template, path: '/refresh' }
    const { refresh } = await call('integrations.update', { id, refresh: { template } })
    expect(refresh).toEqual({ ...defaultRefreshRule, template })
    const later = await call('integrations.update', { id, refresh: { dueBeforeSeconds: 60 } })
    expect(later.refresh).toEqual({ ...defaultRefreshRule, template, dueBeforeSeconds: 60 })
    await call('integrations.remove', { id })
  })
})

describe('a URL with a user name or password', () => {
  const bad = 'https://ann:hunter2@pier9.example/base'
  const draft = { startUrl: null, callUrl: null } as const
  const request = {
    integrationId: 1,
    tokenId: null,
    method: 'GET',
    query: [],
    headers: [],
    body: '',
  }
  it.each([
    ['a base URL', () => call('integrations.create', { ...full, name: 'A', baseUrl: bad })],
    [
      'a changed base URL',
      () => call('integrations.update', { id: 1, baseUrl: 'ann:hunter2@host' }),
    ],
    ['a base URL by name', () => call('integrations.set', { name: 'B', baseUrl: bad })],
    ['a redirect URL', () => call('integrations.update', { id: 1, redirectUrls: [bad] })],
    [
      'the redirect URL of a run',
      () => call('authorization.start', { integrationId: 1, agent: 'none', redirectUrl: bad }),
    ],
    ['a forward target', () => call('forwards.add', { endpointId: tab().endpointId, url: bad })],
    ['a target', () => call('targets.resolve', { url: bad })],
    ['an API call', () => call('api.send', { ...request, path: bad })],
    ['a saved API call', () => call('api.save', { name: 'A', request: { ...request, path: bad } })],
    ['a rehearsal', () => call('rehearsals.start', { url: bad, seed: 1 })],
    ['a client', () => call('rehearsals.startOauth', { ...draft, redirectUrl: bad })],
    ['the start of a client', () => call('rehearsals.startOauth', { ...draft, startUrl: bad })],
    [
      'a tunnel',
      () => call('tunnel.configure', { setup: { provider: 'manual', options: { url: bad } } }),
    ],
    [
      'a target of assistants',
      () =>
        call('settings.update', { assistantTargets: [{ name: 'a', url: bad, endpointId: null }] }),
    ],
    ['a proxy', () => call('settings.update', { proxy: bad })],
  ])('is refused, not stored and not shown: %s', async (_what, use) => {
    const error: unknown = await use().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(AppError)
    const { message } = error instanceof AppError ? error : { message: '' }
    expect(message).toMatch(/user name or password|credentials/)
    const shown = JSON.stringify([message, await call('app.snapshot', {}), tab().log])
    expect(shown).not.toContain('hunter2')
    for (const { name, bytes } of storedFiles(tab().dataDir))
      expect(bytes.includes('hunter2'), name).toBe(false)
  })
})

const probeAt = async (baseUrl: string) => {
  const { id } = await call('integrations.create', { ...full, name: baseUrl, baseUrl })
  return call('integrations.probe', { id })
}

describe('the probe of the base URL', () => {
  it('reports that the service answers, without sending anything that belongs to the integration', async () => {
    await using service = await openHostileEndpoint()
    expect(await probeAt(`http://127.0.0.1:${service.port}/base/`)).toEqual({
      requested: `GET ${service.origin}/base/manager/oauth`,
      outcome: 'answers',
      message: expect.stringMatching(/^The service responded with 400 Bad Request in /),
    })
    expect(service.probes).toMatchObject([{ method: 'GET', url: '/base/manager/oauth', body: '' }])
    expect(JSON.stringify(service.probes)).not.toMatch(/authorization|cookie|id-1|callback/i)
  })

  it('quotes a page that is missing, and names what prevents a connection', async () => {
    await using service = await openHostileEndpoint()
    service.page = respondWith(404, '{"error":"no such page"}')
    expect(await probeAt(service.origin)).toMatchObject({
      outcome: 'error',
      message: expect.stringContaining('404 Not Found: “no such page”. Compare the base URL'),
    })
    expect((await probeAt(`https://127.0.0.1:${service.port}`)).message).toContain(
      'it does not use TLS on this port',
    )
    await service.close()
    expect((await probeAt(`http://127.0.0.1:${service.port}/closed`)).message).toContain(
      `Nothing listens at 127.0.0.1:${service.port}.`,
    )
    await expect(probeAt('nonsense')).rejects.toMatchObject({ code: 'bad_input' })
  })
})
