import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import {
  engineClock,
  kindsOf,
  canaryAccess,
  storeCanaryTokens,
  type EngineClock,
} from '#test/support/canary-tokens.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import {
  openTokenEndpoint,
  sendJson,
  tokenResponse,
  type TokenEndpoint,
} from '#test/support/token-endpoint.ts'

const many = 100
let service: TokenEndpoint
let clock: EngineClock

beforeEach(async () => {
  service = await openTokenEndpoint()
  clock = engineClock()
})
afterEach(() => service[Symbol.asyncDispose]())

/** An engine with one expired token that is not refreshed automatically, and a tested template. */
async function opened(): Promise<TestEngine> {
  const dataDir = tempFolder()
  const refresh = { provenAt: 1 }
  await storeCanaryTokens(dataDir, {
    baseUrl: service.origin,
    now: clock.now(),
    lifetime: 20,
    refresh,
  })
  await clock.pass(21_000)
  return openTestEngine({ dataDir, ports: { clock }, background: false })
}

const send = ({ engine }: TestEngine, path = '/things') =>
  engine.call('api.send', {
    integrationId: 1,
    tokenId: 1,
    method: 'GET',
    path,
    query: [],
    headers: [],
    body: '',
  })

const refreshes = () => service.asked.filter(({ path }) => path === '/api/oauth/token')
const isOld = (authorization: string | undefined) => authorization === `Bearer ${canaryAccess}`
const fresh = () => tokenResponse(Math.floor(clock.now() / 1000), 'second')

describe('100 simultaneous calls that get 401 after the expiry of their token', () => {
  it('cause exactly one refresh, and are each retried once with the new token', async () => {
    await using tab = await opened()
    const pending: (() => void)[] = []
    service.answer = async (response, { path, authorization }) => {
      if (path === '/api/oauth/token') return sendJson(response, fresh())
      if (!isOld(authorization)) return sendJson(response, { authorization })
      // All of them have used the old token before the first is refused.
      pending.push(() => sendJson(response, {}, 401))
      if (pending.length === many) for (const refuse of pending) refuse()
    }
    const all = await Promise.all(Array.from({ length: many }, () => send(tab)))
    expect(refreshes()).toHaveLength(1)
    expect(all.map(({ hops }) => hops.map(({ response }) => response?.status))).toEqual(
      Array.from({ length: many }, () => [401, 200]),
    )
    const [token] = await tab.engine.call('tokens.list', {})
    expect(token && kindsOf(token)).toEqual([
      'issued',
      'due',
      'expired',
      'unauthorized',
      'refreshed',
    ])
  })
})
