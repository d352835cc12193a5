import { afterAll, describe, expect, it } from 'vitest'
import { openDesktop } from '../support/electron-double/launch.ts'
import { openSite, type Site } from './site.ts'
import { startDriver, type OpenRequest } from './window-driver.ts'

const desktop = await openDesktop()
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

it('a run ends when the user closes the window, even if the page prevents it', async () => {
  await using site = await openSite()
  await using driver = await startDriver(desktop)
  site.page(
    '/manager/oauth',
    '<button>Stay</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
  )
  const page = await driver.page(openRequest(site))
  const cleared = (): number => driver.app.output().split('[session] cleared').length - 1
  const before = cleared()
  // A page may prevent closing only after a user interaction.
  await page.getByRole('button').click()
  await page.close({ runBeforeUnload: true })
  await driver.until('closed')
  expect(driver.reported()).toEqual([{ run: 0, kind: 'closed', text: null }])
  // The page is destroyed before its window closes, and its session is cleared anyway.
  await expect.poll(cleared).toBe(before + 1)
})

describe("the system's browser", () => {
  it('opens web addresses only', async () => {
    await using driver = await startDriver(desktop)
    expect(await driver.openExternal('https://service.invalid/manager/oauth?a=1')).toBe(true)
    for (const address of ['file:///etc/hosts', 'javascript:alert(1)', 'tabscope://x', 'nothing'])
      expect(await driver.openExternal(address)).toBe(false)
    const opened = driver.app.output().match(/^\[shell\].*$/gm)
    expect(opened).toEqual(['[shell] https://service.invalid/manager/oauth?a=1'])
  })

  it('is not reported as open when there is none', async () => {
    await using driver = await startDriver(desktop, { DOUBLE_BROWSER: 'none' })
    expect(await driver.openExternal('https://service.invalid/')).toBe(false)
    // On Linux no program is started: Electron would report success.
    if (process.platform === 'linux') expect(driver.app.output()).not.toContain('[shell]')
  })
})
