import { describe, expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { readTokens } from '#engine/authorization/tokens/store.ts'
import { fakeClock } from '#test/support/fake-clock.ts'
import { grantAt, openTokenManager, reversingBox, withToken } from '#test/support/token-manager.ts'

const hour = 3_600_000
const none = { replaces: null, runId: 7, findings: [] }

describe('keeping a token', () => {
  it('shows everything except the values', async () => {
    const test = await openTokenManager()
    const view = await test.kept(undefined, 'Anna')
    expect(view).toEqual({
      id: 1,
      integrationId: 1,
      label: 'Anna',
      ending: '0001',
      hasRefreshToken: true,
      initiated: 0,
      expires: 86_400,
      expiresIn: 86_400,
      obtainedAt: 0,
      version: 1,
      status: 'good',
      dueBeforeSeconds: 3600,
      refreshing: false,
      findings: [],
      events: [{ kind: 'issued', at: 0, detail: null, runId: 7 }],
    })
    expect(JSON.stringify(test.pushes)).not.toContain('-token-')
    expect(test.pushes.at(-1)).toEqual([view])
  })

  it('numbers tokens without a label', async () => {
    const test = await openTokenManager()
    const labels = ['', 'Ben', '', 'Token 9', '']
    const views = []
    for (const label of labels) views.push(await test.kept(undefined, label))
    expect(views.map(({ label }) => label)).toEqual([
      'Token 1',
      'Ben',
      'Token 2',
      'Token 9',
      'Token 10',
    ])
    expect((await test.manager.label(2, 'Cleo')).label).toBe('Cleo')
    expect((await test.manager.label(2, '')).label).toBe('Token 11')
  })

  it('replaces another: the same row, the next version, in good status', async () => {
    const test = await openTokenManager()
    await test.kept(undefined, 'Anna')
    await test.manager.recordResponse(test.manager.use(1), 401)
    expect(test.manager.view(1).status).toBe('suspect')
    const second = grantAt(500, 100, 'second')
    const view = await test.manager.keep(second, {
      ...none,
      integrationId: 1,
      label: '',
      replaces: 1,
    })
    expect(view).toMatchObject({ id: 1, label: 'Anna', version: 2, status: 'good', expires: 600 })
    expect(test.kinds(1)).toContain('replaced')
    expect(test.manager.use(1)).toMatchObject({ value: second.token, version: 2, expires: 600 })
    const third = { ...none, integrationId: 1, label: 'Ben', replaces: 1 }
    expect((await test.manager.keep(second, third)).label).toBe('Ben')
  })

  it('is a new token if the other was deleted in the meantime', async () => {
    const test = await withToken()
    await test.manager.remove(1)
    const of = { ...none, integrationId: 1, label: '', replaces: 1 }
    expect(await test.manager.keep(grantAt(0), of)).toMatchObject({ id: 2, version: 1 })
  })
})

describe('the timeline', () => {
  it('records due and expired when their time passes, once', async () => {
    const test = await openTokenManager()
    test.integration = {
      ...test.integration,
      refresh: { ...test.integration.refresh, automatic: false },
    }
    await test.kept()
    await test.clock.pass(23 * hour - 1)
    expect(test.kinds(1)).toEqual(['issued'])
    await test.clock.pass(1)
    expect(test.kinds(1)).toEqual(['issued', 'due'])
    await test.clock.pass(1 * hour)
    expect(test.kinds(1)).toEqual(['issued', 'due', 'expired'])
    await test.clock.pass(48 * hour)
    expect(test.manager.view(1).events.map(({ at }) => at)).toEqual([0, 23 * hour, 24 * hour])
    expect(readTokens(test.store.db)[0]?.events).toEqual(test.manager.view(1).events)
  })

  it('is the same after a restart, and includes milestones that passed in the meantime', async () => {
    const first = await openTokenManager({ background: false })
    await first.kept(undefined, 'Anna')
    await first.manager.close()
    const clock = fakeClock()
    await clock.pass(30 * hour)
    const again = await openTokenManager({ store: first.store, clock, background: false })
    const view = again.manager.view(1)
    expect(view).toMatchObject({ label: 'Anna', version: 1, status: 'good' })
    expect(view.events.map(({ kind, at }) => [kind, at])).toEqual([
      ['issued', 0],
      ['due', 23 * hour],
      ['expired', 24 * hour],
    ])
    expect(again.manager.use(1).value).toBe(grantAt(0).token)
    expect(again.manager.reveal(1, 'refresh')).toBe(grantAt(0).refreshToken)
    expect(again.tries).toEqual([])
  })
})

describe('a response to a call', () => {
  it('changes only the version of the token that was used', async () => {
    const test = await withToken()
    const used = test.manager.use(1)
    test.bring = async () => grantAt(0, 86_400, 'second')
    await test.manager.refresh(1)
    await test.manager.recordResponse(used, 401)
    await test.manager.recordResponse(used, 403)
    expect(test.manager.view(1)).toMatchObject({ status: 'good', version: 2 })
    expect(test.kinds(1)).toEqual(['issued', 'refreshed'])
  })

  it('403 and a later 2xx', async () => {
    const test = await withToken()
    const used = test.manager.use(1)
    await test.manager.recordResponse(used, 403)
    expect(test.manager.view(1).status).toBe('invalid')
    expect(readTokens(test.store.db)[0]?.status).toBe('invalid')
    await test.manager.recordResponse(used, 201)
    expect(test.manager.view(1).status).toBe('good')
    expect(readTokens(test.store.db)[0]?.status).toBe('good')
    expect(test.kinds(1)).toEqual(['issued', 'forbidden'])
  })

  it('is kept in memory while it cannot be stored, and stored as soon as possible', async () => {
    let full = false
    const failure = new AppError('store_failed', 'The disk is full. Free up space on it.')
    const test = await openTokenManager({
      background: false,
      storing: () => {
        if (full) throw failure
      },
    })
    const reasons: string[] = []
    const closing = new AbortController()
    const unstored = {
      signal: closing.signal,
      waiting: (reason: string) => void reasons.push(reason),
    }
    full = true
    const of = { ...none, integrationId: 1, label: '', replaces: null, unstored }
    const keeping = test.manager.keep(grantAt(0), of)
    await test.clock.pass(2500)
    expect(reasons).toEqual(['The disk is full. Free up space on it.'])
    expect(readTokens(test.store.db)).toEqual([])
    full = false
    await test.clock.pass(1000)
    expect(await keeping).toMatchObject({ id: 1, status: 'good' })
    expect(test.manager.reveal(1, 'access')).toBe(grantAt(0).token)
    expect(readTokens(test.store.db)).toHaveLength(1)

    // A token that replaces another can be used immediately.
    full = true
    const replacing = test.manager.keep(grantAt(0, 100, 'second'), { ...of, replaces: 1 })
    await test.clock.pass(1500)
    expect(test.manager.reveal(1, 'access')).toBe(grantAt(0, 100, 'second').token)
    expect(readTokens(test.store.db)[0]?.version).toBe(1)
    full = false
    await test.clock.pass(1000)
    expect((await replacing).version).toBe(2)
    expect(readTokens(test.store.db)[0]?.version).toBe(2)

    // After closing there are no more retries.
    full = true
    const ended = test.manager.keep(grantAt(0, 100, 'third'), of)
    ended.catch(() => undefined)
    await test.clock.pass(1000)
    closing.abort()
    await expect(ended).rejects.toBe(failure)
  })

  it('is ignored after the token was deleted', async () => {
    const test = await withToken()
    const used = test.manager.use(1)
    await test.manager.remove(1)
    await test.manager.recordResponse(used, 401)
    expect(test.manager.views()).toEqual([])
    expect(await test.manager.renew(used)).toMatchObject({ token: null })
  })
})

describe('the end of a token', () => {
  it('deletes its values and keeps its timeline when it is forgotten', async () => {
    const test = await withToken()
    const view = await test.manager.forget(1)
    expect(view).toMatchObject({ status: 'forgotten', ending: null, hasRefreshToken: false })
    expect(test.kinds(1)).toEqual(['issued', 'forgotten'])
    expect(readTokens(test.store.db)[0]).toMatchObject({ sealedAccess: null, sealedRefresh: null })
    for (const ask of [
      () => test.manager.use(1),
      () => test.manager.reveal(1, 'access'),
      () => test.manager.reveal(1, 'refresh'),
    ]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'token_unusable' }))
    }
    expect(await test.manager.refresh(1)).toMatchObject({ state: 'failed' })
    expect(test.tries).toEqual([{ refreshToken: null }])
    expect(test.manager.clearValues()).toEqual([])
    // A second time changes nothing.
    await test.manager.forget(1)
    expect(test.kinds(1)).toEqual(['issued', 'forgotten'])
  })

  it('is deleted with its timeline, or with its integration', async () => {
    const test = await withToken()
    await test.kept()
    await test.manager.remove(1)
    expect(readTokens(test.store.db).map(({ id }) => id)).toEqual([2])
    expect(test.store.db.prepare('SELECT count(*) AS n FROM token_event').get()).toEqual({ n: 1 })
    await expect(test.manager.remove(1)).rejects.toMatchObject({ code: 'not_found' })
    test.manager.integrationRemoved(2)
    expect(test.manager.views()).toHaveLength(1)
    test.manager.integrationRemoved(1)
    expect(test.pushes.at(-1)).toEqual([])
  })
})

it('a token that cannot be unsealed is unavailable, stays stored, and is available again with its key', async () => {
  const first = await openTokenManager()
  await first.kept()
  const lost = { ...reversingBox, unseal: () => Promise.reject(new Error('another key')) }
  const test = await openTokenManager({ store: first.store, secrets: lost })
  expect(test.manager.view(1)).toMatchObject({
    status: 'unavailable',
    ending: null,
    hasRefreshToken: true,
  })
  expect(() => test.manager.use(1)).toThrow(expect.objectContaining({ code: 'token_unusable' }))
  await test.clock.pass(48 * hour)
  expect(test.tries).toEqual([])
  expect(await test.manager.refresh(1)).toMatchObject({ state: 'failed' })
  expect(test.tries).toEqual([{ refreshToken: null }])
  expect(JSON.stringify(test.log.errors)).not.toContain('first')
  const back = await openTokenManager({ store: first.store })
  expect(back.manager.view(1).status).toBe('good')
})

it('refreshes immediately after sleep what became due in the meantime', async () => {
  const fake = fakeClock()
  let slept = 0
  const test = await openTokenManager({ clock: { ...fake, now: () => fake.now() + slept } })
  await test.kept()
  slept = 30 * 86_400_000
  // No timer has run yet.
  await fake.pass(0)
  expect(test.tries).toHaveLength(0)
  test.manager.slept()
  await fake.pass(0)
  expect(test.tries).toHaveLength(1)
})
