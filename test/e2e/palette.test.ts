import { afterAll, beforeAll, expect, it } from 'vitest'
import { full } from '../support/full.ts'
import {
  type OpenedPage,
  type Product,
  deliver,
  openPage,
  startProduct,
} from '../support/product.ts'

const secret = 'palette-secret-0123456789'
const uuid = '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2'

let product: Product
let page: OpenedPage

beforeAll(async () => {
  product = await startProduct({ secret })
  for (let id = 1; id <= 12; id++) {
    const body = {
      type: 'ORDER_PLACED',
      targetUuid:
        id === 3 ? uuid : `00000000-0000-4000-8000-0000000000${String(id).padStart(2, '0')}`,
      locationName: id === 12 ? `\u202Eevil <img src=x> ${'long '.repeat(40)}` : 'Pier 9',
      createdAt: '2026-11-21T09:00:00.000Z',
      data: { orderName: `A-${id}`, total: id },
    }
    await deliver(product.endpoint, JSON.stringify(body), { secret: id === 5 ? 'other' : secret })
  }
  page = await openPage(product.ui)
  await page.getByTestId('delivery-row').nth(11).waitFor()
})

afterAll(async () => {
  await page[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
})

const field = () => page.getByRole('combobox', { name: 'Find a command, delivery or setting' })
const active = () => page.locator('.palette [role="option"][aria-selected="true"]')
const hash = () => page.evaluate(() => location.hash)

async function find(text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await page.keyboard.type(text)
}

it('shows recent items and every command, and works by keyboard alone', async () => {
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await expect.poll(() => active().innerText()).toContain('#12')
  await expect
    .poll(() => field().getAttribute('aria-activedescendant'))
    .toBe(await active().getAttribute('id'))
  expect(
    await page.getByRole('group', { name: 'Newest deliveries' }).getByRole('option').count(),
  ).toBe(5)
  const commands = page.getByRole('group', { name: 'Commands' }).getByRole('option')
  await expect.poll(() => commands.count()).toBeGreaterThan(50)
  await expect
    .poll(() => commands.filter({ hasText: 'Go to reachability' }).innerText())
    .toContain('Shift T')
  await page.keyboard.press('ArrowUp')
  expect(await active().evaluate((option) => option.nextElementSibling)).toBeNull()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => active().innerText()).toContain('#12')
  await page.keyboard.press('Control+k')
  await field().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await page.keyboard.press('Escape')
  await field().waitFor({ state: 'detached' })
})

it.runIf(full)(
  'finds deliveries by number, ID, verdict and title, and passes the rest to the filter',
  async () => {
    await find('#3')
    await expect.poll(() => active().innerText()).toContain('#3')
    await field().fill(uuid)
    await expect
      .poll(() => page.locator('.palette .palette-number').allInnerTexts())
      .toEqual(['#3'])
    await field().fill('invalid')
    await expect
      .poll(() => page.locator('.palette .palette-number').allInnerTexts())
      .toEqual(['#5'])
    await field().fill('A-7 placed')
    await expect
      .poll(() => page.locator('.palette .palette-number').allInnerTexts())
      .toEqual(['#7'])
    await expect.poll(() => active().locator('mark').allInnerTexts()).toEqual(['PLACED', 'A-7'])
    // Hostile names are shown as text.
    await field().fill('evil')
    const evil = page.locator('.palette [role="option"]', { hasText: '#12' })
    await evil.waitFor()
    await expect.poll(() => evil.innerText()).toContain('\\u202e')
    expect(
      await page.locator('.palette').evaluate((one) => one.scrollWidth <= one.clientWidth),
    ).toBe(true)
    await field().fill('no such thing anywhere')
    await expect.poll(() => active().innerText()).toContain('Filter deliveries for')
    await page.locator('.palette-nothing').getByText('No results').waitFor()
    await field().fill('#999')
    await page.locator('.palette').getByRole('status').getByText('Delivery not found.').waitFor()
    await expect.poll(() => page.locator('.palette [role="option"]').count()).toBe(0)
    // A number is a delivery first.
    await field().fill('12')
    await expect.poll(() => active().innerText()).toContain('#12')
    await field().fill('invalid')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
    await expect.poll(() => page.getByTestId('delivery-row').count()).toBe(1)
  },
)
