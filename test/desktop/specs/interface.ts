import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { entries } from '#contract/commands.ts'
import { unrefused } from '#test/support/policy-probe.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { connected, tempDir } from '../harness.ts'
import type { Specs } from './app-under-test.ts'
import { openApp, sharedApp } from './opened-app.ts'

export const interfaceSpecs: Specs = (binary) => {
  describe('the desktop app', () => {
    const opened = sharedApp(binary)

    it('shows a delivery as it arrives, over the port that main handed out', async () => {
      const { page, hook } = opened()
      expect(page.url()).toMatch(new RegExp(`^${binary().interfaceAt}/`))
      expect(await page.title()).toBe('Deliveries - Tabscope')
      const before = await page.getByTestId('delivery-row').count()
      await fetch(hook, { method: 'POST', body: '{"type":"X"}' })
      await page.getByTestId('delivery-row').nth(before).waitFor({ state: 'attached' })
    })

    it('hands a new port to a page that was reloaded', async () => {
      const { page, hook } = opened()
      await page.reload()
      await connected(page)
      const before = await page.getByTestId('delivery-row').count()
      await fetch(hook, { method: 'POST', body: '{}' })
      await page.getByTestId('delivery-row').nth(before).waitFor({ state: 'attached' })
    })

    it('has every command in its menu, and does what is chosen there', async () => {
      const { app, page } = opened()
      const there = (await app.menuIds()).filter((id) => id.startsWith('command:'))
      expect(there.toSorted()).toEqual(
        entries()
          .map(([name]) => `command:${name}`)
          .toSorted(),
      )
      // Again until it leads there: the menu follows what a page says that it can do, and this one was just loaded.
      const chosen = async (id: string): Promise<unknown> => {
        await app.chooseInMenu(id)
        return page.evaluate('location.hash')
      }
      await expect.poll(async () => chosen('command:go-conformance')).toBe('#/conformance')
      await expect.poll(async () => chosen('command:go-deliveries')).toMatch(/^(?:#\/deliveries)?$/)
    })

    it('gives the page the mark of its host and nothing else of Electron or Node', async () => {
      const { page } = opened()
      expect(await page.evaluate('window.tabscopeHost')).toBe('electron')
      expect(await page.evaluate('[typeof require, typeof process, typeof module]')).toEqual(
        Array.from({ length: 3 }, () => 'undefined'),
      )
      // A frame of the page has all that the browser gives, and no preload.
      const added = await page.evaluate(() => {
        const frame = document.createElement('iframe')
        document.body.append(frame)
        const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow))
        frame.remove()
        return Object.getOwnPropertyNames(window).filter((name) => !plain.has(name))
      })
      // The page's own schemas, and what drives it.
      const known = /^__(?:zod|pw|playwright)/
      expect(added.filter((name) => !known.test(name))).toEqual(['tabscopeHost'])
    })

    it('serves the interface under a strict policy and nothing beside it', async () => {
      const { page } = opened()
      const statuses = await page.evaluate(async () => {
        const ways = [
          '/..%2f..%2fpackage.json',
          '/%2e%2e/main/electron-main.js',
          '/nothing.js',
          '/',
        ]
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
      expect(await unrefused(page)).toEqual([])
      const licences = await page.evaluate(async () => {
        const answer = await fetch('/licences.txt')
        return [answer.headers.get('content-type'), await answer.text()]
      })
      expect(licences[0]).toBe('text/plain; charset=utf-8')
      expect(licences[1]).toContain('licences of what it is made of')
    })

    it('runs nothing that is foreign to its page, and reaches nobody', async () => {
      const { page } = opened()
      expect(await unrefused(page)).toEqual([])
      await page.reload()
      await connected(page)
    })

    it('stays at its own origin and opens no other window', async () => {
      const { page } = opened()
      await page.evaluate(() => {
        window.open('https://example.com/')
        window.location.href = 'https://example.com/'
      })
      await sleep(300)
      expect(page.url()).toMatch(new RegExp(`^${binary().interfaceAt}/`))
      expect(
        page
          .context()
          .pages()
          .filter((other) => other.url().includes('example.com')),
      ).toEqual([])
      await connected(page)
    })

    it('brings the first one forward when it is started again on the same data, and starts beside it on other data', async () => {
      const { app, args } = opened()
      expect((await binary().run(args)).code).toBe(0)
      await app.cameForward()

      using other = tempDir()
      const beside = await openApp(binary(), other.path)
      expect(await beside.app.quit()).toBe(0)
    })

    it('takes the commands of the command line while it runs, and seals what they bring with its own box', async () => {
      const { dataDir } = opened()
      const set = ['integration', 'set', '--name', 'From outside', '--json', '--data', dataDir]
      const { code, stdout, stderr } = await runCli([
        ...set,
        '--access-secret',
        'a long enough secret',
      ])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(jsonLines(stdout)).toMatchObject([
        { name: 'From outside', accessSecret: { set: true, unavailable: false } },
      ])
    })

    it('closes the engine when its last window is closed, with all that came in the store', async () => {
      const { app, page, dataDir } = opened()
      const rows = await page.getByTestId('delivery-row').count()
      expect(rows).toBeGreaterThan(1)
      await app.closeWindow(page)
      // On macOS an app stays without windows.
      expect(await (process.platform === 'darwin' ? app.quit() : app.exited)).toBe(0)

      const list = await runCli(['deliveries', 'list', '--json', '--data', dataDir])
      expect(jsonLines(list.stdout)).toHaveLength(rows)
      // Sealed by the desktop app: without it the command line cannot open it, and says so.
      const show = ['integration', 'show', 'From outside', '--json', '--data', dataDir]
      expect(jsonLines((await runCli(show)).stdout)).toMatchObject([
        { accessSecret: { set: true, unavailable: true } },
      ])
    })
  })
}
