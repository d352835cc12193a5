import { afterAll, expect, it } from 'vitest'
import type { Page, WebSocketRoute } from 'playwright-core'
import { axeFaults } from '../support/axe.ts'
import { browser, closeBrowser, deliver, goTo } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { until } from '../support/until.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

const tab = (number: number): string =>
  JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: `tab-${number}`,
    createdAt: new Date().toISOString(),
    data: { name: `Guest ${number}`, total: 0 },
  })

/** A page whose connection can be interrupted. */
async function openOverBadLine(address: string) {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  let current: WebSocketRoute | null = null
  let down = false
  let tries = 0
  await page.routeWebSocket('**/wire', async (socket) => {
    tries += 1
    if (down) return socket.close({ code: 1001 })
    current = socket
    socket.connectToServer()
  })
  await page.goto(address)
  return {
    page,
    faults,
    tries: () => tries,
    async cut(stayDown: boolean): Promise<void> {
      down = stayDown
      await current?.close({ code: 1001 })
    },
    repair(): void {
      down = false
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

const idsOf = (page: Page): Promise<number[]> =>
  page
    .getByTestId('delivery-row')
    .evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-id'))))

const banner = (page: Page) => page.getByText('Not connected to Tabscope.')

it('reconnects without a message, with all missed deliveries, in order and once each', async () => {
  const product = await fresh()
  await using line = await openOverBadLine(product.ui)
  const { page } = line
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await deliver(product.endpoint, tab(1))
  await page.getByTestId('delivery-row').first().waitFor()
  await page.evaluate(() => {
    // An interruption under 400 ms is not shown. A loaded machine may need longer, so this test allows ten times that.
    const real = window.setTimeout.bind(window)
    Object.defineProperty(window, 'setTimeout', {
      value: (run: () => void, ms?: number) => real(run, ms === 400 ? 4000 : ms),
    })
    document.body.dataset['banner'] = 'none'
    new MutationObserver(() => {
      if (document.querySelector('.lost')) document.body.dataset['banner'] = 'seen'
    }).observe(document.body, { childList: true, subtree: true })
  })
  const before = line.tries()
  await line.cut(false)
  for (const number of [2, 3, 4]) await deliver(product.endpoint, tab(number))
  await page.locator(`[data-testid="delivery-row"][data-id="${product.id(4)}"]`).waitFor()
  expect(line.tries()).toBe(before + 1)
  expect(await idsOf(page)).toEqual([4, 3, 2, 1].map(product.id))
  expect(await page.evaluate(() => document.body.dataset['banner'])).toBe('none')
  await deliver(product.endpoint, tab(5))
  await page.locator(`[data-testid="delivery-row"][data-id="${product.id(5)}"]`).waitFor()
  expect(await idsOf(page)).toEqual([5, 4, 3, 2, 1].map(product.id))
  expect(line.faults).toEqual([])
})

it('reports a long disconnection, retries, and loads missed deliveries', async () => {
  const product = await fresh()
  await using line = await openOverBadLine(product.ui)
  const { page } = line
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await deliver(product.endpoint, tab(1))
  await page.getByTestId('delivery-row').first().waitFor()
  const before = line.tries()
  await line.cut(true)
  await banner(page).waitFor()
  const bar = page.locator('header.bar')
  expect(await page.getByTestId('connection-state').innerText()).toBe('Listener unknown')
  expect(await page.getByTestId('tunnel-chip').innerText()).toMatch(/^Tunnel\s+unknown$/)
  expect(await bar.innerText()).not.toMatch(/Listening|this minute|off|online/)
  expect(await page.getByRole('contentinfo').innerText()).toMatch(/^Last known values\s+1 delivery/)
  expect(await page.getByText('search index up to date').count()).toBe(0)
  expect(await page.locator('.rail-note').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  const filterOfPage = () =>
    page.locator('.shell-page').evaluate((element) => getComputedStyle(element).filter)
  expect(await filterOfPage()).toBe('grayscale(1)')
  await goTo(page, 'Tunnel')
  expect(await page.getByTestId('tunnel-state').innerText()).toBe('Unknown')
  expect(await page.getByRole('button', { name: 'Open' }).count()).toBe(0)
  await goTo(page, 'Deliveries')
  for (const number of [2, 3]) await deliver(product.endpoint, tab(number))
  await until('a second try', () => line.tries() >= before + 2)
  await page.getByTestId('delivery-row').first().waitFor()
  expect(await idsOf(page)).toEqual([1].map(product.id))
  line.repair()
  await banner(page).waitFor({ state: 'detached' })
  expect(await page.getByTestId('connection-state').innerText()).toMatch(/^Listening/)
  await bar.locator('.bar-now').waitFor()
  await page.locator(`[data-testid="delivery-row"][data-id="${product.id(3)}"]`).waitFor()
  expect(await idsOf(page)).toEqual([3, 2, 1].map(product.id))
  expect(line.faults).toEqual([])
})
