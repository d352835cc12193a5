import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { logOf } from '#test/support/event-log.ts'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { connected, root, tempDir } from './harness.ts'
import { openPageWire } from './page-wire.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

it('opens event logs that it was started with or handed later, and asks for files in dialogs of the system', async () => {
  using data = tempDir()
  using files = tempDir()
  const log = (name: string, deliveries: number): string => {
    const file = path.join(files.path, name)
    writeFileSync(file, logOf(deliveries))
    return file
  }
  const saved = path.join(files.path, 'saved.ndjson')
  const args = ['--data', data.path, '--port', String(await freePort())]
  const started = (words: readonly string[]) =>
    desktop.start({
      root,
      args: [...args, ...words],
      env: { DOUBLE_OPEN: log('chosen.ndjson', 3), DOUBLE_SAVE: saved },
    })

  const app = started(['https://example.com/a.tabscope', log('first.tabscope', 1)])
  const page = await app.window()
  await connected(page)
  expect(new URL(page.url()).hash).toBe('#/logs')
  const logs = page.locator('.log-open')
  await logs.getByText('first.tabscope').waitFor()

  // Another start hands over what it was given, and the page that is there shows it without being loaded again.
  await page.evaluate(() => Reflect.set(window, 'still', true))
  await page.evaluate(() => location.assign('#/deliveries'))
  const second = started([log('second.tabscope', 2), path.join(files.path, 'page.html')])
  expect(await second.exited).toBe(0)
  await logs.getByText('second.tabscope').waitFor()
  expect(new URL(page.url()).hash).toBe('#/logs')
  expect(await page.evaluate(() => Reflect.get(window, 'still'))).toBe(true)
  expect(app.output()).toContain('[window] focused')

  await page.getByRole('button', { name: 'Import…' }).first().click()
  // One that was chosen alone is shown at once.
  await page.getByText('chosen.ndjson').first().waitFor()
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/logs\/\d+/)
  expect(app.output()).toMatch(/\[dialog\] open over the window: .*"openFile"/)

  const wire = await openPageWire(page)
  const { ticket } = await wire.call('logs.export', {
    to: { kind: 'ask', name: '../elsewhere/a.ndjson' },
  })
  expect(ticket).toBeNull()
  await expect
    .poll(async () => (await wire.call('logs.list', {})).exports)
    .toMatchObject([{ state: 'done', path: saved, error: null }])
  expect(existsSync(saved)).toBe(true)
  expect(app.output()).toMatch(/\[dialog\] save over the window: .*"defaultPath":"a\.ndjson"/)

  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
})
