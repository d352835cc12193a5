import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contract/authorization.ts'
import { tempDir } from '../harness.ts'
import { openPageClient, type PageClient } from '../page-client.ts'
import type { Specs } from './app-under-test.ts'
import { openApp, sharedApp, type OpenedApp } from './opened-app.ts'

const NOWHERE = 'https://integration.invalid/callback?tenant=7'

interface Desk {
  readonly wire: PageClient
  readonly integrationId: number
  /** Of the service. */
  readonly origin: string
  authorize(): Promise<{ run: Run; window: Page }>
  ended(run: Run): Promise<Run>
}

/** Starts the sandbox's service, and sets its integration to redirect to `NOWHERE`. */
async function deskOf({ app, page }: OpenedApp): Promise<Desk> {
  const wire = await openPageClient(page)
  const { integrations } = await wire.call('app.snapshot', {})
  const integrationId = integrations.find(({ kind }) => kind === 'sandbox')?.id ?? -1
  await wire.call('integrations.update', {
    id: integrationId,
    redirectUrls: [NOWHERE],
    redirectUrl: NOWHERE,
  })
  const { baseUrl } = await wire.call('sandboxService.start', {})
  return {
    wire,
    integrationId,
    origin: new URL(baseUrl ?? '').origin,
    async authorize() {
      const next = app.nextWindow()
      const run = await wire.call('authorization.start', { integrationId, agent: 'window' })
      return { run, window: await next }
    },
    async ended({ id }) {
      const read = async (): Promise<Run> => wire.call('authorization.run', { id })
      await expect.poll(async () => (await read()).endedAt).not.toBeNull()
      return read()
    },
  }
}

const gone = (window: Page) => expect.poll(() => window.isClosed()).toBe(true)

/** Complete runs through the built app: interface, engine process, main, and the sandbox as the service. */
export const authorizationSpecs: Specs = (binary) => {
  describe('a run in a window of the app', () => {
    const opened = sharedApp(binary)
    let desk: Desk
    beforeAll(async () => {
      desk = await deskOf(opened())
    })

    it('stores a token after a 302 to a host that does not exist', async () => {
      const { app, page, dataDir } = opened()
      const { run, window } = await desk.authorize()
      expect(run.agent).toBe('window')
      await expect.poll(() => app.lastTitle()).toBe(`${desk.origin} · Authorization`)
      expect(await window.evaluate('typeof tabscopeHost')).toBe('undefined')
      await window.getByRole('button', { name: 'Approve' }).dispatchEvent('click')

      const over = await desk.ended(run)
      expect(over.failure).toBeNull()
      expect(over.state).toBe('succeeded')
      const tokens = await desk.wire.call('tokens.list', { integrationId: desk.integrationId })
      expect(tokens.map(({ id }) => id)).toEqual([over.tokenId])
      await gone(window)

      const state = new URL(over.authorizeUrl ?? '').searchParams.get('state')
      const { value: code } = await desk.wire.call('authorization.reveal', {
        runId: run.id,
        name: over.maskedValues.find(({ label }) => /code/i.test(label))?.name ?? '',
      })
      expect([state?.length, code.length].every((length) => Number(length) > 15)).toBe(true)
      const log = app.output() + readFileSync(path.join(dataDir, 'tabscope.log'), 'utf8')
      for (const secret of [state ?? '', code]) expect(log).not.toContain(secret)
      await expect.poll(() => page.getByTestId('reach-chip').count()).toBe(1)
    })

    it('starts with a click on the page and shows its result there', async () => {
      const { app, page } = opened()
      await page.getByRole('link', { name: 'Authorization' }).first().click()
      await page.getByRole('button', { name: 'Use my browser' }).waitFor()
      const next = app.nextWindow()
      await page
        .getByRole('button', { name: /^Authorize/ })
        .first()
        .click()
      const window = await next
      await page.getByText('Waiting').first().waitFor()
      await window.getByRole('button', { name: 'Approve' }).dispatchEvent('click')
      await page.getByText('Token received').waitFor()
      await page.getByTestId('run-record').getByText(NOWHERE).first().waitFor()
    })

    it('closes its window when it is canceled', async () => {
      const { run, window } = await desk.authorize()
      await desk.wire.call('authorization.cancel', { runId: run.id })
      expect((await desk.ended(run)).failure?.code).toBe('cancelled')
      await gone(window)
    })

    it('does not keep the app running after its interface closed', async () => {
      const { app, page } = opened()
      const { window } = await desk.authorize()
      await app.closeWindow(page)
      await gone(window)
      // On macOS an app keeps running without windows.
      expect(await (process.platform === 'darwin' ? app.quit() : app.exited)).toBe(0)
    })

    it('ends with the app', async () => {
      using data = tempDir()
      const other = await openApp(binary(), data.path)
      const { window } = await (await deskOf(other)).authorize()
      expect(await other.app.quit()).toBe(0)
      await gone(window)
    })
  })
}
