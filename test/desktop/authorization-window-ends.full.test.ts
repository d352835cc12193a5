import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { openSite, type Site } from './site.ts'
import { startDriver, type OpenRequest } from './window-driver.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const REDIRECT = 'https://integration.invalid/callback'

const openRequest = (site: Site): OpenRequest => ({
  url: `${site.origin}/manager/oauth`,
  redirectUrl: REDIRECT,
  state: 'state-1',
})
describe('a run ends', () => {
  it('when the user closes the window, even if the page prevents it', async () => {
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
})

/** Reports what the page finds from earlier visits, then stores everything that a page can store. */
const TRACES = `<script type="module">
  const registrations = await navigator.serviceWorker.getRegistrations()
  const cached = await (await fetch('/cached')).text()
  const found = {
    cookie: document.cookie,
    stored: localStorage.getItem('who'),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: registrations.length,
    cached,
  }
  document.cookie = 'who=ada'
  localStorage.setItem('who', 'ada')
  await new Promise((resolve) => { indexedDB.open('who').onsuccess = resolve })
  await caches.open('who')
  await navigator.serviceWorker.register('/worker.js')
  await navigator.serviceWorker.ready
  await fetch('/found?' + new URLSearchParams(found))
</script>`

function leaveTraces(site: Site): () => (Record<string, string> | null)[] {
  let served = 0
  const headers = { 'content-type': 'text/javascript' }
  site.page('/manager/oauth', TRACES)
  site.page('/worker.js', { status: 200, headers, body: '' })
  site.page('/cached', () => {
    served += 1
    return { status: 200, headers: { 'cache-control': 'max-age=600' }, body: String(served) }
  })
  return () =>
    site
      .paths()
      .filter((path) => path.startsWith('/found?'))
      .map((path) => Object.fromEntries(new URL(path, site.origin).searchParams))
}
const nothing = { cookie: '', stored: 'null', databases: '0', caches: '0', workers: '0' }

it('each run has an empty session, which is cleared at its end', async () => {
  await using site = await openSite()
  const found = leaveTraces(site)
  await using driver = await startDriver(desktop)
  const cleared = (): number => driver.app.output().split('[session] cleared').length - 1
  const before = cleared()
  for (const visit of [1, 2]) {
    await driver.page(openRequest(site))
    await expect.poll(found).toHaveLength(visit)
    await driver.close(visit - 1)
    await expect.poll(cleared).toBe(before + visit)
    expect(found()[visit - 1]).toEqual({ ...nothing, cached: String(visit) })
  }
})

describe("the system's browser", () => {
  it('opens web addresses only', async () => {
    await using driver = await startDriver(desktop)
    expect(await driver.openExternal('https://service.invalid/manager/oauth?a=1')).toBe(true)
    for (const address of ['file:///etc/hosts', 'javascript:alert(1)', 'tabscope://x', 'nothing']) {
      expect(await driver.openExternal(address)).toBe(false)
    }
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
