import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import { createSecretBox } from '#hosts/node/secrets.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import {
  engineClock,
  kindsOf,
  canaryAccess,
  canaryRefresh,
  canarySecret,
  storeCanaryTokens,
  type EngineClock,
  type CanaryTokens,
} from '#test/support/canary-tokens.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import {
  openTokenEndpoint,
  sendJson,
  tokenResponse,
  type TokenEndpoint,
} from '#test/support/token-endpoint.ts'
import { until } from '#test/support/until.ts'

let endpoint: TokenEndpoint
let clock: EngineClock

beforeEach(async () => {
  endpoint = await openTokenEndpoint()
  clock = engineClock()
})
afterEach(() => endpoint[Symbol.asyncDispose]())

const seconds = () => Math.floor(clock.now() / 1000)

const good = () => tokenResponse(seconds(), 'second')

/** The endpoint grants one token after the other: second, third ... */
function grants(change: Record<string, unknown> = {}): void {
  let names = ['second', 'third', 'fourth', 'fifth']
  endpoint.answer = (response) => {
    const [name = 'last', ...rest] = names
    names = rest
    sendJson(response, { ...tokenResponse(seconds(), name), ...change })
  }
}

async function opened(
  plant: Partial<CanaryTokens> = {},
  dataDir = tempFolder(),
): Promise<TestEngine> {
  await storeCanaryTokens(dataDir, { baseUrl: endpoint.origin, now: clock.now(), ...plant })
  return openTestEngine({ dataDir, ports: { clock } })
}

const refresh = ({ engine }: TestEngine, id = 1): Promise<Run> =>
  engine.call('tokens.refresh', { id })

async function tokenOf({ engine }: TestEngine, id = 1) {
  const token = (await engine.call('tokens.list', {})).find((each) => each.id === id)
  if (!token) throw new Error('there is no token')
  return token
}

async function provenAt({ engine }: TestEngine): Promise<number | null> {
  const { integrations } = await engine.call('app.snapshot', {})
  return integrations[0]?.refresh.provenAt ?? null
}

const reveal = ({ engine }: TestEngine, which: 'access' | 'refresh', id = 1) =>
  engine.call('tokens.reveal', { id, which }).then(({ value }) => value)

describe('a manual refresh', () => {
  it('sends the rendered template to the integration, and replaces the token', async () => {
    await using tab = await opened()
    grants()
    const run = await refresh(tab)
    expect(endpoint.asked).toHaveLength(1)
    const [asked] = endpoint.asked
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/api/oauth/token',
      contentType: 'application/json',
      authorization: undefined,
    })
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      grant_type: 'refresh_token',
      api_access_id: 'canary-id',
      api_access_secret: canarySecret,
      refresh_token: canaryRefresh,
    })
    expect(run).toMatchObject({ kind: 'refresh', state: 'succeeded', tokenId: 1, failure: null })
    expect(run.steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['exchange', 'ok'],
      ['response', 'ok'],
      ['token', 'ok'],
    ])
    const token = await tokenOf(tab)
    expect(token).toMatchObject({ id: 1, label: 'Anna', version: 2, refreshing: false })
    expect(token.events.at(-1)).toMatchObject({ kind: 'refreshed', runId: run.id })
    expect(await reveal(tab, 'access')).toBe('ACCESS-canary-second-token')
    expect(await reveal(tab, 'refresh')).toBe('REFRESH-canary-second-token')
    expect(await provenAt(tab)).toBe(clock.now())
    await refresh(tab)
    expect(endpoint.asked[1]?.body).toContain('REFRESH-canary-second-token')
  })

  it.each<[string, string, TokenEndpoint['answer']]>([
    ['400', 'token_refused', (r) => sendJson(r, { error: 'invalid_grant' }, 400)],
    [
      'a cut answer',
      'token_truncated',
      (r) => {
        r.writeHead(200, { 'Content-Length': '5000' }).write(JSON.stringify(good()).slice(0, 40))
        setImmediate(() => r.socket?.destroy())
      },
    ],
  ])('that gets %s fails as %s, and leaves the token unchanged', async (_, code, answer) => {
    await using tab = await opened()
    endpoint.answer = answer
    const run = await refresh(tab)
    expect(run.failure?.code).toBe(code)
    expect(run.failure?.message).toMatch(/\.$/)
    expect(run.failure?.remedy).not.toContain('exchange')
    expect(JSON.stringify(run)).not.toContain('-canary-')
    expect(endpoint.asked).toHaveLength(1)
    const token = await tokenOf(tab)
    expect(token).toMatchObject({ version: 1, status: 'good' })
    expect(kindsOf(token)).toEqual(['issued', 'refresh_failed'])
    expect(await reveal(tab, 'access')).toBe(canaryAccess)
    expect(await reveal(tab, 'refresh')).toBe(canaryRefresh)
    expect(await provenAt(tab)).toBeNull()
  })

  it('fails when nothing listens, or nothing responds within 30 seconds', async () => {
    await using tab = await opened()
    endpoint.answer = () => undefined
    const slow = refresh(tab)
    await until('the request at the endpoint', () => endpoint.asked.length === 1)
    expect((await tokenOf(tab)).refreshing).toBe(true)
    await clock.pass(30_000)
    expect((await slow).failure?.code).toBe('token_timeout')
    const { port } = new URL(endpoint.origin)
    await tab.engine.call('integrations.update', {
      id: 1,
      baseUrl: endpoint.origin.replace(port, '1'),
    })
    expect((await refresh(tab)).failure?.code).toBe('token_unreachable')
  })

  it('is not sent with an unknown placeholder in the template', async () => {
    await using tab = await opened({
      refresh: { template: { ...defaultRefreshTemplate, body: '{"a":"{{code}}"}' } },
    })
    expect((await refresh(tab)).failure?.code).toBe('refresh_template')
    expect(endpoint.asked).toEqual([])
    expect(kindsOf(await tokenOf(tab))).toEqual(['issued', 'refresh_failed'])
  })

  it('is not sent if a value that the template uses is missing', async () => {
    await using tab = await opened()
    await tab.engine.call('integrations.clearAccessSecret', { id: 1 })
    expect((await refresh(tab)).failure).toMatchObject({ code: 'not_ready' })
    await tab.engine.call('integrations.update', {
      id: 1,
      refresh: {
        template: { method: 'GET', path: '/r?t={{refresh_token}}', headers: [], body: '' },
      },
    })
    grants()
    expect((await refresh(tab)).state).toBe('succeeded')
    expect(endpoint.asked).toMatchObject([{ method: 'GET', path: `/r?t=${canaryRefresh}` }])
  })

  it('does not mark a template as tested that was changed during the refresh', async () => {
    await using tab = await opened()
    const { promise, resolve } = Promise.withResolvers<null>()
    endpoint.answer = async (response) => {
      await promise
      sendJson(response, tokenResponse(seconds(), 'second'))
    }
    const running = refresh(tab)
    await until('the request at the endpoint', () => endpoint.asked.length === 1)
    const template = { ...defaultRefreshTemplate, path: '/other' }
    await tab.engine.call('integrations.update', { id: 1, refresh: { template } })
    resolve(null)
    expect((await running).state).toBe('succeeded')
    expect(await provenAt(tab)).toBeNull()
  })
})

describe('a token', () => {
  it('continues after a restart, and pauses without its key', async () => {
    const dataDir = tempFolder()
    const first = await opened({ labels: ['Anna', 'Ben'] }, dataDir)
    grants()
    await refresh(first)
    await first.engine.call('tokens.label', { id: 2, label: 'Cleo' })
    const before = await first.engine.call('tokens.list', {})
    await first.close()

    await using second = await openTestEngine({ dataDir, ports: { clock } })
    expect(await second.engine.call('tokens.list', {})).toEqual(before)
    expect((await second.engine.call('app.snapshot', {})).tokens).toEqual(before)
    expect(await reveal(second, 'access')).toBe('ACCESS-canary-second-token')
    await second.close()

    const secrets = createSecretBox(dataDir, { TABSCOPE_KEY: 'ab'.repeat(32) })
    await using third = await openTestEngine({ dataDir, ports: { clock, secrets } })
    expect(await third.engine.call('tokens.list', {})).toMatchObject([
      { label: 'Anna', status: 'unavailable', ending: null, version: 2 },
      { label: 'Cleo', status: 'unavailable', ending: null },
    ])
    await expect(reveal(third, 'access')).rejects.toMatchObject({ code: 'token_unusable' })
    expect(third.log.join('\n')).not.toContain('canary')
  })
})
