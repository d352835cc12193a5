import { beforeEach, describe, expect, it } from 'vitest'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import {
  authorizingInOneEngine,
  openAuthorizing,
  type Authorizing,
} from '#test/support/authorization.ts'
import { respondWith } from '#test/support/hostile-endpoint.ts'
import { freePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'

const read = (auth: Authorizing, id: number) => auth.tab.engine.call('authorization.run', { id })

function fakeWindow() {
  const opened: Parameters<AuthorizationWindow['open']>[] = []
  let closes = 0
  const authorizationWindow: AuthorizationWindow = {
    open: (...given) => {
      opened.push(given)
      return { close: () => void (closes += 1) }
    },
  }
  return {
    authorizationWindow,
    on: () =>
      until('the window', () => {
        const [, on] = opened.at(-1) ?? []
        return on
      }),
    opened,
    closes: () => closes,
  }
}

describe('a run that ends without a redirect', () => {
  const open = authorizingInOneEngine()

  it('ends after the configured time without activity', async () => {
    await using auth = await open()
    const run = await auth.start({ timeoutSeconds: 60 })
    await auth.pass(59_999)
    expect(await read(auth, run.id)).toMatchObject({ state: 'waiting' })
    await auth.pass(1)
    expect(await auth.ended(run)).toMatchObject({
      failure: { code: 'timed_out' },
      acceptsPaste: false,
      timeoutAt: null,
    })
  })

  it('names a service that does not answer while it waits, and as the reason if no redirect follows', async () => {
    await using auth = await open()
    const { endpoint } = auth
    endpoint.page = (response) =>
      response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Down for maintenance')
    const run = await auth.start()
    const { detail } = await until('the note', async () => {
      const { state, steps } = await read(auth, run.id)
      expect(state).toBe('waiting')
      return steps.find(({ kind, outcome }) => kind === 'probe' && outcome === 'note')
    })
    expect(detail).toContain('responded with 503 Service Unavailable: “Down for maintenance”.')
    expect(detail).toContain(`Tabscope requested GET ${endpoint.origin}/manager/oauth, without`)
    const [{ url, rawHeaders } = { url: '', rawHeaders: [] }] = endpoint.probes
    expect(url).toBe('/manager/oauth')
    expect(rawHeaders.join('\n')).not.toMatch(/authorization|cookie|access-id/i)

    await auth.pass(300_000)
    expect((await auth.ended(run)).failure).toMatchObject({
      code: 'page_failed',
      message: expect.stringContaining('Down for maintenance'),
    })
  })

  it('continues with a service that answers later', async () => {
    await using auth = await open()
    auth.endpoint.page = (response) => response.writeHead(404).end()
    auth.endpoint.answer = respondWith(200, auth.goodAnswer())
    expect(await auth.through()).toMatchObject({ state: 'succeeded' })
  })

  it('ends when it is canceled, once', async () => {
    await using auth = await open()
    const { engine } = auth.tab
    const run = await auth.start()
    const cancelled = await engine.call('authorization.cancel', { runId: run.id })
    expect(cancelled).toMatchObject({ state: 'failed', failure: { code: 'cancelled' } })
    const again = await engine.call('authorization.cancel', { runId: run.id })
    expect(again.endedAt).toBe(cancelled.endedAt)
  })

  it('ends when it is canceled in the middle of the exchange', async () => {
    await using auth = await open()
    auth.endpoint.answer = () => undefined
    const run = await auth.start()
    await auth.paste(run, auth.redirectFor(run))
    await until('the exchange', () => auth.endpoint.received.length === 1)
    await auth.tab.engine.call('authorization.cancel', { runId: run.id })
    const end = await auth.ended(run)
    expect(end.failure).toMatchObject({ code: 'cancelled' })
    expect(end.steps.some(({ outcome }) => outcome === 'waiting')).toBe(false)
  })

  it('is superseded by a second start, which gets its port', async () => {
    const port = await freePort()
    await using auth = await open({ redirectUrls: [`http://127.0.0.1:${port}/cb`] })
    const first = await auth.start()
    const second = await auth.start()
    expect(await auth.ended(first)).toMatchObject({ failure: { code: 'superseded' } })
    expect(second.state).toBe('waiting')
    // An old tab redirects, but not with the state of the run that is waiting now.
    expect((await fetch(auth.redirectFor(first))).status).toBe(400)
    expect((await fetch(auth.redirectFor(second))).status).toBe(200)
    expect(await auth.ended(second)).toMatchObject({ state: 'succeeded' })
  })

  it('ends when Tabscope closes, and is shown as ended after the next start', async () => {
    await using auth = await openAuthorizing()
    const run = await auth.start()
    await auth.tab.close()
    expect(auth.pushed.at(-1)).toMatchObject({ id: run.id, failure: { code: 'closed' } })
  })
})

describe('a run that cannot start', () => {
  const open = authorizingInOneEngine()

  it('without an access secret, or with a redirect URL that is not listed', async () => {
    await using auth = await open()
    const redirectUrl = 'https://client.invalid/cb/'
    expect((await auth.start({ redirectUrl })).failure).toMatchObject({ code: 'not_ready' })
    await auth.tab.engine.call('integrations.clearAccessSecret', { id: auth.integrationId })
    expect((await auth.start()).failure).toMatchObject({ code: 'not_ready' })
  })

  it('for a missing integration or token, or a window on a host without windows', async () => {
    await using auth = await open()
    await expect(auth.start({ integrationId: 99 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(auth.start({ replaces: 99 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(auth.start({ agent: 'window' })).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('ends with its integration', async () => {
    await using auth = await open()
    const { engine } = auth.tab
    const run = await auth.start()
    await engine.call('integrations.remove', { id: auth.integrationId })
    expect(auth.pushed.at(-1)).toMatchObject({ id: run.id, failure: { code: 'cancelled' } })
    expect(auth.tab.log.filter((line) => line.includes('cannot be stored'))).toEqual([])
  })
})

describe('a run in a window', () => {
  let window: ReturnType<typeof fakeWindow>
  beforeEach(() => {
    window = fakeWindow()
  })
  const open = authorizingInOneEngine({
    authorizationWindow: { open: (...given) => window.authorizationWindow.open(...given) },
  })

  it('opens pages that have their own code parameter', async () => {
    await using auth = await open()
    const run = await auth.start({ agent: 'window', timeoutSeconds: 60 })
    expect(run.acceptsPaste).toBe(false)
    const on = await window.on()
    await auth.pass(50_000)
    on.hop('https://login.example/sms?code=123456789012&state=theirs')
    // Each page restarts the idle timeout.
    await auth.pass(50_000)
    on.returned('https://service.example/continue?code=stray-code-1234&state=none')
    expect((await read(auth, run.id)).state).toBe('waiting')
    on.returned(auth.redirectFor(run))
    const end = await auth.ended(run)
    expect(end.state).toBe('succeeded')
    expect(window.opened[0]?.[0]).toMatchObject({ url: run.authorizeUrl })
    expect(window.closes()).toBe(1)
    const hop = end.steps.find(({ kind }) => kind === 'hop')
    expect(hop?.facts).toEqual([
      { name: 'url', value: 'https://login.example/sms?code=«code»&state=theirs' },
    ])
    expect(JSON.stringify(auth.pushed)).not.toContain('123456789012')
  })

  it('continues when a page loads the redirect URL without the state, and reports that as the reason if nothing else arrives', async () => {
    await using auth = await open()
    const run = await auth.start({ agent: 'window' })
    const on = await window.on()
    on.hop(auth.redirectFor(run, 'error=canary-error'))
    const { state, steps } = await read(auth, run.id)
    expect(state).toBe('waiting')
    expect(steps.at(-1)).toMatchObject({ kind: 'returned', outcome: 'note' })
    expect(JSON.stringify(steps)).not.toContain('canary-error')
    on.closed()
    expect((await auth.ended(run)).failure).toMatchObject({ code: 'state_missing' })
  })

  it('ends when the user closes it, or when the page cannot be loaded', async () => {
    await using auth = await open()
    const first = await auth.start({ agent: 'window' })
    ;(await window.on()).closed()
    expect((await auth.ended(first)).failure).toMatchObject({ code: 'window_closed' })
    const second = await auth.start({ agent: 'window' })
    const on = await until('the second window', () => window.opened[1]?.[1])
    on.failed('The name service.example does not resolve.')
    on.closed()
    expect((await auth.ended(second)).failure).toMatchObject({
      code: 'page_failed',
      message: 'The name service.example does not resolve.',
    })
  })
})
