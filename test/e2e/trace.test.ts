import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { deliver, openPage, type Product } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

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

const life = [
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
  await using page = await openPage(product.ui)
  await listRow(page, product.id(5)).click()
  await page.getByText('This tab: 5 deliveries').waitFor()
  await page.getByRole('button', { name: 'Show the trace' }).click()
  await timeline(page).waitFor()
  const titles = timeline(page).getByRole('button')
  await expect
    .poll(() => titles.allInnerTexts())
    .toEqual([
      'T4 · Tab Miller opened',
      'T4 · 1 × Pale Ale added · tab Miller',
      'T4 · 1 × Fries added · tab Miller',
      'T4 · 1 × Stout added · tab Miller',
      'T4 · Order A-17 · tab Miller',
    ])
  const text = await timeline(page).innerText()
  expect(text).toContain(`Observed: arrived after #${product.id(3)}, which was created 10 s later.`)
  expect(text).toContain('by data.tabUuid')
  const totals = page.getByLabel('Totals so far')
  await expect.poll(() => totals.innerText()).toMatch(/Items\s+6\.80\s+Orders placed\s+6\.80/)
  const notes = await page.getByRole('list', { name: 'Notes on this trace' }).innerText()
  expect(notes).toContain('an assumption')
  expect(notes).toContain('No CLOSE_TAB event of this tab was captured')

  await titles.nth(2).click()
  await expect.poll(() => current(page).innerText()).toBe('T4 · 1 × Fries added · tab Miller')
  await expect.poll(() => listRow(page, product.id(4)).getAttribute('aria-selected')).toBe('true')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('T4 · 1 × Fries added · tab Miller')
  await page.keyboard.press('.')
  await expect.poll(() => current(page).innerText()).toBe('T4 · 1 × Stout added · tab Miller')
  await page.keyboard.press(',')
  await page.keyboard.press(',')
  await expect.poll(() => current(page).innerText()).toBe('T4 · 1 × Pale Ale added · tab Miller')
  await page.keyboard.press('1')
  await page.getByText('This tab: 5 deliveries').waitFor()
  await page.keyboard.press('4')
  await timeline(page).waitFor()

  await send(product, [closing])
  await timeline(page)
    .getByRole('button', { name: /closed/ })
    .waitFor()
})
