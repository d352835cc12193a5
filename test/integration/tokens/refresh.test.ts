import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import {
  engineClock,
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
