import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { until } from '#test/support/until.ts'
import { openSite, type Site } from './site.ts'
import { startDriver, type Driver } from './window-driver.ts'

// One app shows one hostile page after another in its authorization window: each run replaces the previous one.

let desktop: Desktop
let driver: Driver
let site: Site
let integration: Site
let run = -1
beforeAll(async () => {
  desktop = await openDesktop()
  driver = await startDriver(desktop)
  site = await openSite()
  integration = await openSite()
})
afterAll(async () => {
  await driver[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  await integration[Symbol.asyncDispose]()
  await desktop.close()
})
beforeEach(() => {
  integration.page('/callback', 'Never to be seen')
  site.page('/done', 'Done')
})

const back = (): string => `${integration.origin}/callback?code=c0de&state=state-1`

async function visit(html: string, redirectUrl = `${integration.origin}/callback`): Promise<Page> {
  run += 1
  const path = `/hostile-${run}`
  site.page(path, html)
  const before = new Set(desktop.pages())
  await driver.open({ url: site.origin + path, redirectUrl, state: 'state-1' })
  // Not simply the next page: a window of the previous page, at a path of its own, may open late, and is denied.
  return until('the page', () =>
    desktop.pages().find((page) => {
      const url = page.url()
      return !before.has(page) && url.startsWith(site.origin) && !/\/(?:popup|after)/.test(url)
    }),
  )
}

async function tell(page: Page, script: string): Promise<void> {
  await page.evaluate(script).catch(() => undefined)
}

const ends = () => driver.reported().filter((one) => one.run === run && one.kind !== 'hop')
const windowsOf = (output: string): number => new Set(output.match(/^\[window \d+\]/gm)).size

async function gone(page: Page): Promise<void> {
  await expect.poll(() => page.isClosed()).toBe(true)
}

describe('a page that refuses to close', () => {
  it.each([
    ['keeps showing dialogs', 'for (;;) { alert(1); confirm(2); prompt(3) }'],
    ['is in an endless loop', 'setTimeout(() => { for (;;); }, 20)'],
    ['keeps printing', 'for (let i = 0; i < 200; i++) print(); setInterval(print, 1)'],
    ['never ends its unload handler', `onpagehide = onunload = () => { for (;;); }`],
    [
      'prevents closing in an endless loop',
      `onbeforeunload = (event) => { event.preventDefault(); for (;;); }`,
    ],
  ])('and %s is ended by the main process', async (_name, script) => {
    const page = await visit(`<button>Stay</button><script>${script}</script>`)
    await driver.close(run)
    await gone(page)
    expect(ends()).toEqual([])
  })

  it.each([
    ['keeps showing dialogs', 'for (;;) alert(1)'],
    ['is in an endless loop', 'setTimeout(() => { for (;;); }, 20)'],
    ['prevents closing in an endless loop', `onbeforeunload = () => { for (;;); }`],
  ])('and %s is closed by the user', async (_name, script) => {
    const known = windowsOf(driver.app.output())
    const page = await visit(`<button>Stay</button><script>${script}</script>`)
    driver.app.simulate({ kind: 'close-window', window: known + 1 })
    await gone(page)
    expect(await driver.until('closed', run)).toBe(null)
  })

  it('opens no window while it closes, and takes down those it opened', async () => {
    const page = await visit(
      `<button onclick="window.open('/popup')">Log in</button>
       <script>onpagehide = onunload = () => { for (let i = 0; i < 9; i++) window.open('/after') }</script>`,
    )
    site.page(
      '/popup',
      `<h1>Log in</h1><script>setInterval(() => window.open('/popup?again'), 5)</script>`,
    )
    const next = desktop.nextPage()
    await page.getByRole('button').click()
    const popup = await next
    await popup.getByRole('heading').waitFor()
    await driver.close(run)
    await gone(page)
    await gone(popup)
    expect(site.paths().filter((path) => path.startsWith('/after'))).toEqual([])
    expect(site.paths().filter((path) => path.startsWith('/popup')).length).toBeLessThan(5)
  })
})

it('history entries with the redirect URL do not navigate there', async () => {
  // The integration has the same origin as the page, so its URL is available without a request.
  const redirectUrl = `${site.origin}/home`
  site.page('/home', 'Never to be seen')
  const page = await visit(
    `<script>history.pushState({}, '', '/home?code=c0de&state=state-1')</script><b>Here</b>`,
    redirectUrl,
  )
  await page.getByText('Here').waitFor()
  expect(ends()).toEqual([])
  await tell(page, 'location.reload()')
  expect(await driver.until('returned', run)).toBe(`${redirectUrl}?code=c0de&state=state-1`)
  expect(site.paths().filter((path) => path.startsWith('/home'))).toEqual([])
})

describe('requests by a page', () => {
  it('for windows without an opener, or many windows, are denied', async () => {
    const known = windowsOf(driver.app.output())
    const page = await visit(
      `<button>Log in</button><script>
        document.querySelector('button').onclick = () => {
          const blank = window.open()
          blank.document.body.innerHTML = '<button onclick="location.href = location.href">Your bank</button>'
        }
      </script>`,
    )
    const title = `${site.origin} · Authorization`
    const next = desktop.nextPage()
    await page.getByRole('button').click()
    const blank = await next
    await blank.getByRole('button').click()
    await expect.poll(async () => blank.evaluate('document.body.innerHTML')).toBe('')
    await expect.poll(() => driver.titles(known + 2).length).toBeGreaterThan(1)
    expect([...new Set(driver.titles(known + 2))]).toEqual([title])
    await desktop.closePage(blank)

    // It never navigates itself: its content is always that of the opener.
    site.page('/no-content', { status: 204, headers: {} })
    await tell(page, `held = window.open('/no-content'); held.document.title = 'Your bank'`)
    await expect.poll(() => driver.titles(known + 3)).not.toEqual([])
    await tell(page, 'held.close()')
    await expect.poll(() => driver.app.output()).toContain(`[window ${known + 3}] closed`)
    expect(driver.titles(known + 3)).toEqual([title])

    // One window after another: each would cover what the user is doing.
    site.page('/storm', `<script>close()</script>`)
    await tell(page, `tried = 0; setInterval(() => { window.open('/storm?' + ++tried) }, 20)`)
    const storms = (): number => site.paths().filter((path) => path.startsWith('/storm')).length
    await expect.poll(storms, { timeout: 60_000 }).toBe(10)
    await expect.poll(() => driver.app.output()).toContain(`[window ${known + 13}] closed`)
    const tried = async (): Promise<number> => page.evaluate('tried')
    const before = await tried()
    await expect.poll(tried).toBeGreaterThan(before + 10)
    expect(storms()).toBe(10)
    expect(ends()).toEqual([])
  })

  it('for a service worker that replaces the service are denied', async () => {
    site.page('/worker.js', {
      status: 200,
      headers: { 'content-type': 'text/javascript' },
      body: `onfetch = (event) => { if (event.request.mode === 'navigate') event.respondWith(Response.redirect('${back()}')) }
             oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim())`,
    })
    const page = await visit('<h1>Here</h1>')
    await page.getByText('Here').waitFor()
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js')
      await navigator.serviceWorker.ready
    })
    await tell(page, `location.href = '/anything'`)
    expect(await driver.until('returned', run)).toBe(back())
    expect(integration.paths()).toEqual([])
  })
})
