import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { openSite, redirectTo, type Site } from './site.ts'
import { startDriver, type Break, type Driver } from './window-driver.ts'

// Proves the tests of the authorization window: under the double, a broken window is detected.

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const ANSWER = 'code=c0de&state=state-1'
const PREVENT = /if \(!isAllowed\) event\.preventDefault\(\)/g
const pages = (find: RegExp, replace: string): Break => ({
  file: 'authorization/pages.ts',
  find,
  replace,
})
const window = (find: RegExp, replace: string): Break => ({
  file: 'authorization/window.ts',
  find,
  replace,
})
const session = (find: RegExp, replace: string): Break => ({
  file: 'authorization/session.ts',
  find,
  replace,
})
/** Keeps the window open, so that closing it does not cancel the request. */
const STAYS = window(/setImmediate\(\(\) => \{/, 'void (() => {')
const NO_BACKSTOP = session(/cancel: !mayRequest\(details\.url\)/, 'cancel: false')

async function openAt(driver: Driver, site: Site, redirectUrl = 'https://integration.invalid/cb') {
  return driver.page({ url: `${site.origin}/manager/oauth`, redirectUrl, state: 'state-1' })
}

describe('an unprevented request is sent', () => {
  it.each([
    ['a 302', (site: Site, back: string) => site.page('/manager/oauth', redirectTo(back))],
    [
      'a script',
      (site: Site, back: string) =>
        site.page('/manager/oauth', `<script>location.href = '${back}'</script>`),
    ],
  ])('by %s', async (_name, lay) => {
    await using site = await openSite()
    await using integration = await openSite()
    const redirectUrl = `${integration.origin}/callback`
    const back = `${redirectUrl}?${ANSWER}`
    lay(site, back)
    integration.page('/callback', 'Seen')
    await using driver = await startDriver(desktop, [
      pages(PREVENT, ''),
      pages(/if \(!rules\.mayNavigate\(event\.url\)\) event\.preventDefault\(\)/, ''),
      NO_BACKSTOP,
      STAYS,
    ])
    await openAt(driver, site, redirectUrl)
    await expect.poll(() => integration.paths()).toEqual([`/callback?${ANSWER}`])
  })

  it('except for the backstop, which alone stops it too', async () => {
    await using site = await openSite()
    await using integration = await openSite()
    const redirectUrl = `${integration.origin}/callback`
    site.page('/manager/oauth', '<a href="/on">On</a>')
    site.page('/on', redirectTo(`${redirectUrl}?${ANSWER}`))
    await using driver = await startDriver(desktop, [
      pages(/contents\.on\('will-redirect'/, "contents.on('no-such-event'"),
      STAYS,
    ])
    const page = await openAt(driver, site, redirectUrl)
    await page.getByRole('link').dispatchEvent('click')
    expect(await driver.until('returned')).toBe(`${redirectUrl}?${ANSWER}`)
    expect(integration.paths()).toEqual([])
  })

  it('and a redirect that is not checked loads like any page', async () => {
    await using site = await openSite()
    await using integration = await openSite()
    const redirectUrl = `${integration.origin}/callback`
    site.page('/manager/oauth', redirectTo(`${redirectUrl}?${ANSWER}`))
    integration.page('/callback', 'Seen')
    await using driver = await startDriver(desktop, [
      window(/if \(judgement\.kind === 'elsewhere'\) return false/, 'return false'),
    ])
    const page = await openAt(driver, site, redirectUrl)
    await page.getByText('Seen').waitFor()
    expect(driver.reported().map(({ kind }) => kind)).toEqual(['hop'])
  })
})

describe('the double shows what a window permits', () => {
  it('a title set by the page', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', '<title>Your bank</title>')
    await using driver = await startDriver(desktop, [window(/'page-title-updated'/, "'no-event'")])
    await openAt(driver, site)
    await expect.poll(() => driver.titles(1)).toContain('Your bank')
  })

  it('a page that prevents its window from closing', async () => {
    await using site = await openSite()
    site.page(
      '/manager/oauth',
      '<button>Stay</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
    )
    await using driver = await startDriver(desktop, [
      pages(
        /'will-prevent-unload', \(event\) => event\.preventDefault\(\)/,
        "'no-event', () => {}",
      ),
    ])
    const page = await openAt(driver, site)
    await page.getByRole('button').click()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => driver.app.output()).toContain('[window 1] stays')
    expect(driver.reported()).toEqual([])
  })

  it('a download', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', '<a href="/file">Get</a>')
    site.page('/file', { status: 200, headers: { 'content-disposition': 'attachment' }, body: 'x' })
    await using driver = await startDriver(desktop, [
      { file: 'permissions.ts', find: /'will-download'/, replace: "'no-event'" },
    ])
    const page = await openAt(driver, site)
    await page.getByRole('link').click()
    await expect.poll(() => driver.app.output()).toContain('[download] made')
  })

  it('a granted permission', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', 'Here')
    const give = { file: 'permissions.ts', find: /respond\(false\)/, replace: 'respond(true)' }
    await using driver = await startDriver(desktop, [give])
    const page = await openAt(driver, site)
    await page.getByText('Here').waitFor()
    const state = await page.evaluate(async () => {
      const asked = await navigator.permissions.query({ name: 'geolocation' })
      return asked.state
    })
    expect(state).toBe('granted')
  })

  it('another program started by an address', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', '<a href="tabscope://x">Out</a>')
    await using driver = await startDriver(desktop, [
      window(/return isHttp\(\{ protocol \}\)$/m, 'return true'),
    ])
    const page = await openAt(driver, site)
    await page.getByRole('link').click()
    await expect.poll(() => driver.app.output()).toContain('left the web for tabscope:')
  })

  it('dialogs', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', `<script>alert('Stay')</script>`)
    await using driver = await startDriver(desktop, [
      session(/disableDialogs: true/, 'disableDialogs: false'),
    ])
    void openAt(driver, site).catch(() => undefined)
    await expect.poll(() => driver.app.output()).toContain('[double] dialog: Stay')
  })

  it('a login that outlives its run', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', {
      status: 200,
      headers: { 'set-cookie': 'who=ada; path=/' },
      body: 'Here',
    })
    await using driver = await startDriver(desktop, [
      session(/`authorization-\$\{randomUUID\(\)\}`/, "'authorization'"),
      session(/async clear\(\) \{/, 'async clear() { return'),
    ])
    for (const cookie of ['', 'who=ada']) {
      const page = await openAt(driver, site)
      await page.getByText('Here').waitFor()
      expect(site.asked.at(-1)).toMatchObject({ cookie })
    }
  })

  it('a page outside the session of a run', async () => {
    await using site = await openSite()
    site.page('/manager/oauth', '<a href="/login" target="_blank">Log in</a>')
    site.page('/login', 'Log in')
    await using driver = await startDriver(desktop, [
      window(/overrideBrowserWindowOptions: this\.#session\.windowOptions/, ''),
    ])
    const page = await openAt(driver, site)
    await page.getByRole('link').dispatchEvent('click')
    await expect.poll(() => driver.app.output()).toContain('Permissions are not refused')
    expect(site.paths()).toEqual(['/manager/oauth'])
  })

  it.each([
    ['a session on disk', session(/`authorization-/, '`persist:authorization-'), 'on disk'],
    ['a preload', session(/sandbox: true/, "sandbox: true, preload: '/x.cjs'"), 'no preload'],
    ['Node', session(/nodeIntegration: false/, 'nodeIntegration: true'), 'not closed'],
    ['a webview', session(/webviewTag: false/, 'webviewTag: true'), 'not closed'],
    [
      'experimental features',
      session(/experimentalFeatures: false/, 'experimentalFeatures: true'),
      'not closed',
    ],
    [
      'a link that is dropped on it',
      session(/navigateOnDragDrop: false/, 'navigateOnDragDrop: true'),
      'not closed',
    ],
    ['no sandbox', session(/sandbox: true/, 'sandbox: false'), 'not sandboxed'],
    [
      'open permissions',
      session(/refusePermissions\(runSession\)/, ''),
      'Permissions are not refused',
    ],
    [
      'a spell checker that downloads its dictionary',
      { file: 'guards.ts', find: /app\.on\('session-created'.*/, replace: '' },
      'spelling checker of the session is not disabled',
    ],
    [
      'a spell checker that is disabled too late',
      {
        file: 'permissions.ts',
        find: /session\.setSpellCheckerLanguages\(\[\]\)/,
        replace: 'setTimeout(() => session.setSpellCheckerLanguages([]))',
      },
      "downloads a dictionary for 'authorization-",
    ],
  ])('%s, which it refuses', async (_name, broken, message) => {
    await using driver = await startDriver(desktop, [broken])
    await driver
      .open({ url: 'http://127.0.0.1:9/', redirectUrl: 'https://x.invalid/', state: 's' })
      .catch(() => undefined)
    await expect.poll(() => driver.app.output()).toContain(message)
  })
})
