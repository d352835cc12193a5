import { describe, expect, it } from 'vitest'
import {
  authorizingInOneEngine,
  sharedAuthorizing,
  canary,
  type Authorizing,
} from '#test/support/authorization.ts'
import { respondWith, openHostileEndpoint } from '#test/support/hostile-endpoint.ts'
import { until } from '#test/support/until.ts'

const open = authorizingInOneEngine()
const json = { 'Content-Type': 'application/json' }

describe('an exchange that is refused', () => {
  const cases: [string, (auth: Authorizing) => void, string, string][] = [
    [
      'a connection that is cut in the middle',
      (auth) =>
        (auth.endpoint.answer = (response) => {
          response.writeHead(200, { ...json, 'Content-Length': '1000' })
          response.write(auth.goodAnswer(), () => response.destroy())
        }),
      'token_truncated',
      'is incomplete',
    ],
    [
      'more than 1 MiB',
      ({ endpoint }) => (endpoint.answer = respondWith(200, `"${'x'.repeat(1024 * 1024)}"`)),
      'token_not_json',
      'bytes',
    ],
  ]

  const shared = sharedAuthorizing()
  it.each(cases)('%s', async (name, arrange, code, words) => {
    const auth = shared()
    const received = auth.endpoint.received.length
    const pushed = auth.pushed.length
    arrange(auth)
    // No code is sent twice.
    const end = await auth.through(`${canary.code}-${name}`)
    expect(end).toMatchObject({ state: 'failed', failure: { code }, tokenId: null })
    expect(end.failure?.message).toContain(words)
    expect(end.steps.at(-1)).toMatchObject({ kind: 'response', outcome: 'failed' })
    expect(auth.endpoint.received).toHaveLength(received + 1)
    expect(await auth.tab.engine.call('tokens.list', {})).toEqual([])
    const text = JSON.stringify(auth.pushed.slice(pushed))
    expect(text).toContain(code)
    for (const value of Object.values(canary)) expect(text).not.toContain(value)
  })

  it('a redirect, whose target gets no request', async () => {
    await using auth = await open()
    await using target = await openHostileEndpoint()
    target.answer = respondWith(200, auth.goodAnswer())
    auth.endpoint.answer = respondWith(302, '', {
      Location: `${target.origin}/api/oauth/token?code=${canary.code}`,
    })
    const end = await auth.through()
    expect(end.failure).toMatchObject({ code: 'token_redirected' })
    expect(end.failure?.message).toContain(
      `${target.origin}/api/oauth/token. Tabscope did not follow it`,
    )
    expect(target.received).toEqual([])
    expect(JSON.stringify(end)).not.toContain(canary.code)
  })

  it('an endpoint that takes longer than 30 seconds', async () => {
    await using auth = await open()
    auth.endpoint.answer = () => undefined
    const run = await auth.start()
    await auth.paste(run, auth.redirectFor(run))
    await until('the request to come', () => auth.endpoint.received.length === 1)
    await auth.pass(29_999)
    expect((await auth.tab.engine.call('authorization.run', { id: run.id })).endedAt).toBeNull()
    await auth.pass(1)
    expect((await auth.ended(run)).failure).toMatchObject({ code: 'token_timeout' })
    expect(auth.endpoint.received).toHaveLength(1)
  })

  it('a server without TLS', async () => {
    await using auth = await open()
    const { engine } = auth.tab
    const baseUrl = auth.endpoint.origin.replace('http:', 'https:')
    await engine.call('integrations.update', { id: auth.integrationId, baseUrl })
    expect((await auth.through()).failure).toMatchObject({ code: 'token_tls' })
  })
})

describe('a token that ends in a line break', () => {
  const flawed = { token: `${canary.token}\r\n`, refreshToken: `${canary.refreshToken}\n` }

  it('is stored as received, is masked with and without it, and is not sent', async () => {
    await using auth = await open()
    const { engine } = auth.tab
    auth.endpoint.answer = respondWith(200, auth.goodAnswer(flawed))
    const end = await auth.through()
    expect(end).toMatchObject({ state: 'succeeded' })
    const [token] = await engine.call('tokens.list', {})
    expect(token).toMatchObject({ ending: canary.token.slice(-4) })
    const id = token?.id ?? 0
    expect(await engine.call('tokens.reveal', { id, which: 'access' })).toEqual({
      value: flawed.token,
    })
    const record = JSON.stringify(await engine.call('authorization.run', { id: end.id }))
    for (const value of Object.values(canary)) expect(record).not.toContain(value)

    const request = { integrationId: auth.integrationId, method: 'GET', query: [], body: '' }
    await expect(
      engine.call('api.send', { ...request, path: '/things', headers: [], tokenId: id }),
    ).rejects.toMatchObject({
      code: 'token_unusable',
      message: expect.stringContaining('that no header can contain'),
    })
    // The user may try it without the line break, which stays a secret.
    auth.endpoint.answer = respondWith(200, `{"you sent":"${canary.token}"}`)
    const header = { name: 'Authorization', value: `Bearer ${flawed.token.trim()}`, on: true }
    const sent = await engine.call('api.send', {
      ...request,
      path: '/things',
      headers: [header],
      tokenId: null,
    })
    expect(sent).toMatchObject({ status: 200 })
    expect(JSON.stringify(sent)).not.toContain(canary.token)
  })
})
