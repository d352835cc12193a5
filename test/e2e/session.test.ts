import { expect, it } from 'vitest'
import type { Page, WebSocketRoute } from 'playwright-core'
import { fakeBrowser } from '../support/fake-browser.ts'
import { full } from '../support/full.ts'
import { unblockedAttempts } from '../support/policy-probe.ts'
import { browser, deliver, openOwnPage, startProduct } from '../support/product.ts'
import { spawnCli } from '../support/run-cli.ts'
import { ownedFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const serve = ['serve', '--port', '0', '--ui-port', '0', '--json'] as const
const firstRun = (page: Page) => page.getByRole('heading', { name: 'No deliveries yet' })

// `xdg-open` exists only on Linux. On other systems the command that opens an address cannot be replaced.
it.runIf(process.platform === 'linux')(
  'the link opened in the browser connects, also after a reload; using the link again reports that it was used',
  async () => {
    await using folder = ownedFolder()
    const fake = fakeBrowser(folder.path)
    await using _tab = spawnCli([...serve, '--data', folder.path], { env: { PATH: fake.PATH } })
    const address = await fake.opened()
    await using context = await (await browser()).newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(address)
    await firstRun(page).waitFor()
    expect(page.url()).not.toContain('ticket')
    await page.reload()
    await firstRun(page).waitFor()

    await using elsewhere = await (await browser()).newContext()
    const other = await elsewhere.newPage()
    await other.goto(address)
    await other.getByText('This link has expired or was already used.').waitFor()
    expect(await other.getByText('Connecting to Tabscope').count()).toBe(0)
    expect(other.url()).not.toContain('ticket')
    expect(faults).toEqual([])
  },
)

it.runIf(full)(
  'a tab opened from a link or by address shares the session of the other tab; another browser does not',
  async () => {
    await using folder = ownedFolder()
    await using tab = spawnCli([...serve, '--no-open', '--data', folder.path])
    const first = await until('the first line', () => tab.lines()[0])
    const address = new URL(String(first['ui']))
    await using context = await (await browser()).newContext()
    const page = await context.newPage()
    await page.goto(address.href)
    await firstRun(page).waitFor()
    const link = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Settings' })
    // Playwright does not always report a tab that the browser opens itself, so the page opens it unless the app has prevented the click.
    await page.evaluate(() =>
      window.addEventListener('click', (event) => {
        if (event.defaultPrevented || !(event.target instanceof Element)) return
        event.preventDefault()
        window.open(event.target.closest('a')?.href, '_blank', 'noopener')
      }),
    )
    const opened = context.waitForEvent('page')
    await link.click({ modifiers: ['ControlOrMeta'] })
    const second = await opened
    await second.getByRole('heading', { name: 'Settings' }).waitFor()
    const third = await context.newPage()
    await third.goto(`${address.origin}/#/deliveries`)
    await firstRun(third).waitFor()
    for (const each of [page, second, third]) expect(each.url()).not.toMatch(/token|ticket/)

    await using elsewhere = await (await browser()).newContext()
    const other = await elsewhere.newPage()
    await other.goto(`${address.origin}/#/deliveries`)
    await other.getByText('This page has no session.').waitFor()
    expect(await other.getByText('Not connected to Tabscope.').count()).toBe(0)
  },
)

const tab = (number: number): string =>
  JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: `tab-${number}`,
    createdAt: new Date().toISOString(),
    data: { name: `Guest ${number}`, total: 0 },
  })

const idsOf = (page: Page): Promise<number[]> =>
  page
    .getByTestId('delivery-row')
    .evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-id'))))

it('reconnects without a message, with all missed deliveries, in order and once each', async () => {
  await using product = await startProduct()
  await using page = await openOwnPage('about:blank')
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/wire', (socket) => {
    sockets.push(socket)
    socket.connectToServer()
  })
  await page.goto(product.ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await deliver(product.endpoint, tab(1))
  await page.getByTestId('delivery-row').first().waitFor()
  await page.evaluate(() => {
    // An interruption under 400 ms is not shown. A loaded machine may need longer, so here the time never ends.
    const real = window.setTimeout.bind(window)
    Object.defineProperty(window, 'setTimeout', {
      value: (run: () => void, ms?: number) => real(run, ms === 400 ? 2 ** 31 - 1 : ms),
    })
    document.body.dataset['banner'] = 'none'
    new MutationObserver(() => {
      if (document.querySelector('.lost')) document.body.dataset['banner'] = 'seen'
    }).observe(document.body, { childList: true, subtree: true })
  })
  const before = sockets.length
  await sockets.at(-1)?.close({ code: 1001 })
  for (const number of [2, 3, 4]) await deliver(product.endpoint, tab(number))
  await page.locator('[data-testid="delivery-row"][data-id="4"]').waitFor()
  expect(sockets.length).toBe(before + 1)
  await expect.poll(() => idsOf(page)).toEqual([4, 3, 2, 1])
  await expect.poll(() => page.evaluate(() => document.body.dataset['banner'])).toBe('none')
  await deliver(product.endpoint, tab(5))
  await page.locator('[data-testid="delivery-row"][data-id="5"]').waitFor()
  await expect.poll(() => idsOf(page)).toEqual([5, 4, 3, 2, 1])
})

it('a page served by the command line runs only its own scripts, and contacts no other host', async () => {
  await using product = await startProduct()
  await using context = await (await browser()).newContext()
  const page = await context.newPage()
  await page.goto(product.ui)
  await page.getByTestId('reach-chip').waitFor()
  expect(await unblockedAttempts(page)).toEqual([])

  const answer = await page.request.get(new URL('/', product.ui).href)
  expect(answer.headers()['content-security-policy']).not.toMatch(/unsafe|\*/)
  // WebKit knows only the name with its prefix.
  const [, sheet = ''] = /href="(\S+\/index-\S+\.css)"/.exec(await answer.text()) ?? []
  const styles = await (await page.request.get(new URL(sheet, product.ui).href)).text()
  expect(styles).toContain('-webkit-user-select:none')

  // A page without a policy allows all of it, so the attempts are real.
  const open = await context.newPage()
  await open.route('http://without.invalid/', async (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title><body>' }),
  )
  await open.route('https://elsewhere.invalid/**', async (route) => route.fulfill({ status: 204 }))
  await open.goto('http://without.invalid/')
  const passed = await unblockedAttempts(open)
  expect(passed).toContain('inline script ran')
  expect(passed).toContain('eval ran')
  expect(passed).toContain('request elsewhere')
  expect(passed.length).toBeGreaterThan(15)
})
