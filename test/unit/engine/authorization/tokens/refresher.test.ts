import { describe, expect, it } from 'vitest'
import { readTokens } from '#engine/authorization/tokens/store.ts'
import { fakeClock } from '#test/support/fake-clock.ts'
import {
  grantAt,
  openTokenManager,
  withToken,
  type TokenManagerTest,
  connectionFailure,
  rateLimited,
} from '#test/support/token-manager.ts'

const hour = 3_600_000

/** A token that expired a second ago, with a fake clock. */
async function ended(): Promise<TokenManagerTest> {
  const test = await openTokenManager({ background: false })
  await test.kept(grantAt(0, 100))
  await test.clock.pass(101_000)
  return test
}

/** An attempt that waits until it is released. */
function held(test: TokenManagerTest, bring: TokenManagerTest['bring']): () => void {
  const { promise, resolve } = Promise.withResolvers<null>()
  test.bring = async () => {
    await promise
    return bring()
  }
  return () => resolve(null)
}

const second = (test: TokenManagerTest) => grantAt(test.clock.now() / 1000, 86_400, 'second')

describe('a manual refresh', () => {
  it('replaces the values, and marks the template as tested', async () => {
    const test = await openTokenManager()
    await test.kept(undefined, 'Anna')
    test.bring = async () => second(test)
    const run = await test.manager.refresh(1)
    expect(run).toMatchObject({ state: 'succeeded', tokenId: 1 })
    expect(test.manager.view(1)).toMatchObject({
      id: 1,
      label: 'Anna',
      version: 2,
      expires: 86_400,
    })
    expect(test.manager.view(1).events.at(-1)).toMatchObject({ kind: 'refreshed', runId: 1 })
    expect(test.manager.reveal(1, 'access')).toBe('access-token-second-0001')
    expect(test.manager.reveal(1, 'refresh')).toBe('refresh-token-second-0001')
    expect(test.tries).toEqual([{ refreshToken: 'refresh-token-first-0001' }])
    expect(test.proofs).toEqual([0])
    const reopened = await openTokenManager({ store: test.store })
    expect(reopened.manager.use(1)).toMatchObject({ value: 'access-token-second-0001', version: 2 })
  })

  it('keeps the old refresh token if there is no new one', async () => {
    const test = await withToken()
    test.bring = async () => ({ ...second(test), refreshToken: null })
    await test.manager.refresh(1)
    expect(test.manager.reveal(1, 'access')).toBe('access-token-second-0001')
    expect(test.manager.reveal(1, 'refresh')).toBe('refresh-token-first-0001')
    const reopened = await openTokenManager({ store: test.store })
    expect(reopened.manager.reveal(1, 'refresh')).toBe('refresh-token-first-0001')
  })

  it('changes only the timeline if it fails, and may be repeated', async () => {
    const test = await withToken()
    test.bring = async () => 'The service said no.'
    expect(await test.manager.refresh(1)).toMatchObject({ state: 'failed' })
    expect(test.manager.view(1)).toMatchObject({ version: 1, status: 'good', refreshing: false })
    expect(test.manager.view(1).events.at(-1)).toEqual({
      kind: 'refresh_failed',
      at: 0,
      detail: 'The service said no.',
      runId: 1,
    })
    expect(test.proofs).toEqual([])
    test.bring = async () => second(test)
    expect(await test.manager.refresh(1)).toMatchObject({ state: 'succeeded' })
  })

  it('is recorded as failed after an internal error', async () => {
    const test = await withToken()
    test.bring = () => Promise.reject(new Error('the disk is full'))
    await expect(test.manager.refresh(1)).rejects.toThrow('the disk is full')
    expect(test.kinds(1)).toEqual(['issued', 'refresh_failed'])
    expect(test.manager.view(1).refreshing).toBe(false)
  })

  it('fails with a message without a refresh token, and throws without a token', async () => {
    const test = await openTokenManager()
    await test.kept({ ...grantAt(0), refreshToken: null })
    expect(await test.manager.refresh(1)).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringContaining('has no refresh token') },
    })
    expect(test.tries).toEqual([{ refreshToken: null }])
    await expect(test.manager.refresh(2)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('may be tried for a revoked token, and restores it', async () => {
    const test = await withToken()
    await test.manager.recordResponse(test.manager.use(1), 401)
    test.bring = async () => second(test)
    await test.manager.refresh(1)
    expect(test.manager.view(1).status).toBe('good')
  })

  it('reports that it is running, and that it has finished', async () => {
    const test = await withToken()
    const go = held(test, async () => second(test))
    const before = test.pushes.length
    const refreshing = test.manager.refresh(1)
    expect(test.manager.view(1).refreshing).toBe(true)
    go()
    await refreshing
    const seen = test.pushes.slice(before).map(([token]) => token?.refreshing)
    expect([seen[0], seen.at(-1)]).toEqual([true, false])
  })
})

describe('a call that got 401 after the expiry', () => {
  it('refreshes once for 100 simultaneous requests, manual or not', async () => {
    const test = await ended()
    const used = test.manager.use(1)
    const go = held(test, async () => second(test))
    const all = Array.from({ length: 100 }, async () => {
      await test.manager.recordResponse(used, 401)
      return test.manager.renew(used)
    })
    const byHand = test.manager.refresh(1)
    go()
    const renewed = await Promise.all(all)
    expect(test.tries).toHaveLength(1)
    expect(await byHand).toMatchObject({ id: 1 })
    for (const { token } of renewed)
      expect(token).toMatchObject({ id: 1, value: 'access-token-second-0001', version: 2 })
    expect(test.kinds(1)).toEqual(['issued', 'due', 'expired', 'unauthorized', 'refreshed'])
    // A late call with the old token gets the new one.
    expect(await test.manager.renew(used)).toMatchObject({ token: { version: 2 } })
    expect(test.tries).toHaveLength(1)
  })

  it('fails for all waiting calls, and does not retry automatically', async () => {
    const test = await ended()
    const used = test.manager.use(1)
    test.bring = async () => 'The service said no.'
    const all = await Promise.all(Array.from({ length: 100 }, () => test.manager.renew(used)))
    for (const renewal of all)
      expect(renewal).toMatchObject({ token: null, reason: expect.stringContaining('said no') })
    for (let late = 0; late < 5; late += 1)
      expect(await test.manager.renew(used)).toMatchObject({ token: null })
    expect(test.tries).toHaveLength(1)
    // Not after a restart either.
    const reopened = await openTokenManager({ store: test.store, clock: test.clock })
    expect(await reopened.manager.renew(used)).toMatchObject({ token: null })
    await test.clock.pass(10 * hour)
    expect(reopened.tries).toHaveLength(0)
    // The user may.
    test.bring = async () => second(test)
    await test.manager.refresh(1)
    expect(await test.manager.renew(used)).toMatchObject({ token: { version: 2 } })
  })

  it('fails for all waiting calls after an internal error, and refers to the log', async () => {
    const test = await ended()
    const used = test.manager.use(1)
    test.bring = () => Promise.reject(new Error('the disk is full'))
    const all = await Promise.all([test.manager.renew(used), test.manager.renew(used)])
    for (const renewal of all) {
      expect(renewal).toMatchObject({
        token: null,
        reason: expect.stringContaining('See the log entry'),
      })
    }
    expect(await test.manager.renew(used)).toMatchObject({ token: null })
    expect(test.tries).toHaveLength(1)
  })

  it('retries with growing delays while the service cannot be reached', async () => {
    const test = await withToken()
    test.bring = async () => connectionFailure
    await test.clock.pass(23 * hour)
    expect(test.tries).toHaveLength(1)
    await test.clock.pass(59_000)
    expect(test.tries).toHaveLength(1)
    await test.clock.pass(1000 + 120_000 + 240_000)
    expect(test.tries).toHaveLength(4)
    await test.clock.pass(12 * hour)
    expect(test.tries.length).toBeLessThan(22)
    expect(test.kinds(1)).toEqual([
      'issued',
      'due',
      'refresh_unreached',
      'expired',
      'refresh_unreached',
    ])
    test.bring = async () => second(test)
    await test.clock.pass(hour)
    expect(test.kinds(1).at(-1)).toBe('refreshed')
  })

  it('waits as long as a service that limits requests asks for', async () => {
    const test = await withToken()
    test.bring = async () => rateLimited
    await test.clock.pass(23 * hour)
    expect(test.kinds(1)).toEqual(['issued', 'due', 'refresh_unreached'])
    test.bring = async () => second(test)
    await test.clock.pass(2 * hour - 1000)
    expect(test.tries).toHaveLength(1)
    await test.clock.pass(1000)
    expect(test.kinds(1).at(-1)).toBe('refreshed')
  })

  it('refreshes nothing before expiry', async () => {
    const test = await openTokenManager({ background: false })
    await test.kept(grantAt(0, 100))
    await test.clock.pass(50_000)
    const used = test.manager.use(1)
    test.bring = async () => second(test)
    expect(await test.manager.renew(used)).toMatchObject({ token: null })
    expect(test.tries).toEqual([])
  })

  it('does not refresh automatically again after a 401 to the fresh token', async () => {
    const test = await ended()
    // A service whose tokens have already expired when they are received.
    test.bring = async () => grantAt(0, 100, 'second')
    const renewal = await test.manager.renew(test.manager.use(1))
    if (!renewal.token) throw new Error(renewal.reason)
    await test.manager.recordResponse(renewal.token, 401)
    expect(test.manager.view(1).status).toBe('suspect')
    expect(await test.manager.renew(renewal.token)).toMatchObject({ token: null })
    expect(test.tries).toHaveLength(1)
  })
})

it.each([
  [
    'replaced',
    async ({ manager }: TokenManagerTest) =>
      void (await manager.keep(grantAt(101, 1000, 'third'), {
        integrationId: 1,
        label: '',
        replaces: 1,
        runId: 9,
        findings: [],
      })),
    'access-token-third-0001',
  ],
  ['forgotten', async ({ manager }: TokenManagerTest) => void (await manager.forget(1)), null],
  ['deleted', async ({ manager }: TokenManagerTest) => manager.remove(1), null],
])(
  'a token that changes while it is refreshed stays unchanged when %s',
  async (_, change, value) => {
    const test = await ended()
    const used = test.manager.use(1)
    const go = held(test, async () => second(test))
    const renewing = test.manager.renew(used)
    await test.clock.pass(0)
    await change(test)
    go()
    const renewal = await renewing
    expect(renewal.token?.value ?? null).toBe(value)
    expect(JSON.stringify(readTokens(test.store.db))).not.toContain('refreshed')
  },
)

describe('automatic refresh', () => {
  it('refreshes a token when it is due, again and again', async () => {
    const test = await withToken()
    test.bring = async () => grantAt(test.clock.now() / 1000)
    await test.clock.pass(23 * hour - 1)
    expect(test.tries).toHaveLength(0)
    await test.clock.pass(1)
    expect(test.tries).toHaveLength(1)
    await test.clock.pass(23 * hour)
    expect(test.tries).toHaveLength(2)
    expect(test.kinds(1)).toEqual(['issued', 'due', 'refreshed', 'due', 'refreshed'])
  })

  it('does not retry a refresh that failed', async () => {
    const test = await withToken()
    test.bring = async () => 'The service said no.'
    await test.clock.pass(72 * hour)
    expect(test.tries).toHaveLength(1)
    expect(test.kinds(1)).toEqual(['issued', 'due', 'refresh_failed', 'expired'])
  })

  it.each([
    ['the template is not tested', { provenAt: null }],
    ['it is switched off', { automatic: false }],
  ])('refreshes nothing while %s, and immediately when that changes', async (_, change) => {
    const test = await openTokenManager()
    const { integration } = test
    test.integration = { ...integration, refresh: { ...integration.refresh, ...change } }
    await test.kept()
    test.bring = async () => second(test)
    await test.clock.pass(23.5 * hour)
    expect(test.tries).toHaveLength(0)
    test.integration = integration
    test.manager.integrationChanged()
    await test.clock.pass(0)
    expect(test.tries).toHaveLength(1)
  })

  it('does nothing for a short-lived command', async () => {
    const test = await openTokenManager({ background: false })
    await test.kept()
    await test.clock.pass(48 * hour)
    expect([test.tries, test.kinds(1)]).toEqual([[], ['issued']])
  })

  it('refreshes at the start what became due while Tabscope was not running', async () => {
    const first = await openTokenManager()
    await first.kept()
    await first.manager.close()
    const clock = fakeClock()
    await clock.pass(30 * hour)
    const test = await openTokenManager({ store: first.store, clock })
    test.bring = async () => second(test)
    await clock.pass(0)
    expect(test.tries).toHaveLength(1)
  })

  it('refreshes no refused token, and none that had expired when it was received', async () => {
    const test = await withToken()
    await test.kept()
    await test.kept(grantAt(-100, 100))
    await test.manager.recordResponse(test.manager.use(1), 401)
    await test.manager.recordResponse(test.manager.use(2), 403)
    await test.clock.pass(72 * hour)
    expect(test.tries).toHaveLength(0)
  })

  it('does not loop if the service issues very short-lived tokens', async () => {
    const test = await openTokenManager()
    await test.kept(grantAt(0, 1))
    test.bring = async () => grantAt(test.clock.now() / 1000, 1)
    await test.clock.pass(10 * 60_000)
    expect(test.tries.length).toBeLessThanOrEqual(20)
  })

  it('closes even if a refresh in progress does not end', async () => {
    const test = await withToken()
    test.bring = () => new Promise(() => undefined)
    void test.manager.refresh(1)
    let closed = false
    const closing = test.manager.close().then(() => (closed = true))
    await test.clock.pass(9999)
    expect(closed).toBe(false)
    await test.clock.pass(1)
    expect(await closing).toBe(true)
  })

  it('closes after the refresh in progress', async () => {
    const test = await withToken()
    const go = held(test, async () => second(test))
    const refreshing = test.manager.refresh(1)
    const closing = test.manager.close()
    go()
    await Promise.all([refreshing, closing])
    expect(readTokens(test.store.db)[0]?.version).toBe(2)
    await test.clock.pass(72 * hour)
    expect(test.tries).toHaveLength(1)
  })
})
