import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { freePort } from '#test/support/free-port.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

async function start(dataDir: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const app = desktop.start({ root, args: ['--data', dataDir, '--port', String(port)], env })
  return { app, hook: `http://127.0.0.1:${port}/hooks/desktop` }
}

describe('the desktop app', () => {
  it('shows a delivery as it arrives, over the port that main handed out', async () => {
    using data = tempDir()
    const { app, hook } = await start(data.path)
    const page = await app.window()
    await connected(page)
    expect(await page.title()).toBe('Tabscope')

    const before = await page.getByTestId('delivery-row').count()
    await fetch(hook, { method: 'POST', body: '{"type":"X"}' })
    await page.getByTestId('delivery-row').nth(before).waitFor({ state: 'attached' })

    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
  })

  it('hands a new port to a page that was reloaded', async () => {
    using data = tempDir()
    const { app, hook } = await start(data.path)
    const page = await app.window()
    await connected(page)
    await page.reload()
    await connected(page)
    await fetch(hook, { method: 'POST', body: '{}' })
    await page.getByTestId('delivery-row').first().waitFor({ state: 'attached' })
    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
  })

  it('gives the page the mark of its host and nothing else of Electron or Node', async () => {
    using data = tempDir()
    const { app } = await start(data.path)
    const page = await app.window()
    await connected(page)
    expect(await page.evaluate('window.tabscopeHost')).toBe('electron')
    expect(await page.evaluate('[typeof require, typeof process, typeof module]')).toEqual(
      Array.from({ length: 3 }, () => 'undefined'),
    )
    app.kill('SIGTERM')
    await app.exited
  })

  it('serves the interface under a strict policy and nothing beside it', async () => {
    using data = tempDir()
    const { app } = await start(data.path)
    const page = await app.window()
    await connected(page)
    const statuses = await page.evaluate(async () => {
      const ways = ['/..%2f..%2fpackage.json', '/%2e%2e/main/electron-main.js', '/nothing.js', '/']
      const all = await Promise.all(ways.map(async (way) => fetch(way)))
      return all.map((answer) => answer.status)
    })
    expect(statuses).toEqual([404, 404, 404, 200])
    const headers = await page.evaluate(async () => {
      const answer = await fetch('/index.html')
      return [
        answer.headers.get('content-security-policy'),
        answer.headers.get('x-content-type-options'),
      ]
    })
    expect(headers[0]).toMatch(
      /^default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self';/,
    )
    expect(headers[0]).not.toContain('unsafe')
    expect(headers[1]).toBe('nosniff')
    app.kill('SIGTERM')
    await app.exited
  })

  it('stays at its own origin and opens no other window', async () => {
    using data = tempDir()
    const { app } = await start(data.path)
    const page = await app.window()
    await connected(page)
    const origin = new URL(page.url()).origin
    await page.evaluate(() => {
      window.open('https://example.com/')
      window.location.href = 'https://example.com/'
    })
    await sleep(300)
    expect(new URL(page.url()).origin).toBe(origin)
    expect(
      page
        .context()
        .pages()
        .filter((other) => other.url().includes('example.com')),
    ).toEqual([])
    await connected(page)
    app.kill('SIGTERM')
    await app.exited
  })

  it('brings the first one forward when it is started again on the same data', async () => {
    using data = tempDir()
    const { app: first } = await start(data.path)
    await connected(await first.window())
    const { app: second } = await start(data.path)
    expect(await second.exited).toBe(0)
    await expect.poll(() => first.output()).toContain('[window] focused')

    using other = tempDir()
    const { app: third } = await start(other.path)
    await connected(await third.window())
    for (const app of [first, third]) app.kill('SIGTERM')
    expect(await Promise.all([first.exited, third.exited])).toEqual([0, 0])
  })

  it('closes the engine when its last window is closed', async () => {
    using data = tempDir()
    const { app } = await start(data.path)
    const page = await app.window()
    await connected(page)
    await page.close()
    expect(await app.exited).toBe(0)
  })

  it.runIf(process.platform === 'linux')('says so when no keyring guards the secrets', async () => {
    using data = tempDir()
    const { app } = await start(data.path, { DOUBLE_KEYRING: 'basic_text' })
    await connected(await app.window())
    expect(app.output()).toContain('No keyring was found')
    app.kill('SIGTERM')
    await app.exited
  })

  it('refuses a port that is none, in words', async () => {
    using data = tempDir()
    const app = desktop.start({ root, args: ['--data', data.path, '--port', '70000'] })
    expect(await app.exited).toBe(1)
    expect(app.output()).toContain('--port needs a number from 0 to 65535.')
  })
})
