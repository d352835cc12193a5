import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer } from 'vite'
import { freePort } from '#test/support/free-port.ts'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const STYLE = (color: string): string => `body { background: ${color} }`

it('shows the page of the development server and reloads it, and never when packaged', async () => {
  using site = tempDir()
  writeFileSync(
    path.join(site.path, 'index.html'),
    '<!doctype html><title>Developed</title><script type="module" src="./main.js"></script>',
  )
  writeFileSync(path.join(site.path, 'main.js'), "import './style.css'\nwindow.still = true\n")
  writeFileSync(path.join(site.path, 'style.css'), STYLE('rgb(1, 2, 3)'))
  const port = await freePort()
  const vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    root: site.path,
    cacheDir: path.join(site.path, 'cache'),
    // As in electron.vite.config.ts.
    server: {
      host: '127.0.0.1',
      port,
      hmr: { protocol: 'ws', host: '127.0.0.1', clientPort: port },
    },
  })
  let asked = 0
  vite.httpServer?.on('request', () => (asked += 1))
  await vite.listen()
  const env = { ELECTRON_RENDERER_URL: `http://127.0.0.1:${port}` }
  const start = async (more: Record<string, string> = {}) => {
    const data = tempDir()
    const args = ['--data', data.path, '--port', String(await freePort())]
    const app = desktop.start({ root, args, env: { ...env, ...more } })
    const end = async (): Promise<void> => {
      app.simulate({ kind: 'quit' })
      expect(await app.exited).toBe(0)
      data[Symbol.dispose]()
    }
    return { page: await app.window(), end }
  }

  const { page, end } = await start()
  const color = async (): Promise<string> =>
    page.evaluate('getComputedStyle(document.body).backgroundColor')
  await expect.poll(() => page.title()).toBe('Developed')
  await expect.poll(color).toBe('rgb(1, 2, 3)')
  // It has the app's origin, so the same protections apply.
  expect(new URL(page.url()).origin).toBe('https://tabscope.invalid')
  await expect.poll(() => vite.ws.clients.size).toBe(1)
  writeFileSync(path.join(site.path, 'style.css'), STYLE('rgb(4, 5, 6)'))
  await expect.poll(color).toBe('rgb(4, 5, 6)')
  expect(await page.evaluate('window.still')).toBe(true)
  await end()

  asked = 0
  const packaged = await start({ DOUBLE_PACKAGED: '1' })
  await connected(packaged.page)
  expect(await packaged.page.title()).not.toBe('Developed')
  expect(asked).toBe(0)
  await packaged.end()
  await vite.close()
})
