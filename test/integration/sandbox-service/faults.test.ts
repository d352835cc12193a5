import { expect, it } from 'vitest'
import { faults, type Fault } from '#sandbox/service/faults.ts'
import { until } from '#test/support/until.ts'
import { objectOf, open, type Opened } from './service-client.ts'

const now = Date.parse('2026-03-14T21:00:00.000Z') / 1000

/** The parameters of the redirect under a fault, as pairs. */
async function backWith(opened: Opened): Promise<[string, string][]> {
  const back = await opened.decide()
  return [...back.searchParams].map(([name, value]) => [
    name,
    value.startsWith('ac_') ? 'THE CODE' : value,
  ])
}

/** The effect of each fault. All faults must be listed. */
const checks: Readonly<Record<Fault, (opened: Opened) => Promise<void>>> = {
  async slow(opened) {
    const code = (await opened.decide()).searchParams.get('code') ?? ''
    let answered = false
    const answer = opened.exchange(code).finally(() => (answered = true))
    await until('the request to wait', async () => {
      await opened.clock.pass(0)
      return opened.clock.waiting() > 0
    })
    await opened.clock.pass(4999)
    expect(answered).toBe(false)
    await opened.clock.pass(1)
    expect((await answer).status).toBe(200)
  },
  async server_error(opened) {
    const answer = await opened.exchange('any')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ madeUp: true })
  },
  async malformed_json(opened) {
    const code = (await opened.decide()).searchParams.get('code') ?? ''
    const answer = await opened.exchange(code)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toMatch(/^\{"tokenType":"Bearer"/)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  },
  async missing_fields(opened) {
    const fields = Object.keys(await opened.connect())
    expect(fields).toEqual(['tokenType', 'token', 'expiresIn', 'refreshToken'])
  },
  async no_token(opened) {
    expect(await opened.connect()).not.toHaveProperty('token')
  },
  async no_refresh_token(opened) {
    expect(Object.keys(await opened.connect())).toHaveLength(5)
    expect(await opened.connect()).not.toHaveProperty('refreshToken')
  },
  async snake_case(opened) {
    expect(Object.keys(await opened.connect())).toEqual([
      'token_type',
      'access_token',
      'initiated',
      'expires',
      'expires_in',
      'refresh_token',
    ])
  },
  async not_bearer(opened) {
    expect(await opened.connect()).toMatchObject({ tokenType: 'MAC' })
  },
  async expired(opened) {
    const { initiated, expires } = await opened.connect()
    expect({ initiated, expires }).toEqual({ initiated: now - 2 * 86_400, expires: now - 86_400 })
  },
  async milliseconds(opened) {
    const { initiated, expires } = await opened.connect()
    expect({ initiated, expires }).toEqual({
      initiated: now * 1000,
      expires: (now + 86_400) * 1000,
    })
  },
  async html(opened) {
    const code = (await opened.decide()).searchParams.get('code') ?? ''
    const answer = await opened.exchange(code)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toMatch(/^<!doctype html>/)
  },
  async redirect(opened) {
    const answer = await opened.exchange('any')
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`${opened.service.state().baseUrl}/api/moved`)
  },
  async reset(opened) {
    await expect(opened.exchange('any')).rejects.toThrow('fetch failed')
  },
  async refresh_once(opened) {
    const { refreshToken } = await opened.connect()
    const next = await objectOf(await opened.refresh(String(refreshToken)))
    expect((await opened.refresh(String(refreshToken))).status).toBe(400)
    expect((await opened.refresh(String(next['refreshToken']))).status).toBe(200)
  },
  async wrong_state(opened) {
    const [code, state, ...more] = await backWith(opened)
    expect([code, more]).toEqual([['code', 'THE CODE'], []])
    expect(state?.[0]).toBe('state')
    expect(state?.[1]).toMatch(/^.{32}$/)
  },
  async no_state(opened) {
    expect(await backWith(opened)).toEqual([['code', 'THE CODE']])
  },
  async state_twice(opened) {
    const state = ['state', 'state-1']
    expect(await backWith(opened)).toEqual([['code', 'THE CODE'], state, state])
  },
  async code_twice(opened) {
    const [first, second, ...more] = await backWith(opened)
    expect(first).toEqual(['code', 'THE CODE'])
    expect(second?.[0]).toBe('code')
    expect(second?.[1]).toMatch(/^.{32}$/)
    expect(more).toEqual([['state', 'state-1']])
  },
  async no_code(opened) {
    expect(await backWith(opened)).toEqual([['state', 'state-1']])
  },
  async empty_code(opened) {
    expect(await backWith(opened)).toEqual([
      ['code', ''],
      ['state', 'state-1'],
    ])
  },
  async wrong_path(opened) {
    const back = await opened.decide()
    expect(back.origin + back.pathname).toBe('https://client.invalid/callback/elsewhere')
    expect(back.searchParams.get('state')).toBe('state-1')
  },
  async code_on_the_way(opened) {
    const path = (await opened.approved()).headers.get('location') ?? ''
    expect(path).toMatch(/^\/manager\/oauth\/on-the-way\?code=of-a-page-on-the-way&to=/)
    const on = await opened.get(path)
    expect(on.status).toBe(302)
    expect(on.headers.get('location')).toMatch(/^https:\/\/client\.invalid\/callback\?code=ac_/)
    expect((await opened.get(path)).status).toBe(400)
  },
  async by_link(opened) {
    const page = await opened.approved()
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(
      /href="https:\/\/client\.invalid\/callback\?code=ac_[\w-]+&amp;state=state-1"/,
    )
  },
}

it.each(faults)('applies the fault: %s', async (fault) => {
  await using opened = await open({ faults: [fault] })
  expect(opened.service.state().faults).toEqual([fault])
  await checks[fault](opened)
})

it('works without a fault once it is removed', async () => {
  await using opened = await open({ faults: ['server_error', 'no_code'] })
  opened.service.configure({ faults: [] })
  expect(await opened.connect()).toHaveProperty('token')
})

it('closes during a slow response', async () => {
  await using opened = await open({ faults: ['slow'] })
  const answer = opened.exchange('any').catch((error: unknown) => error)
  await until('the request to wait', async () => {
    await opened.clock.pass(0)
    return opened.clock.waiting() > 0
  })
  await opened.service.close()
  expect(await answer).toBeInstanceOf(TypeError)
})
