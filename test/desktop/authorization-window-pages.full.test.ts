import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { openSite, redirectTo, type Site } from './site.ts'
import { startDriver, type OpenRequest } from './window-driver.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const REDIRECT = 'https://integration.invalid/callback'
const BACK = `${REDIRECT}?code=c0de&state=state-1`

const openRequest = (site: Site): OpenRequest => ({
  url: `${site.origin}/manager/oauth`,
  redirectUrl: REDIRECT,
  state: 'state-1',
})
const withCookie = (body: string) => ({
  status: 200,
  headers: { 'content-type': 'text/html', 'set-cookie': 'who=ada; path=/' },
  body,
})

describe('windows opened by a page', () => {
  it.each([
    ['by script', '<button onclick="window.open(\'/login\')">Log in</button>'],
    ['that have no opener', '<a href="/login" target="_blank" role="button">Log in</a>'],
    [
      'that are blank at first',
      `<button onclick="const w = window.open(); w.location = location.origin + '/login'">Log in</button>`,
    ],
  ])('%s share its login, and closing one does not end the run', async (_name, opener) => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', withCookie(`${opener}<a id="back" href="${BACK}">Back</a>`))
    site.page('/login', '<title>Trust me</title><h1>Who are you?</h1>')
    const page = await driver.page(openRequest(site))
    const next = desktop.nextPage()
    await page.getByRole('button').click()
    const popup = await next
    await popup.getByRole('heading').waitFor()
    expect(site.asked.at(-1)).toMatchObject({ path: '/login', cookie: 'who=ada' })
    expect(await popup.evaluate('typeof tabscopeHost')).toBe('undefined')
    await expect.poll(() => driver.titles(2)).toContain(`${site.origin} · Authorization`)

    await desktop.closePage(popup)
    await expect.poll(() => driver.app.output()).toContain('[window 2] closed')
    expect(driver.reported().filter(({ kind }) => kind !== 'hop')).toEqual([])
    await page.locator('#back').dispatchEvent('click')
    expect(await driver.until('returned')).toBe(BACK)
  })

  it('are not cut off by --no-sandbox, which Electron removes', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop, {}, ['--no-sandbox'])
    site.page('/manager/oauth', '<button onclick="window.open(\'/login\')">Log in</button>')
    site.page('/login', '<h1>Who are you?</h1>')
    const page = await driver.page(openRequest(site))
    const next = desktop.nextPage()
    await page.getByRole('button').click()
    const popup = await next
    await popup.getByRole('heading').waitFor()
    expect(driver.reported().filter(({ kind }) => kind === 'failed')).toEqual([])
  })

  it('may carry the redirect, and close with the run', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', '<button onclick="window.open(\'/login\')">Log in</button>')
    site.page('/login', `<a href="${BACK}">Back</a>`)
    const page = await driver.page(openRequest(site))
    const next = desktop.nextPage()
    await page.getByRole('button').click()
    const popup = await next
    await expect.poll(() => driver.app.output()).toContain('[window 2] centred')
    await popup.getByRole('link').dispatchEvent('click')
    expect(await driver.until('returned')).toBe(BACK)
    for (const window of [1, 2]) {
      await expect.poll(() => driver.app.output()).toContain(`[window ${window}] closed`)
    }
  })

  it('are limited to four, and to web addresses', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page(
      '/manager/oauth',
      `<button onclick="for (let i = 0; i < 9; i++) window.open('/login?' + i)">Log in</button>
       <b onclick="for (const url of ['tabscope://x', 'app://tabscope/index.html']) window.open(url)">Out</b>`,
    )
    site.page('/login', 'Log in')
    site.page('/done', 'Done')
    const page = await driver.page(openRequest(site))
    await page.getByText('Out').dispatchEvent('click')
    await page.getByRole('button').dispatchEvent('click')
    await expect.poll(() => driver.titles(5)).not.toEqual([])
    await page.goto(`${site.origin}/done`)
    expect(site.paths().filter((path) => path.startsWith('/login'))).toHaveLength(4)
    expect(driver.app.output()).not.toContain('left the web')
    expect(driver.titles(6)).toEqual([])
  })
})

describe('what a page can access', () => {
  it('a context menu in its own window, with items for what was clicked', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', '<input>')
    await driver.page(openRequest(site))
    driver.contextMenu(1, { isEditable: true, source: 'keyboard' })
    await expect
      .poll(() => driver.app.output())
      .toContain(
        '[window 1] context menu at 40 30 by keyboard: (Cut CommandOrControl+X) | (Copy CommandOrControl+C) | Paste CommandOrControl+V | — | Select all',
      )
    driver.app.simulate({ kind: 'context-menu-choose', label: 'Paste' })
    await expect.poll(() => driver.app.output()).toContain('[menu] role paste')
  })

  it('its origin as the title, not a title of the page', async () => {
    await using site = await openSite()
    await using other = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', `<title>Your bank</title><a href="${other.origin}/x">On</a>`)
    other.page('/x', `<title>Your bank</title><script>document.title = 'Really'</script>Here`)
    const page = await driver.page(openRequest(site))
    await page.getByRole('link').click()
    await page.getByText('Here').waitFor()
    await expect.poll(() => driver.titles(1)).toHaveLength(2)
    // Both titles of the last page have been set by now.
    await expect.poll(async () => page.title()).toBe('Really')
    expect(driver.titles(1)).toEqual([
      `${site.origin} · Authorization`,
      `${other.origin} · Authorization`,
    ])
  })

  it('no Tabscope, Node or Electron API', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', 'Here')
    const page = await driver.page(openRequest(site))
    await page.getByText('Here').waitFor()
    expect(
      await page.evaluate('[typeof tabscopeHost, typeof require, typeof process, typeof module]'),
    ).toEqual(Array.from({ length: 4 }, () => 'undefined'))
  })

  it('no repeated dialogs', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page(
      '/manager/oauth',
      `<script>for (let i = 0; i < 30; i++) alert('Stay'); location.href = '${BACK}'</script>`,
    )
    await driver.open(openRequest(site))
    expect(await driver.until('returned')).toBe(BACK)
    expect(driver.app.output()).not.toContain('[double] dialog')
  })

  it('no way to stay open when the redirect arrives', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page(
      '/manager/oauth',
      `<button onclick="location.href = '/on'">On</button>
       <script>onbeforeunload = (event) => event.preventDefault()</script>`,
    )
    site.page('/on', redirectTo(BACK))
    const page = await driver.page(openRequest(site))
    await page
      .getByRole('button')
      .click({ noWaitAfter: true })
      .catch(() => undefined)
    expect(await driver.until('returned')).toBe(BACK)
  })
})
