import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { openSite, type Site } from './site.ts'
import { startDriver, type Wish } from './window-driver.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const REDIRECT = 'https://integration.invalid/callback'

const wishOf = (site: Site): Wish => ({
  url: `${site.origin}/manager/oauth`,
  redirectUrl: REDIRECT,
  state: 'state-1',
})
const withCookie = (body: string) => ({
  status: 200,
  headers: { 'content-type': 'text/html', 'set-cookie': 'who=ada; path=/' },
  body,
})

describe('how a run ends', () => {
  it('by the user, who closes the window, whatever the page says to it', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page(
      '/manager/oauth',
      '<button>Stay</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
    )
    const page = await driver.page(wishOf(site))
    // Only a page that was touched may ask to stay.
    await page.getByRole('button').click()
    await page.close({ runBeforeUnload: true })
    await driver.until('closed')
    expect(driver.told()).toEqual([{ run: 0, kind: 'closed', text: null }])
  })

  it('by the engine, which is told nothing of it', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', 'Stay')
    await driver.page(wishOf(site))
    await driver.close(0)
    await expect.poll(() => driver.app.output()).toContain('[window 1] closed')
    await expect.poll(() => driver.app.output()).toContain('[session] cleared')
    await driver.close(0)
    expect(driver.told()).toEqual([])
  })

  it('with the interface, as if the user had closed it', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', 'Stay')
    await driver.page(wishOf(site))
    await driver.closeAll()
    await driver.until('closed')
    await expect.poll(() => driver.app.output()).toContain('[window 1] closed')
  })

  it('by the next one, to which nobody is logged in', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', withCookie('<a href="/again">Again</a>'))
    site.page('/again', 'Again')
    const first = await driver.page(wishOf(site))
    await first.getByRole('link').click()
    await expect.poll(() => site.asked.at(-1)).toMatchObject({ path: '/again', cookie: 'who=ada' })
    await driver.page(wishOf(site))
    await driver.until('closed', 0)
    await expect.poll(() => driver.app.output()).toContain('[window 1] closed')
    await expect.poll(() => site.asked.at(-1)).toMatchObject({ path: '/manager/oauth', cookie: '' })
    expect(driver.told().filter(({ run }) => run === 1)).toEqual([])
    expect(driver.app.output()).not.toContain('[window 2] closed')
  })
})

describe("the system's browser", () => {
  it('is given addresses of the web and nothing else', async () => {
    await using driver = await startDriver(desktop)
    expect(await driver.openExternal('https://service.invalid/manager/oauth?a=1')).toBe(true)
    for (const address of ['file:///etc/hosts', 'javascript:alert(1)', 'tabscope://x', 'nothing']) {
      expect(await driver.openExternal(address)).toBe(false)
    }
    const opened = driver.app.output().match(/^\[shell\].*$/gm)
    expect(opened).toEqual(['[shell] https://service.invalid/manager/oauth?a=1'])
  })

  it('is not said to be open where there is none', async () => {
    await using driver = await startDriver(desktop, [], { DOUBLE_BROWSER: 'none' })
    expect(await driver.openExternal('https://service.invalid/')).toBe(false)
  })
})
