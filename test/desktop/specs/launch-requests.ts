import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { logOf } from '#test/support/event-log.ts'
import { root, tempDir } from '../harness.ts'
import { openPageClient } from '../page-client.ts'
import type { Specs } from './app-under-test.ts'
import { openApp } from './opened-app.ts'

export const launchRequestSpecs: Specs = (binary) => {
  it('opens event logs passed at start or later, and selects files in system dialogs', async () => {
    using data = tempDir()
    using files = tempDir()
    const log = (name: string, deliveries: number): string => {
      const file = path.join(files.path, name)
      writeFileSync(file, logOf(deliveries))
      return file
    }
    const saved = path.join(files.path, 'saved.ndjson')
    const { app, page, args } = await openApp(
      binary(),
      data.path,
      ['https://example.com/a.tabscope', log('first.tabscope', 1)],
      { open: log('chosen.ndjson', 3), save: saved },
    )
    expect(new URL(page.url()).hash).toBe('#/logs')
    const logs = page.locator('.log-open')
    await logs.getByText('first.tabscope').waitFor()

    // Another start passes on its files, and the current page shows them without a reload.
    await page.evaluate(() => Reflect.set(window, 'still', true))
    await page.evaluate(() => location.assign('#/deliveries'))
    writeFileSync(path.join(files.path, 'no log.har'), 'nothing of that sort')
    const words = [
      path.relative(root, log('second  Küche ☕.tabscope', 2)),
      path.join(files.path, 'page.html'),
      path.join(files.path, 'gone.tabscope'),
      path.join(files.path, 'no log.har'),
    ]
    expect((await binary().run([...args, '--', ...words])).code).toBe(0)
    await logs.getByText('second Küche ☕.tabscope').waitFor()
    // Each file that cannot be imported shows its own error.
    for (const name of ['gone.tabscope', 'no log.har']) await page.getByText(name).first().waitFor()
    expect(new URL(page.url()).hash).toBe('#/logs')
    expect(await page.evaluate(() => Reflect.get(window, 'still'))).toBe(true)
    await app.cameForward()

    await page.getByRole('button', { name: 'Import…' }).first().click()
    // A single selected file is shown immediately.
    await page.getByText('chosen.ndjson').first().waitFor()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/logs\/\d+/)

    const wire = await openPageClient(page)
    const { ticket } = await wire.call('logs.export', {
      to: { kind: 'ask', name: '../elsewhere/a.ndjson' },
    })
    expect(ticket).toBeNull()
    await expect
      .poll(async () => (await wire.call('logs.list', {})).exports)
      .toMatchObject([{ state: 'done', path: saved, error: null }])
    expect(existsSync(saved)).toBe(true)
    expect(await app.dialogs()).toEqual([
      { kind: 'open', overWindow: true, options: expect.stringContaining('"openFile"') },
      {
        kind: 'save',
        overWindow: true,
        options: expect.stringContaining('"defaultPath":"a.ndjson"'),
      },
    ])
    expect(await app.quit()).toBe(0)
  })
}
