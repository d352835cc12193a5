import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { entries } from '#contract/commands.ts'
import { unblockedAttempts } from '#test/support/policy-probe.ts'
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
      await expect.poll(() => page.title()).toBe('Deliveries - Tabscope')
      const before = await page.getByTestId('delivery-row').count()
      await fetch(hook, { method: 'POST', body: '{"type":"X"}' })
      await page.getByTestId('delivery-row').nth(before).waitFor({ state: 'attached' })
    })

    it('connects a reloaded page to a new port', async () => {
      const { page, hook } = opened()
      await page.reload()
      await connected(page)
      const before = await page.getByTestId('delivery-row').count()
      await fetch(hook, { method: 'POST', body: '{}' })
      await page.getByTestId('delivery-row').nth(before).waitFor({ state: 'attached' })
    })

    it('has every command in its menu, and runs the selected one', async () => {
      const { app, page } = opened()
      const there = (await app.menuIds()).filter((id) => id.startsWith('command:'))
      expect(there.toSorted()).toEqual(
        entries()
          .map(([name]) => `command:${name}`)
          .toSorted(),
      )
      // Repeated until it navigates: the menu is updated after the page has reported its commands, and this page was just loaded.
      const chosen = async (id: string): Promise<unknown> => {
        await app.chooseInMenu(id)
        return page.evaluate('location.hash')
      }
      await expect.poll(async () => chosen('command:go-differences')).toBe('#/health/differences')
      await expect.poll(async () => chosen('command:go-deliveries')).toMatch(/^(?:#\/deliveries)?$/)
    })

    it('exposes only its host name to the page, and nothing else of Electron or Node', async () => {
      const { page } = opened()
      expect(await page.evaluate('window.tabscopeHost')).toBe('electron')
      expect(await page.evaluate('[typeof require, typeof process, typeof module]')).toEqual(
        Array.from({ length: 3 }, () => 'undefined'),
      )
      // A frame of the page has the browser's APIs, and no preload.
      const added = await page.evaluate(() => {
        const frame = document.createElement('iframe')
        document.body.append(frame)
        const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow))
        frame.remove()
        return Object.getOwnPropertyNames(window).filter((name) => !plain.has(name))
      })
      // The page's own schemas, and Playwright's.
      const known = /^__(?:zod|pw|playwright)/
      expect(added.filter((name) => !known.test(name))).toEqual(['tabscopeHost'])
    })

    it('lets the page copy, even without a click, and nothing else', async () => {
      const { page } = opened()
      const states = await page.evaluate(async () => {
        const names = [
          'clipboard-write',
          'clipboard-read',
          'geolocation',
          'notifications',
          'camera',
        ]
        const all = names.map(async (name) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser knows more of them than the types do
          const asked = await navigator.permissions.query({ name: name as PermissionName })
          return asked.state
        })
        return Promise.all(all)
      })
      expect(states).toEqual(['granted', 'denied', 'denied', 'denied', 'denied'])
      // A menu command is not a click in the page.
      await page.evaluate(async () => navigator.clipboard.writeText('copied'))
    })

    it('serves the interface under a strict policy, and nothing else', async () => {
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
      expect(await unblockedAttempts(page)).toEqual([])
      const licences = await page.evaluate(async () => {
        const answer = await fetch('/licences.txt')
        return [answer.headers.get('content-type'), await answer.text()]
      })
      expect(licences[0]).toBe('text/plain; charset=utf-8')
      expect(licences[1]).toContain('licences of third-party software')
    })

    it('runs only its own scripts, and contacts no other host', async () => {
      const { page } = opened()
      expect(await unblockedAttempts(page)).toEqual([])
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

    it('shows a delivery in a second window, which the menu follows', async () => {
      const { app, page } = opened()
      const next = app.nextWindow()
      const id = await page.getByTestId('delivery-row').first().getAttribute('data-id')
      await page.evaluate((hash) => (location.hash = hash), `#/deliveries/${id}`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Open in a new window' }).click()
      const second = await next
      await connected(second)
      await second.getByRole('button', { name: 'More actions' }).waitFor()
      expect(second.url()).toContain(`#/deliveries/${id}`)
      await expect
        .poll(async () => {
          await app.chooseInMenu('command:go-differences')
          return second.evaluate('location.hash')
        })
        .toBe('#/health/differences')
      await expect.poll(() => page.evaluate('location.hash')).toBe(`#/deliveries/${id}`)
      await app.closeWindow(second)
      // The first window is the current one again.
      await expect
        .poll(async () => {
          await app.chooseInMenu('command:go-differences')
          return page.evaluate('location.hash')
        })
        .toBe('#/health/differences')
      // A command that was chosen once more may still arrive.
      await expect
        .poll(async () => {
          await page.evaluate(() => (location.hash = '#/deliveries'))
          return page.getByTestId('delivery-row').count()
        })
        .toBeGreaterThan(0)
    })

    it('focuses the running app when started again on the same data, and starts a second one on other data', async () => {
      const { app, args } = opened()
      expect((await binary().run(args)).code).toBe(0)
      await app.cameForward()

      using other = tempDir()
      const beside = await openApp(binary(), other.path)
      expect(await beside.app.quit()).toBe(0)
    })

    it('serves CLI commands while it runs, and encrypts their secrets with its own key', async () => {
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

    it('shuts the engine down with its last window, and stores everything received', async () => {
      const { app, page, dataDir } = opened()
      // A command that an earlier test chose once more may leave the list late.
      await page.evaluate(() => (location.hash = '#/deliveries'))
      await page.getByTestId('delivery-row').nth(1).waitFor()
      const rows = await page.getByTestId('delivery-row').count()
      await app.closeWindow(page)
      // On macOS an app keeps running without windows.
      expect(await (process.platform === 'darwin' ? app.quit() : app.exited)).toBe(0)

      const list = await runCli(['delivery', 'list', '--json', '--data', dataDir])
      expect(jsonLines(list.stdout)).toHaveLength(rows)
      // Sealed by the desktop app: without it the command line cannot unseal the secret, and says so.
      const show = ['integration', 'show', 'From outside', '--json', '--data', dataDir]
      expect(jsonLines((await runCli(show)).stdout)).toMatchObject([
        { accessSecret: { set: true, unavailable: true } },
      ])
    })
  })
}
