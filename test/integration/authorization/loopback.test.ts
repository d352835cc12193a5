import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import {
  authorizingInOneEngine,
  openAuthorizing,
  canary,
  type Authorizing,
} from '#test/support/authorization.ts'
import { freePort } from '#test/support/free-port.ts'
import { respondWith } from '#test/support/hostile-endpoint.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

interface Loopback extends AsyncDisposable {
  readonly auth: Authorizing
  readonly port: number
  readonly opened: string[]
  start(): Promise<Run>
}

let opened: string[] = []
const openAuth = authorizingInOneEngine({ openExternal: async (url) => opened.push(url) > 0 })

async function open(of: (port: number) => string[] = urls): Promise<Loopback> {
  const port = await freePort()
  opened = []
  const auth = await openAuth({ redirectUrls: of(port) })
  return {
    auth,
    port,
    opened,
    start: () => auth.start({ agent: 'browser' }),
    [Symbol.asyncDispose]: () => auth[Symbol.asyncDispose](),
  }
}
const urls = (port: number) => [`http://127.0.0.1:${port}/cb`]

async function isFree(port: number): Promise<boolean> {
  return listenOnLoopback(createServer(), port).then(
    ({ close }) => close().then(() => true),
    () => false,
  )
}

/** One raw request, with any Host, which fetch would not send. */
async function raw(
  port: number,
  path: string,
  { host = `127.0.0.1:${port}`, method = 'GET', ...headers }: Record<string, string> = {},
): Promise<number> {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    path,
    method,
    headers: { Host: host, ...headers },
  })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  response.resume()
  return response.statusCode
}

describe('the listener of a flow', () => {
  it('receives the redirect from the browser, shows a page, and closes', async () => {
    await using loop = await open()
    const { auth } = loop
    const run = await loop.start()
    const [opened = ''] = loop.opened
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/)
    const first = await fetch(opened, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([302, run.authorizeUrl])
    expect(first.headers.get('cache-control')).toBe('no-store')
    const page = await fetch(auth.redirectFor(run))
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('You can close this page and return to Tabscope.')
    expect(html).not.toMatch(/<script|canary/i)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
      connection: 'close',
    })
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded', agent: 'browser' })
    await until('the listener to go', () => isFree(loop.port))
  })

  it('accepts only the first redirect', async () => {
    await using loop = await open()
    const { auth } = loop
    const held: (() => void)[] = []
    auth.endpoint.answer = (response, request) => {
      held.push(() => respondWith(200, auth.goodAnswer())(response, request))
    }
    const run = await loop.start()
    expect((await fetch(auth.redirectFor(run))).status).toBe(200)
    await until('the exchange', () => auth.endpoint.received.length === 1)
    for (const code of [canary.code, 'another']) {
      const again = await fetch(auth.redirectFor(run, { code }))
      expect(again.status).toBe(409)
      expect(await again.text()).toContain('Redirect already received')
    }
    await expect(auth.paste(run, auth.redirectFor(run))).rejects.toMatchObject({ code: 'run_over' })
    held[0]?.()
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
    expect(auth.endpoint.received).toHaveLength(1)
  })

  it('shows on the page what is wrong with the redirect', async () => {
    await using loop = await open()
    const { auth } = loop
    const run = await loop.start()
    const query = 'error=x&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=STATE'
    const page = await fetch(auth.redirectFor(run, query))
    expect(page.status).toBe(400)
    const html = await page.text()
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('<script')
    expect((await auth.ended(run)).failure).toMatchObject({ code: 'authorization_error' })
  })

  // Which addresses differ is a rule of `judgeVisit`.
  it.each([
    ['another path', '/cb', '/cb2', 'redirect_path', 'its path is not /cb'],
    ['another name', '127.0.0.1', 'localhost', 'redirect_origin', 'the host is “localhost”, not'],
  ])('ends the run at once for %s, and does not use the code', async (_name, a, b, code, words) => {
    await using loop = await open()
    const { auth } = loop
    const run = await loop.start()
    const page = await fetch(auth.redirectFor(run).replace(a, b))
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining(words)])
    const end = await auth.ended(run)
    expect(end.failure).toMatchObject({ code, message: expect.stringContaining(words) })
    expect(end.steps.at(-1)).toMatchObject({ kind: 'returned', outcome: 'failed' })
    expect(JSON.stringify(end)).not.toContain(canary.code)
    expect(auth.endpoint.received).toEqual([])
    await until('the listener to go', () => isFree(loop.port))
  })

  it('ends the run for a redirect as a form, whose code is not used', async () => {
    await using loop = await open()
    const { auth } = loop
    const run = await loop.start()
    const { origin, pathname, searchParams } = new URL(auth.redirectFor(run))
    const page = await fetch(origin + pathname, { method: 'POST', body: searchParams })
    expect([page.status, await page.text()]).toEqual([405, expect.stringContaining('form_post')])
    const end = await auth.ended(run)
    expect(end.failure).toMatchObject({ code: 'redirect_post' })
    expect(end.steps.at(-1)?.facts).toEqual([{ name: 'method', value: 'POST, expected GET' }])
    expect(JSON.stringify(end)).not.toContain(canary.code)
  })

  it('notes a connection with TLS, and continues', async () => {
    await using loop = await open()
    const { auth, port } = loop
    const run = await loop.start()
    await expect(fetch(`https://127.0.0.1:${port}/cb`)).rejects.toThrow()
    const { steps } = await auth.tab.engine.call('authorization.run', { id: run.id })
    expect(steps.at(-1)).toMatchObject({ outcome: 'note', title: expect.stringContaining('https') })
    expect((await fetch(auth.redirectFor(run))).status).toBe(200)
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
  })

  it('ignores requests that are not the redirect', async () => {
    await using loop = await open()
    const { auth, port } = loop
    const run = await loop.start()
    const way = new URL(auth.redirectFor(run))
    const path = way.pathname + way.search
    expect(await raw(port, '/favicon.ico')).toBe(404)
    expect(await raw(port, path, { method: 'HEAD' })).toBe(200)
    expect(await raw(port, '/other', { method: 'POST' })).toBe(405)
    expect(await raw(port, path, { method: 'PUT' })).toBe(405)
    // A name that was rebound to this machine.
    expect(await raw(port, '/cb?code=1&state=theirs', { host: `evil.example:${port}` })).toBe(421)
    expect(await raw(port, '/cb', { host: `evil.example:${port}`, method: 'POST' })).toBe(421)
    expect(await raw(port, path, { host: `x@127.0.0.1:${port}` })).toBe(421)
    expect(await raw(port, '/cb', { host: `evil.example:${port}`, method: 'HEAD' })).toBe(421)
    expect(await raw(port, 'http://evil.example/cb')).toBe(400)
    // Another page that loads it as an image or a frame, and a browser that prefetches it.
    expect(await raw(port, '/cb?code=1', { 'Sec-Fetch-Dest': 'image' })).toBe(403)
    expect(await raw(port, path, { 'Sec-Fetch-Dest': 'iframe' })).toBe(403)
    expect(await raw(port, path, { 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch' })).toBe(
      403,
    )
    const waiting = await auth.tab.engine.call('authorization.run', { id: run.id })
    expect(waiting).toMatchObject({ state: 'waiting' })
    // Only the frame had the redirect.
    expect(waiting.steps.filter(({ kind }) => kind === 'returned')).toMatchObject([
      {
        outcome: 'note',
        title: 'The redirect was loaded by a page, not opened in a tab',
        detail: expect.stringContaining('(Sec-Fetch-Dest: “iframe”)'),
      },
    ])
    expect(await raw(port, path, { 'Sec-Fetch-Dest': 'document' })).toBe(200)
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
  })

  it('records ten of many visits without the right state, and names the last as the reason if no redirect follows', async () => {
    await using loop = await open()
    const { auth, port } = loop
    const run = await loop.start()
    for (let i = 0; i < 40; i += 1) {
      expect((await fetch(auth.redirectFor(run, `code=guess-${i}&state=guess-${i}`))).status).toBe(
        400,
      )
    }
    const waiting = await auth.tab.engine.call('authorization.run', { id: run.id })
    const notes = waiting.steps.filter(({ kind }) => kind === 'returned')
    expect(notes).toHaveLength(10)
    expect(notes.at(-1)?.detail).toContain('Further visits of this kind are not recorded')
    expect(await raw(port, '/login?code=guess-41&state=guess-41')).toBe(404)
    await auth.pass(300_000)
    const end = await auth.ended(run)
    expect(end.failure).toMatchObject({
      code: 'state_mismatch',
      message: expect.stringContaining(`The address was http://127.0.0.1:${port}/login.`),
    })
    expect(JSON.stringify(end)).not.toContain('guess-')
  })

  it('serves localhost on both addresses that a browser may use', async () => {
    await using loop = await open((port) => [`http://localhost:${port}/cb`])
    const { auth, port } = loop
    const run = await loop.start()
    expect(await raw(port, '/favicon.ico')).toBe(404)
    expect((await fetch(auth.redirectFor(run))).status).toBe(200)
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
  })

  it('fails with its own code if the port is in use', async () => {
    await using loop = await open()
    await using _ = await listenOnLoopback(createServer(), loop.port)
    const run = await loop.start()
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'redirect_port_in_use' } })
    expect(run.failure?.message).toContain(`Port ${loop.port}`)
    expect(loop.opened).toEqual([])
  })

  it('also accepts a pasted address, and continues without a browser', async () => {
    const port = await freePort()
    await using auth = await openAuthorizing({ redirectUrls: urls(port) })
    const run = await auth.start({ agent: 'browser' })
    expect(run.acceptsPaste).toBe(true)
    const steps = await until('the step', async () => {
      const { steps } = await auth.tab.engine.call('authorization.run', { id: run.id })
      return steps.length > 1 ? steps : null
    })
    expect(steps.at(-1)).toMatchObject({ kind: 'opened', outcome: 'note' })
    await auth.paste(run, auth.redirectFor(run))
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
  })
})
