import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import type { Engine } from '#engine/app/engine.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { until } from '#test/support/until.ts'

const sandbox = 1

/** Opens the address like a browser, decides, and follows the redirects. Returns the last page. */
async function asUser(run: Run, decision: 'approve' | 'deny' = 'approve'): Promise<Response> {
  const authorizeUrl = run.authorizeUrl ?? ''
  const page = await (await fetch(authorizeUrl)).text()
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const { origin, pathname } = new URL(authorizeUrl)
  const decided = await fetch(origin + pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ ticket, user: 'mara', decision }),
  })
  const location = decided.headers.get('location')
  // One fault continues with a link in a page.
  const link = /<a [^>]*href="([^"]+)"/.exec(await decided.text())?.[1]
  const next = location ?? link?.replaceAll('&amp;', '&') ?? ''
  return fetch(new URL(next, origin))
}

async function start(engine: Engine): Promise<Run> {
  const { id } = await engine.call('authorization.start', {
    integrationId: sandbox,
    agent: 'browser',
  })
  return until('the run to wait', async () => {
    const run = await engine.call('authorization.run', { id })
    return run.state === 'running' ? null : run
  })
}

const ended = (engine: Engine, { id }: Run): Promise<Run> =>
  until('the run to end', async () => {
    const run = await engine.call('authorization.run', { id })
    return run.endedAt === null ? null : run
  })

describe('the flow against the sandbox', () => {
  it('starts it, fills in the integration, and returns a usable token', async () => {
    await using tab = await openTestEngine()
    const { engine } = tab
    const run = await start(engine)
    expect(run).toMatchObject({ state: 'waiting' })
    const page = await asUser(run)
    expect(page.status).toBe(200)
    const end = await ended(engine, run)
    expect(end).toMatchObject({ state: 'succeeded', findings: [] })
    const { tokens, sandboxService } = await engine.call('app.snapshot', {})
    expect(tokens).toMatchObject([{ id: end.tokenId, hasRefreshToken: true }])
    const { value } = await engine.call('tokens.reveal', {
      id: end.tokenId ?? 0,
      which: 'access',
    })
    const called = await fetch(`${sandboxService.baseUrl ?? ''}/api/sandbox/locations`, {
      headers: { Authorization: `Bearer ${value}` },
    })
    expect(await called.json()).toMatchObject({ user: { name: 'Mara' } })
  })

  it('returns the user’s denial', async () => {
    await using tab = await openTestEngine()
    const run = await start(tab.engine)
    await asUser(run, 'deny')
    expect((await ended(tab.engine, run)).failure).toMatchObject({ code: 'access_denied' })
  })
})
