import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { until } from '#test/support/until.ts'
import { openSite, redirectTo, type Site } from './site.ts'
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
  // Not simply the next page: a window of the previous page may open late, and is denied.
  return until('the page', () =>
    desktop.pages().find((page) => !before.has(page) && page.url().startsWith(site.origin)),
  )
}

async function goTo(page: Page, path: string): Promise<void> {
  // The page may replace the navigation by its own, and then it never ends.
  const navigate = (): Promise<boolean> =>
    page.goto(site.origin + path, { timeout: 10_000 }).then(
      () => true,
      () => false,
    )
  await until('the page to go on', navigate, 180_000)
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

describe('history', () => {
  it('entries with the redirect URL do not navigate there', async () => {
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

  it('does not lead again to a redirect that was intercepted', async () => {
    const page = await visit(
      `<script>
        const there = ${JSON.stringify(back())}
        for (let i = 0; i < 20; i++) {
          location.href = there; history.back(); location.replace(there); history.forward()
          const link = document.createElement('a'); link.href = there; link.click()
        }
      </script>`,
    )
    await driver.until('returned', run)
    await gone(page)
    expect(ends()).toHaveLength(1)
    expect(integration.paths()).toEqual([])
  })
})

describe('navigation away from the web', () => {
  const OUT = [
    'file:///etc/hosts',
    'app://tabscope/index.html',
    'tabscope://delivery/1',
    'ms-settings:privacy',
    'chrome://settings',
    'view-source:http://127.0.0.1/',
    'javascript:document.body.textContent="ran"',
    'data:text/html,<h1>Log in</h1>',
    'filesystem:http://127.0.0.1/temporary/x',
    'mailto:ada@integration.invalid',
  ]

  it('is blocked for pages and their frames', async () => {
    const forms = OUT.map((url) => `<form action='${url}'></form>`).join('')
    const frames = OUT.map((url) => `<iframe src='${url}'></iframe>`).join('')
    site.page(
      '/frame',
      `<b>In a frame</b><script>for (const url of ${JSON.stringify(OUT)}) {
        try { top.location.href = url } catch {} try { window.open(url, '_top') } catch {} }</script>`,
    )
    const page = await visit(
      `<h1>Here</h1>${forms}${frames}<iframe src="/frame"></iframe><script>
        const out = ${JSON.stringify(OUT)}
        for (const url of out) {
          try { window.open(url) } catch {}
          const link = document.createElement('a'); link.href = url; link.target = '_blank'; link.click()
        }
        const blob = URL.createObjectURL(new Blob(['<h1>Blob</h1>'], { type: 'text/html' }))
        try { window.open(blob) } catch {}
      </script>`,
    )
    await page.getByText('Here').waitFor()
    await page.frameLocator('iframe').last().getByText('In a frame').waitFor()
    for (const url of OUT.filter((one) => !one.startsWith('javascript:'))) {
      await tell(page, `location.href = ${JSON.stringify(url)}`)
    }
    await tell(page, `for (const form of document.forms) form.submit()`)
    expect(page.url()).toMatch(/\/hostile-\d+$/)
    // The double cannot simulate this navigation, and reports it unless main prevents it.
    await tell(page, `location.href = URL.createObjectURL(new Blob(['<h1>Blob</h1>']))`)
    await goTo(page, '/done')
    await page.getByText('Done').waitFor()
    expect(driver.app.output()).not.toContain('left the web')
    expect(ends()).toEqual([])
  })

  it.each(['app://tabscope/index.html', 'tabscope://delivery/1', 'file:///etc/hosts', 'data:,x'])(
    'is blocked for redirects and self-navigation to %s',
    async (url) => {
      const page = await visit('<h1>Here</h1><a href="/redirect">On</a>')
      site.page('/redirect', redirectTo(url))
      site.page('/refresh', `<h1>Here</h1><meta http-equiv="refresh" content="0; url=${url}">`)
      await page.getByRole('link').dispatchEvent('click')
      await expect.poll(() => site.paths().at(-1)).toBe('/redirect')
      await goTo(page, '/refresh')
      await page.getByText('Here').waitFor()
      await tell(page, `location.href = '/done'`)
      await page.getByText('Done').waitFor()
      expect(driver.app.output()).not.toContain('left the web')
    },
  )
})

describe('requests by a page', () => {
  it('for a download are denied, however often', async () => {
    const before = driver.app.output().length
    const page = await visit(
      `<script>
        const link = document.createElement('a'); link.download = 'x.exe'
        for (const href of ['/file', 'data:application/octet-stream,MZ', URL.createObjectURL(new Blob(['MZ']))])
          for (let i = 0; i < 5; i++) { link.href = href; link.click() }
      </script><h1>Here</h1>`,
    )
    site.page('/file', { status: 200, headers: { 'content-type': 'application/x-msdownload' } })
    await page.getByText('Here').waitFor()
    const reported = (): string => driver.app.output().slice(before)
    await expect.poll(reported).toContain('[download] prevented')
    expect(reported()).not.toContain('[download] made')
  })

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

  it('for a title or an endless address are denied', async () => {
    const known = windowsOf(driver.app.output())
    const page = await visit(
      `<script>
        for (let i = 0; i < 200; i++) document.title = 'https://service.invalid ' + i + 'x'.repeat(5_000)
      </script><h1>Here</h1>`,
    )
    await page.getByText('Here').waitFor()
    await tell(page, `location.href = '/long?' + 'x'.repeat(15_000)`)
    await tell(page, `location.href = '#' + 'x'.repeat(1_500_000)`)
    await tell(page, `location.href = 'tabscope://delivery/' + 'x'.repeat(1_000_000)`)
    const titles = new Set(driver.titles(known + 1))
    expect([...titles]).toEqual([`${site.origin} · Authorization`])
    for (const { text } of driver.reported()) expect(text?.length ?? 0).toBeLessThan(20_001)
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
