import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openDesktop } from '../support/electron-double/launch.ts'
import { full } from '../support/full.ts'
import { until } from '#test/support/until.ts'
import { openSite, redirectTo, type Site } from './site.ts'
import { startDriver, type OpenRequest } from './window-driver.ts'

const desktop = await openDesktop()
afterAll(async () => desktop.close())

const STATE = 'state-1'
const ANSWER = `code=c0de&state=${STATE}`
const NOWHERE = 'https://integration.invalid/callback?tenant=7'

const openRequest = (site: Site, redirectUrl = NOWHERE): OpenRequest => ({
  url: `${site.origin}/manager/oauth`,
  redirectUrl,
  state: STATE,
})

/** Every way in which a page can navigate, each ending at `back`. */
const WAYS: readonly (readonly [string, (site: Site, back: string) => void])[] = [
  ['a 302', (site, back) => site.page('/manager/oauth', redirectTo(back))],
  ['a script', (site, back) => site.page('/manager/oauth', script(`location.href = '${back}'`))],
  [
    'a link',
    (site, back) =>
      site.page('/manager/oauth', `<a href="${back}">Back</a>${script('click("a")')}`),
  ],
  [
    'a meta refresh',
    (site, back) =>
      site.page('/manager/oauth', `<meta http-equiv="refresh" content="0; url=${back}">`),
  ],
  [
    'a form with a 302 response',
    (site, back) => {
      site.page('/manager/oauth', POST_FORM)
      site.page('/approve', redirectTo(back))
    },
  ],
  [
    'a form with a 307 response, which would send it again',
    (site, back) => {
      site.page('/manager/oauth', POST_FORM)
      site.page('/approve', { status: 307, headers: { location: back } })
    },
  ],
  [
    'a new window',
    (site, back) => {
      site.page('/manager/oauth', `<button>Log in</button>${script('onButton("/login")')}`)
      site.page('/login', redirectTo(back))
    },
  ],
  [
    'a new window that navigates there immediately',
    (site, back) =>
      site.page('/manager/oauth', `<button>Log in</button>${script(`onButton('${back}')`)}`),
  ],
]
const DAILY = ['a script', 'a form with a 302 response']
const POST_FORM = `<form method="post" action="/approve"><input name="who" value="ada"></form>
  <script>document.forms[0].submit()</script>`

function script(text: string): string {
  return `<script>
    const click = (what) => document.querySelector(what).click()
    const onButton = (url) => { document.querySelector('button').onclick = () => window.open(url) }
    ${text}
  </script>`
}

/** A click after which the page may be gone before the click completes. */
async function press(page: Page, what: 'button' | 'link' = 'button'): Promise<void> {
  await page
    .getByRole(what)
    .dispatchEvent('click')
    .catch(() => undefined)
}

describe('the redirect is intercepted before it is requested', () => {
  it.each(full ? WAYS : WAYS.filter(([name]) => DAILY.includes(name)))(
    'by %s',
    async (name, lay) => {
      await using site = await openSite()
      await using integration = await openSite()
      await using driver = await startDriver(desktop)
      integration.page('/callback', 'Never to be seen')
      const redirectUrl = `${integration.origin}/callback?tenant=7`
      const back = `${redirectUrl}&${ANSWER}`
      lay(site, back)

      if (name.startsWith('a new window')) {
        const page = await driver.page(openRequest(site, redirectUrl))
        // A click before the page's script has loaded has no effect.
        await page.waitForFunction(`document.querySelector('button')?.onclick`)
        await press(page)
      } else await driver.open(openRequest(site, redirectUrl))

      expect(await driver.until('returned')).toBe(back)
      await expect.poll(() => driver.app.output()).toContain('[window 1] closed')
      expect(integration.paths()).toEqual([])
      expect(driver.reported().filter(({ kind }) => kind !== 'hop')).toHaveLength(1)
      expect(driver.reported().filter(({ text }) => text === back)).toHaveLength(1)
    },
  )

  it.runIf(full)('records each step before the redirect, but not the redirect itself', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    site.page('/manager/oauth', redirectTo('/login?code=1'))
    site.page('/login', script(`location.href = '/consent'`))
    site.page('/consent', redirectTo(`${NOWHERE}&error=access_denied&state=${STATE}`))
    await driver.open(openRequest(site))
    await driver.until('returned')
    expect(driver.reported().map(({ kind, text }) => [kind, text])).toEqual([
      ['hop', `${site.origin}/login?code=1`],
      ['hop', `${site.origin}/consent`],
      ['returned', `${NOWHERE}&error=access_denied&state=${STATE}`],
    ])
  })
})

describe.runIf(full)('addresses similar to the redirect URL', () => {
  // Which addresses are similar is a rule of `judgeReturn`.
  it('are reported and not requested when they carry our authorization response', async () => {
    await using site = await openSite()
    await using integration = await openSite()
    await using driver = await startDriver(desktop)
    const there = `${integration.origin}/other?${ANSWER}`
    site.page('/manager/oauth', redirectTo(there))
    await driver.open(openRequest(site, `${integration.origin}/callback?tenant=7`))
    expect(await driver.until('returned')).toBe(there)
    expect(driver.reported().filter(({ kind }) => kind === 'failed')).toEqual([])
    expect(integration.paths()).toEqual([])
  })

  it('another page of the same origin without an authorization response loads normally', async () => {
    await using site = await openSite()
    await using driver = await startDriver(desktop)
    const redirectUrl = `${site.origin}/callback`
    site.page('/manager/oauth', redirectTo('/login?code=1&state=theirs'))
    site.page('/login', '<a href="/callback?code=c0de&state=wrong">Back</a>')
    const page = await driver.page(openRequest(site, redirectUrl))
    await press(page, 'link')
    // With a wrong state it is still the redirect URL: it is not requested, and the run continues.
    const wrong = `${redirectUrl}?code=c0de&state=wrong`
    await until('the step', () =>
      driver.reported().some(({ kind, text }) => kind === 'hop' && text === wrong),
    )
    expect(driver.reported().filter(({ kind }) => kind === 'returned')).toEqual([])
    expect(site.paths()).toEqual(['/manager/oauth', '/login?code=1&state=theirs'])
  })

  it.each([
    ['at once', (back: string) => back],
    ['by a 302', () => '/frame'],
    // A frame of another site has its own process.
    ['by a page of another site', (_back: string, port: string) => `http://localhost:${port}/away`],
  ])('a frame that navigates to the redirect URL %s is ignored', async (_name, source) => {
    await using site = await openSite()
    await using integration = await openSite()
    await using driver = await startDriver(desktop)
    const back = `${integration.origin}/callback?${ANSWER}`
    integration.page('/callback', 'In a frame')
    site.page('/frame', redirectTo(back))
    site.page('/away', script(`location.href = '${back}'`))
    const { port } = new URL(site.origin)
    site.page(
      '/manager/oauth',
      `<iframe src="${source(back, port)}"></iframe><a href="${back}">Back</a>`,
    )
    const page = await driver.page(openRequest(site, `${integration.origin}/callback`))
    await page.frameLocator('iframe').getByText('In a frame').waitFor()
    expect(driver.reported()).toEqual([])
    expect(integration.paths()).toHaveLength(1)
    await press(page, 'link')
    expect(await driver.until('returned')).toBe(back)
    expect(integration.paths()).toHaveLength(1)
  })
})

it('a page that only a browser can show is reported when it requires a password or a client certificate', async () => {
  await using site = await openSite()
  await using driver = await startDriver(desktop)
  const headers = { 'www-authenticate': 'Basic realm="Staff"', 'content-type': 'text/html' }
  site.page('/manager/oauth', { status: 401, headers, body: 'Staff only' })
  const page = await driver.page(openRequest(site))
  await page.getByText('Staff only').waitFor()
  const remedy =
    'This window does not support that. Close it, then authorize with "Use my browser".'
  expect(await driver.until('failed')).toBe(
    `The page at ${site.origin} requires a user name and password (HTTP authentication). ${remedy}`,
  )
  await driver.requestCertificate('service.invalid:443')
  expect(driver.reported().at(-1)?.text).toBe(
    `The server at service.invalid:443 requests a client certificate. ${remedy}`,
  )
})

describe.runIf(full)('a page that fails to load', () => {
  it.each(['file:///etc/hosts', 'app://tabscope/index.html', 'data:text/html,x', 'nothing'])(
    'is never requested at %s',
    async (url) => {
      await using driver = await startDriver(desktop)
      await driver.page({ url, redirectUrl: NOWHERE, state: STATE })
      expect(await driver.until('failed')).toBe(
        'The authorization URL is not an HTTP or HTTPS URL.',
      )
      expect(driver.titles(1)).toEqual([])
    },
  )
})
