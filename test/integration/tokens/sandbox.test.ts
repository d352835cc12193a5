import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { kindsOf } from '#test/support/canary-tokens.ts'
import { until } from '#test/support/until.ts'

let tab: TestEngine
beforeAll(async () => {
  tab = await openTestEngine()
  await tab.engine.call('sandboxService.start', {})
})
afterAll(() => tab[Symbol.asyncDispose]())

/** The user opens the page, approves, and pastes the URL of the redirect. Returns the token's ID. */
async function connect(more: { label?: string; replaces?: number } = {}): Promise<number> {
  const { engine } = tab
  const started = await engine.call('authorization.start', {
    integrationId: 1,
    agent: 'none',
    ...more,
  })
  const seen = (): Promise<Run> => engine.call('authorization.run', { id: started.id })
  const waiting = await until('the run to wait', async () => {
    const run = await seen()
    return run.state === 'running' ? null : run
  })
  const { authorizeUrl } = waiting
  if (authorizeUrl === null) throw new Error(waiting.failure?.message ?? 'nothing to open')
  const page = await (await fetch(authorizeUrl)).text()
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const url = new URL(authorizeUrl)
  const landed = await fetch(url.origin + url.pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url.origin },
    body: new URLSearchParams({ ticket, user: 'mara', decision: 'approve' }),
  })
  const address = landed.headers.get('location') ?? ''
  await engine.call('authorization.paste', { runId: started.id, address })
  const run = await until('the end of the run', async () => {
    const over = await seen()
    return over.endedAt === null ? null : over
  })
  if (run.tokenId === null) throw new Error(run.failure?.message ?? 'no token received')
  return run.tokenId
}

async function statusWith(tokenId: number): Promise<number | null> {
  const exchange = await tab.engine.call('api.send', {
    integrationId: 1,
    tokenId,
    method: 'GET',
    path: '/api/sandbox/locations',
    query: [],
    headers: [],
    body: '',
  })
  return exchange.status
}

const view = async (id: number) => {
  const found = (await tab.engine.call('tokens.list', {})).find((token) => token.id === id)
  if (!found) throw new Error(`there is no token ${id}`)
  return found
}
const valueOf = (id: number) =>
  tab.engine.call('tokens.reveal', { id, which: 'access' }).then(({ value }) => value)

describe('a token of the sandbox', () => {
  it('is refreshed with the default template, used with the new value, and unusable when revoked', async () => {
    const { engine } = tab
    const id = await connect({ label: 'Mara' })
    expect(await view(id)).toMatchObject({ label: 'Mara', version: 1, expiresIn: 86_400 })
    expect(await statusWith(id)).toBe(200)

    const before = await valueOf(id)
    const run = await engine.call('tokens.refresh', { id })
    expect(run).toMatchObject({ state: 'succeeded', failure: null, findings: [] })
    expect(await valueOf(id)).not.toBe(before)
    expect(await statusWith(id)).toBe(200)
    const { integrations } = await engine.call('app.snapshot', {})
    expect(integrations[0]?.refresh.provenAt).toEqual(expect.any(Number))

    await engine.call('sandboxService.revokeTokens', {})
    expect(await statusWith(id)).toBe(401)
    expect((await view(id)).status).toBe('suspect')
    expect(await statusWith(id)).toBe(401)
    expect((await view(id)).status).toBe('revoked')
    expect((await engine.call('tokens.refresh', { id })).failure?.code).toBe('token_refused')
    expect(await connect({ replaces: id })).toBe(id)
    expect(await statusWith(id)).toBe(200)
    const renewed = await view(id)
    expect(renewed).toMatchObject({ label: 'Mara', version: 3, status: 'good' })
    expect(kindsOf(renewed)).toEqual([
      'issued',
      'refreshed',
      'unauthorized',
      'unauthorized',
      'revoked',
      'refresh_failed',
      'replaced',
    ])
  })
})
