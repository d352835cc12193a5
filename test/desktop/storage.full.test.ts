import { renameSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

// Windows keeps an open file where it is.
it.skipIf(process.platform === 'win32')(
  'keeps running while the store cannot be written, and shows a warning until it can',
  async () => {
    using data = tempDir()
    const port = await freePort()
    const app = desktop.start({
      root,
      args: ['--data', data.path, '--port', String(port)],
      env: {},
    })
    const page = await app.window()
    await connected(page)
    const send = async (): Promise<number> => {
      const url = `http://127.0.0.1:${port}/hooks/sandbox`
      return (await fetch(url, { method: 'POST', body: '{}' })).status
    }
    expect(await send()).toBe(200)
    await page.getByTestId('delivery-row').waitFor()
    const store = path.join(data.path, 'tabscope.db')
    const elsewhere = path.join(data.path, 'elsewhere.db')
    renameSync(store, elsewhere)
    expect(await send()).toBe(503)
    const chip = page.getByTestId('connection-state')
    await expect.poll(() => chip.getAttribute('data-state')).toBe('failing')
    expect(await chip.textContent()).toContain('The data folder was moved or deleted.')
    expect(app.output()).toContain('Deliveries are rejected with 503')
    renameSync(elsewhere, store)
    await expect.poll(() => chip.getAttribute('data-state'), { timeout: 60_000 }).toBe('listening')
    expect(await send()).toBe(200)
  },
)
