import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import { openDesktop, type Desktop, type DoubleApp } from '../support/electron-double/launch.ts'
import { freePort } from '#test/support/free-port.ts'
import { connected, root, tempDir } from './harness.ts'
import { openPageWire, type PageWire } from './page-wire.ts'

// Whole runs through the built app: interface, engine in its process, main, and the sandbox as the service.

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

/** Nobody serves it. */
const NOWHERE = 'https://integration.invalid/callback?tenant=7'

interface App extends AsyncDisposable {
  readonly app: DoubleApp
  readonly page: Page
  readonly wire: PageWire
  readonly integrationId: number
  /** Of the service. */
  readonly origin: string
  /** Starts a run in a window; resolves with its page. */
  authorize(): Promise<{ run: Run; window: Page }>
  /** The run, once it is over. */
  ended(run: Run): Promise<Run>
  /** All that was logged. */
  log(): string
}

/** The built app, with the sandbox's service running and its integration sent back to `NOWHERE`. */
async function startApp(): Promise<App> {
  const data = tempDir()
  const app = desktop.start({
    root,
    args: ['--data', data.path, '--port', String(await freePort())],
  })
  const page = await app.window()
  await connected(page)
  const wire = await openPageWire(page)
  const { integrations } = await wire.call('app.snapshot', {})
  const integrationId = integrations.find(({ kind }) => kind === 'sandbox')?.id ?? -1
  await wire.call('integrations.update', {
    id: integrationId,
    redirectUrls: [NOWHERE],
    redirectUrl: NOWHERE,
  })
  const { baseUrl } = await wire.call('sandboxService.start', {})
  return {
    app,
    page,
    wire,
    integrationId,
    origin: new URL(baseUrl ?? '').origin,
    async authorize() {
      const next = desktop.nextPage()
      const run = await wire.call('authorization.start', { integrationId, agent: 'window' })
      return { run, window: await next }
    },
    async ended({ id }) {
      const read = async (): Promise<Run> => wire.call('authorization.run', { id })
      await expect.poll(async () => (await read()).endedAt).not.toBeNull()
      return read()
    },
    log: () => app.output() + readFileSync(path.join(data.path, 'tabscope.log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      app.kill('SIGTERM')
      await app.exited
      data[Symbol.dispose]()
    },
  }
}

describe('a run in a window of the app', () => {
  it('begins with a click on the page, and shows there what came of it', async () => {
    await using desk = await startApp()
    const { page } = desk
    await page.getByRole('link', { name: 'Authorization' }).first().click()
    await page.getByRole('button', { name: 'In my browser instead' }).waitFor()
    const next = desktop.nextPage()
    await page
      .getByRole('button', { name: /^Authorize/ })
      .first()
      .click()
    const window = await next
    await page.getByText('Waiting').first().waitFor()
    await window.getByRole('button', { name: 'Approve' }).dispatchEvent('click')
    await page.getByText('A token came.').waitFor()
    await page.getByTestId('run-record').getByText(NOWHERE).first().waitFor()
  })

  it('brings a token, by a 302 to a host that does not exist', async () => {
    await using desk = await startApp()
    const { run, window } = await desk.authorize()
    expect(run.agent).toBe('window')
    await expect
      .poll(() => desk.app.output())
      .toContain(`[window 2] title: ${desk.origin} · Authorization`)
    expect(await window.evaluate('typeof tabscopeHost')).toBe('undefined')
    await window.getByRole('button', { name: 'Approve' }).dispatchEvent('click')

    const over = await desk.ended(run)
    expect(over.failure).toBeNull()
    expect(over.state).toBe('succeeded')
    const tokens = await desk.wire.call('tokens.list', { integrationId: desk.integrationId })
    expect(tokens.map(({ id }) => id)).toEqual([over.tokenId])
    await expect.poll(() => desk.app.output()).toContain('[window 2] closed')

    const state = new URL(over.authorizeUrl ?? '').searchParams.get('state')
    const { value: code } = await desk.wire.call('authorization.reveal', {
      runId: run.id,
      name: over.heldBack.find(({ label }) => /code/i.test(label))?.name ?? '',
    })
    expect([state?.length, code.length].every((length) => Number(length) > 15)).toBe(true)
    for (const secret of [state ?? '', code]) expect(desk.log()).not.toContain(secret)
    expect(await desk.page.getByTestId('connection-state').count()).toBe(1)
  })

  it('ends as denied when the user denies', async () => {
    await using desk = await startApp()
    const { run, window } = await desk.authorize()
    await window.getByRole('button', { name: 'Deny' }).dispatchEvent('click')
    expect((await desk.ended(run)).failure?.code).toBe('access_denied')
  })

  it('ends as closed when the user closes the window', async () => {
    await using desk = await startApp()
    const { run, window } = await desk.authorize()
    await window.close()
    expect((await desk.ended(run)).failure?.code).toBe('window_closed')
  })

  it('ends as superseded by the next, which goes on', async () => {
    await using desk = await startApp()
    const first = await desk.authorize()
    const second = await desk.authorize()
    expect((await desk.ended(first.run)).failure?.code).toBe('superseded')
    await expect.poll(() => desk.app.output()).toContain('[window 2] closed')
    await second.window.getByRole('button', { name: 'Approve' }).dispatchEvent('click')
    expect((await desk.ended(second.run)).state).toBe('succeeded')
  })

  it('closes its window when it is called off', async () => {
    await using desk = await startApp()
    const { run } = await desk.authorize()
    await desk.wire.call('authorization.cancel', { runId: run.id })
    expect((await desk.ended(run)).failure?.code).toBe('cancelled')
    await expect.poll(() => desk.app.output()).toContain('[window 2] closed')
  })

  it('does not keep the app from ending with its interface', async () => {
    await using desk = await startApp()
    await desk.authorize()
    await desk.page.close()
    expect(await desk.app.exited).toBe(0)
    expect(desk.app.output()).toContain('[window 2] closed')
  })

  it('ends with the app', async () => {
    await using desk = await startApp()
    await desk.authorize()
    desk.app.kill('SIGTERM')
    expect(await desk.app.exited).toBe(0)
    expect(desk.app.output()).toContain('[window 2] closed')
  })
})

describe("the system's browser", () => {
  it('is opened by main', async () => {
    await using desk = await startApp()
    const { dashboardUrl } = await desk.wire.call('sandboxService.start', {})
    expect(await desk.wire.call('sandboxService.openDashboard', {})).toEqual({ opened: true })
    expect(desk.app.output()).toContain(`[shell] ${String(dashboardUrl)}`)
  })
})
