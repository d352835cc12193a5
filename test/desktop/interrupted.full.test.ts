import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { logOf } from '#test/support/event-log.ts'
import { freePort } from '#test/support/free-port.ts'
import { openDesktop } from '../support/electron-double/launch.ts'
import { connected, connectedPage, root, tempDir } from './harness.ts'
import { openPageClient, type PageClient } from './page-client.ts'

const bodyOf = (page: Page) => page.getByRole('textbox', { name: 'Body', exact: true })

const desktop = await openDesktop()
afterAll(async () => desktop.close())

async function authorize(wire: PageClient) {
  const redirectUrl = 'https://integration.invalid/callback'
  const { integrations } = await wire.call('app.snapshot', {})
  const integrationId = integrations.find(({ kind }) => kind === 'sandbox')?.id ?? -1
  await wire.call('integrations.update', {
    id: integrationId,
    redirectUrls: [redirectUrl],
    redirectUrl,
  })
  await wire.call('sandboxService.start', {})
  const next = desktop.nextPage()
  const { id } = await wire.call('authorization.start', { integrationId, agent: 'window' })
  const window = await next
  await window.getByRole('button', { name: 'Approve' }).waitFor()
  return { id, window }
}

it('reports what happened to each pending operation when the engine and then the page ended', async () => {
  using data = tempDir()
  using files = tempDir()
  const args = ['--data', data.path, '--port', String(await freePort())]
  const app = desktop.start({ root, args, env: { DOUBLE_OPEN: 'later' } })
  const page = await connectedPage(app)
  await page.evaluate(() => location.assign('#/authorization'))

  // A run waits in its window, an export is not downloaded yet, and a dialog of the system is open.
  const first = await openPageClient(page)
  const run = await authorize(first)
  await page.getByText('Approve or deny in the new window').waitFor()
  await first.call('logs.export', { to: { kind: 'pull', name: 'evening.ndjson' } })
  first.call('logs.import', { from: { kind: 'ask' } }).catch(() => undefined)
  await expect.poll(() => app.output()).toContain('[dialog] open')

  // V8 runs out of memory: an error of the engine process, not of main.
  app.simulate({ kind: 'fatal-engine' })
  await page.getByText('“evening.ndjson” was not exported').waitFor()
  await expect.poll(() => run.window.isClosed()).toBe(true)
  await page.getByText('Tabscope was closed during the run.').first().waitFor()
  expect(app.output()).toContain('The engine process has a fatal error: FatalError at v8::')
  expect(app.output()).not.toContain('environmentVariables')
  const log = path.join(files.path, 'chosen late.tabscope')
  writeFileSync(log, logOf(3))
  app.simulate({ kind: 'choose-file', path: log })
  const second = await openPageClient(page)
  await expect
    .poll(async () => (await second.call('logs.list', {})).logs.map(({ name }) => name))
    .toEqual(['chosen late.tabscope'])

  // Text typed while the engine is down is stored once it is back, and survives the page.
  await page.evaluate(() => location.assign('#/send/drafts/empty'))
  const body = bodyOf(page)
  await body.fill('{"typed":1}')
  await page.getByText('Draft saved').waitFor()
  app.simulate({ kind: 'crash-engine' })
  await page.getByText('The engine stopped and is restarting.').waitFor()
  await body.fill('{"typed":"while nobody was there"}')
  await page.getByText('Draft saved').waitFor()

  // The page keeps crashing: the user is asked, and until then it is not reloaded.
  let typed = ''
  for (const nth of [1, 2, 3, 4]) {
    const next = desktop.nextPage()
    app.simulate({ kind: 'crash-renderer' })
    if (nth === 4) {
      next.catch(() => undefined)
      break
    }
    const loaded = await next
    await connected(loaded)
    typed = await bodyOf(loaded).innerText()
  }
  expect(typed).toContain('while nobody was there')
  await expect.poll(() => app.output()).toContain('The window of Tabscope stopped several times')
  expect(app.output()).toContain('Deliveries are still received and stored.')
  app.simulate({ kind: 'answer-box', button: 2 })
  expect(await app.exited).toBe(0)
})
