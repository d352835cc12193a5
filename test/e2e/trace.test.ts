import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults } from '../support/axe.ts'
import { closeBrowser, deliver, openPage, type Product } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const secret = 'trace-secret-0123456789'
const fresh = sharedProduct({ secret })
const start = Date.now() - 40 * 60_000
const place = { locationUuid: 'loc-9', locationName: 'Pier 9', locationId: '9' }

function event(type: string, seconds: number, rest: object): string {
  const createdAt = new Date(start + seconds * 1000).toISOString()
  return JSON.stringify({ type, ...place, createdAt, data: {}, ...rest })
}

const item = (seconds: number, uuid: string, name: string, price: number): string =>
  event('ITEM_ADDED', seconds, {
    targetUuid: uuid,
    data: { name, quantity: 1, price, tabUuid: 'tab-1' },
  })
const scan = (seconds: number): string =>
  event('QR_SCANNED', seconds, { targetId: '404', data: { type: 'SPOT', targetName: 'T4' } })

const life = [
  scan(-60),
  event('OPEN_TAB', 0, {
    targetUuid: 'tab-1',
    data: { name: 'Miller', spotName: 'T4', total: 0 },
  }),
  item(10, 'i-1', 'Pale Ale', 0.1),
  item(30, 'i-3', 'Stout', 0.2),
  item(20, 'i-2', 'Fries', 6.5),
  event('ORDER_PLACED', 40, {
    targetUuid: 'o-1',
    data: { orderName: 'A-17', spotName: 'T4', total: 6.8, tabUuid: 'tab-1' },
  }),
]
const closing = event('CLOSE_TAB', 90, { targetUuid: 'tab-1' })

async function send({ endpoint }: Product, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) expect(await deliver(endpoint, body, { secret })).toBe(200)
}

const listRow = (page: Page, id: number) =>
  page.locator(`[data-testid="delivery-row"][data-id="${id}"]`)
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' })
const current = (page: Page) => timeline(page).locator('[aria-current="true"]')

it('shows the history of a tab, navigates along it, and updates', async () => {
  const product = await fresh()
  await send(product, life)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await listRow(page, product.id(6)).click()
  const soFar = page.getByRole('region', { name: 'This tab so far' })
  await soFar.waitFor()
  expect(await soFar.innerText()).toMatch(
    /ITEM_ADDED ×3[\s\S]*6\.80[\s\S]*CLOSE_TAB\s+not received/,
  )
  expect(await axeFaults(page)).toEqual([])

  await soFar.getByRole('button', { name: 'Show the trace' }).click()
  await timeline(page).waitFor()
  const titles = timeline(page).getByRole('button')
  // Events that are only close in time and place are a count until they are shown.
  const near = page.getByRole('button', {
    name: 'Show 1 event at a similar time and location',
  })
  expect(await titles.count()).toBe(5)
  await near.click()
  expect(await titles.allInnerTexts()).toEqual([
    'Spot T4 scanned',
    'Tab “Miller” opened at T4',
    '1 × Pale Ale added, 0.10',
    '1 × Fries added, 6.50',
    '1 × Stout added, 0.20',
    'Order A-17 placed, T4, 6.80',
  ])
  const text = await timeline(page).innerText()
  expect(text).toContain('nearby, by time and place only: the spot “T4”')
  expect(text).toContain(`Observed: arrived after #${product.id(4)}, which was created 10 s later.`)
  expect(text).toContain('by data.tabUuid')
  const totals = page.getByLabel('Totals so far')
  expect(await totals.innerText()).toMatch(/Items\s+6\.80\s+Orders placed\s+6\.80/)
  const notes = await page.getByRole('list', { name: 'Notes on this trace' }).innerText()
  expect(notes).toContain('an assumption')
  expect(notes).toContain('No CLOSE_TAB event of this tab was captured')
  expect(await axeFaults(page)).toEqual([])

  // With a click, then with keys; the tab stays selected and the focus follows.
  await titles.nth(3).click()
  await expect.poll(() => current(page).innerText()).toBe('1 × Fries added, 6.50')
  expect(await listRow(page, product.id(5)).getAttribute('aria-selected')).toBe('true')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('1 × Fries added, 6.50')
  await page.keyboard.press('.')
  await expect.poll(() => current(page).innerText()).toBe('1 × Stout added, 0.20')
  await page.keyboard.press(',')
  await page.keyboard.press(',')
  await expect.poll(() => current(page).innerText()).toBe('1 × Pale Ale added, 0.10')
  await page.keyboard.press('1')
  await soFar.waitFor()
  await page.keyboard.press('5')
  await timeline(page).waitFor()

  await send(product, [closing])
  await timeline(page)
    .getByRole('button', { name: /closed/ })
    .waitFor()
  expect(await page.getByRole('list', { name: 'Trace summary' }).innerText()).not.toContain(
    'not received',
  )
  expect(watched.faults).toEqual([])
})

it('reports duplicates, links to them, and explains replay protection', async () => {
  const product = await fresh()
  const again = item(10, 'i-1', 'Pale Ale', 9)
  await send(product, [again, again, again.replace('"quantity":1', '"quantity":2'), closing])
  await using watched = await openPage(product.ui)
  const { page } = watched
  await listRow(page, product.id(2)).getByText('duplicate').waitFor()
  expect(await listRow(page, product.id(3)).innerText()).toContain('duplicate')
  expect(await listRow(page, product.id(1)).innerText()).not.toContain('duplicate')
  await listRow(page, product.id(2)).click()
  await page.getByText(`Same bytes as #${product.id(1)}`).waitFor()
  await page.keyboard.press('5')
  const repeats = page.getByRole('region', { name: 'Duplicates' })
  await repeats.getByText('Same bytes received 1 more time:').waitFor()
  await repeats.getByText('Same event received with different bytes 1 more time:').waitFor()
  expect(await repeats.innerText()).toContain('no delivery ID')
  expect(await timeline(page).innerText()).toContain('not counted')
  expect(await axeFaults(page)).toEqual([])
  await repeats.getByRole('button', { name: `#${product.id(3)}` }).click()
  await expect.poll(() => listRow(page, product.id(3)).getAttribute('aria-selected')).toBe('true')
  await repeats.getByText('Same event received with different bytes 2 more times:').waitFor()
  expect(watched.faults).toEqual([])
})

it('counts down to the next possible event of the same guest', async () => {
  const product = await fresh()
  const now = (Date.now() - start) / 1000
  await send(product, [scan(now - 400), scan(now - 60), scan(now)])
  await using watched = await openPage(product.ui)
  const { page } = watched
  await listRow(page, product.id(3)).click()
  const throttle = page.getByRole('region', { name: 'Throttle of this QR code' })
  await throttle.getByText('at least 2 guests, if the throttle works as documented').waitFor()
  const timer = throttle.getByRole('timer')
  const first = await timer.innerText()
  expect(first).toMatch(/^\((5:00|4:[0-5]\d)\)$/)
  await expect.poll(() => timer.innerText()).not.toBe(first)
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('5')
  await timer.waitFor()
  await listRow(page, product.id(1)).click()
  await throttle.getByText('(elapsed)').waitFor()
  expect(await throttle.innerText()).toContain('at least 1 guest, if')
  expect(watched.faults).toEqual([])
})

it('pages through a tab with many events', async () => {
  const product = await fresh()
  const many = Array.from({ length: 150 }, (_, index) => item(index, `i-${index}`, 'Fries', 1))
  await send(product, many)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await listRow(page, product.id(150)).click()
  await page.keyboard.press('5')
  // It starts at the current delivery: near the top, where others follow.
  const placeOfCurrent = () =>
    current(page).evaluate((entry) => {
      const { left, top } = entry.getBoundingClientRect()
      const shown = document.elementFromPoint(left + 4, top + 4)
      return shown !== null && entry.contains(shown) ? top / innerHeight : null
    })
  await expect.poll(placeOfCurrent).toBeLessThan(1)
  await page.evaluate((to) => location.assign(to), `#/deliveries/${product.id(100)}`)
  await expect.poll(placeOfCurrent).toBeLessThan(0.5)
  await page.evaluate((to) => location.assign(to), `#/deliveries/${product.id(150)}`)
  await page.getByRole('button', { name: 'Show 49 earlier events of 49' }).click()
  await expect.poll(() => timeline(page).getByRole('button').count()).toBe(150)
  expect(await page.getByLabel('Totals so far').innerText()).toContain('150.00')
  expect(watched.faults).toEqual([])
})
