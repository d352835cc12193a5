import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { nothingHeld } from '#contract/hold.ts'
import { full } from '../support/full.ts'
import { deliver, openOwnPage, openPage, type Product, startProduct } from '../support/product.ts'
import { sign } from '../support/requests.ts'
import { sampleAlerts } from '../support/sample-health.ts'
import { someHeld } from '../support/sample-hold.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { interceptCalls } from '../support/states/simulated.ts'

const secret = 'list-secret-of-the-endpoint'
const fresh = sharedProduct({ secret })

const rows = (page: Page) => page.getByTestId('delivery-row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const field = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true })
const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })
const problems = (page: Page) => page.getByTestId('problem')
const found = async (page: Page, words: string) =>
  expect
    .poll(() => page.getByRole('status', { name: 'Matching deliveries' }).innerText())
    .toBe(words)
const detail = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })

interface Event {
  readonly type: string
  readonly target?: string
  readonly location?: string
  readonly data?: Record<string, unknown>
}

const bodyOf = ({ type, target, location = 'Pier 9', data = {} }: Event): string =>
  JSON.stringify({
    type,
    targetUuid: target,
    locationName: location,
    createdAt: new Date().toISOString(),
    data,
  })

async function send(product: Product, event: Event, options = { secret }): Promise<void> {
  await deliver(product.endpoint, bodyOf(event), options)
}

const order = (name: string, total: number, spotName = 'T4', tabUuid = 'tab-1'): Event => ({
  type: 'ORDER_PLACED',
  target: `order-${name}`,
  data: {
    orderName: name,
    spotName,
    zoneName: 'Patio',
    total,
    tabUuid,
    itemNames: ['Pale Ale', 'Fries'],
  },
})

/** A tab with an item and an order, closed. */
async function evening(product: Product): Promise<void> {
  await send(product, {
    type: 'OPEN_TAB',
    target: 'tab-1',
    data: { name: 'Miller', spotName: 'T4', total: 0, openedFrom: 'SERVER_TAB' },
  })
  await send(product, {
    type: 'ITEM_ADDED',
    target: 'item-1',
    data: { name: 'Fries', quantity: 2, price: 6.5, tabUuid: 'tab-1', orderId: '9' },
  })
  await send(product, order('A-17', 42.5))
  await send(product, { type: 'CLOSE_TAB', target: 'tab-1' })
}

it('says in each row what happened, with names from other deliveries, and marks only what is wrong', async () => {
  const product = await fresh()
  await evening(product)
  await send(product, { ...order('B-1', 9), location: 'Harbour' }, { secret: 'another' })
  await using page = await openPage(product.ui, { viewport: { width: 1440, height: 900 } })
  await rows(page).nth(4).waitFor()
  const events = await rows(page).locator('.c-event').allTextContents()
  expect(events[0]).toBe('T4 · Order B-1 · Pale Ale, Fries · tab Miller')
  expect(events[1]).toMatch(/^T4 · Tab Miller closed · opened \d\d:\d\d$/)
  expect(events.slice(2)).toEqual([
    'T4 · Order A-17 · Pale Ale, Fries · tab Miller',
    'T4 · 2 × Fries added · tab Miller',
    'T4 · Tab Miller opened · from server tab',
  ])
  await expect
    .poll(() => rows(page).locator('.c-amount').allTextContents())
    .toEqual(['9.00', '', '42.50', '6.50', '0.00'])
  await expect.poll(() => page.locator('.pill:not([data-tone="quiet"])').count()).toBe(1)
  await row(page, 'B-1').locator('.pill').getByText('Signature is invalid').waitFor()
  // Exact times with the detail closed, relative ones beside it; two lines in a small window, next to the detail.
  await expect
    .poll(() => rows(page).first().locator('time').textContent())
    .toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  await row(page, 'A-17').click()
  await expect
    .poll(() => rows(page).first().locator('time').textContent())
    .toMatch(/^(?:now|\d+ (?:s|min) ago)$/)
  await page.setViewportSize({ width: 1024, height: 700 })
  await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(50)
  const list = await page.getByRole('grid').boundingBox()
  const pane = await detail(page).boundingBox()
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + 1)
  await row(page, 'B-1').getByText('Harbour').waitFor()
})

it('groups what is wrong above the list, filters by it, and corrects it with Undo', async () => {
  await using product = await startProduct({ secret })
  for (const name of ['C-1', 'C-2', 'C-3'])
    await send(product, order(name, 5), { secret: `${secret}\n` })
  await send(product, order('C-4', 5))
  const other = bodyOf(order('C-5', 5))
  const headers = { 'X-Bistropay-Signature': sign(other, secret) }
  await deliver(product.endpoint, other, { headers })
  await using page = await openPage(product.ui)
  const line = problems(page).filter({ hasText: 'line break at the end of the secret' })
  await line.getByText('3', { exact: true }).waitFor()
  await line.getByText(/since \d\d:\d\d/).waitFor()
  await line.getByRole('button', { name: /line break/ }).click()
  await expect.poll(() => rows(page).count()).toBe(3)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect.poll(() => rows(page).count()).toBe(5)

  await line.getByRole('button', { name: 'Use the corrected secret' }).click()
  await page
    .getByText(/3 deliveries are now valid/)
    .first()
    .waitFor()
  await line.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await line.getByText(/^\d$/).waitFor()

  const brand = problems(page).filter({ hasText: 'X-Bistropay-Signature' })
  await brand.getByRole('button', { name: 'Use Bistropay' }).click()
  await brand.waitFor({ state: 'detached' })
  const { integrations } = await product.engine.call('app.snapshot', {})
  expect(integrations.map((each) => each.brand)).toContain('Bistropay')
})

it('says what is wrong in at most three lines, and starts the list in the first quarter of the window', async () => {
  await using product = await startProduct({ secret })
  await send(product, order('D-1', 5), { secret: `${secret}\n` })
  await send(product, order('D-2', 5), { secret: 'another' })
  await using page = await openOwnPage('about:blank')
  const now = Date.now()
  const answers = { 'hold.state': () => someHeld(now), 'health.alerts': () => sampleAlerts(now) }
  const wire = await interceptCalls(page, { answers, pushes: {} })
  const lines = notices(page).getByRole('listitem')
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(product.ui)
    await notices(page).getByText('3 held').waitFor()
    await expect
      .poll(async () => (await page.getByRole('grid').boundingBox())?.y)
      .toBeLessThan(height / 4)
    expect(await lines.count()).toBeLessThanOrEqual(3)
    await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(1)
    await notices(page)
      .getByRole('button', { name: /^\d+ more$/ })
      .click()
    await expect.poll(() => problems(page).count()).toBe(2)
    await page.getByTestId('alert').nth(1).waitFor()
    await expect.poll(() => page.getByTestId('held').first().innerText()).toContain('#1')
    await page.getByRole('button', { name: 'Show fewer' }).click()
    await expect.poll(() => lines.count()).toBeLessThanOrEqual(3)
  }
  // Closed until its cause changes.
  wire.push('hold.changed', { ...nothingHeld, notHeld: 1 })
  const notHeld = page.getByTestId('not-held')
  await notHeld.getByRole('button', { name: 'Dismiss' }).click()
  await notHeld.waitFor({ state: 'detached' })
  wire.push('hold.changed', { ...nothingHeld, notHeld: 2 })
  await notHeld.waitFor()
})

it('groups the list with G by cause, tab, endpoint and type', async () => {
  const product = await fresh()
  await evening(product)
  await send(product, order('A-18', 8, 'T9', 'tab-2'), { secret: `${secret}\n` })
  await using page = await openPage(product.ui)
  await rows(page).nth(4).waitFor()
  const groupBy = async (name: string) => {
    await page.keyboard.press('g')
    await page.getByRole('button', { name, exact: true }).click()
  }
  await groupBy('By tab')
  const tabs = page.getByRole('list', { name: 'Groups by tab' }).getByRole('button')
  await expect
    .poll(() => tabs.allTextContents())
    .toEqual([expect.stringMatching(/^1Tab tab-2/), expect.stringMatching(/^4Tab Miller/)])
  await groupBy('By cause')
  await page.getByRole('list', { name: 'Groups by cause' }).getByText('line break').waitFor()
  await groupBy('By type')
  await page.getByRole('list', { name: 'Groups by type' }).getByText('CLOSE_TAB').waitFor()
  await groupBy('By endpoint')
  await page
    .getByRole('list', { name: 'Groups by endpoint' })
    .getByText('5', { exact: true })
    .waitFor()
  await groupBy('By tab')
  await tabs.filter({ hasText: 'Miller' }).click()
  await expect.poll(() => field(page).inputValue()).toBe('tab:tab-1')
  await expect.poll(() => rows(page).count()).toBe(4)
})

it('chooses, orders and sizes columns, also from the body, and saves them with a filter', async () => {
  const product = await fresh()
  await evening(product)
  await using page = await openPage(product.ui, { viewport: { width: 1440, height: 900 } })
  await rows(page).nth(3).waitFor()
  const heads = () => page.getByRole('columnheader').allTextContents()
  const menu = page.getByRole('button', { name: 'Columns' })
  await menu.click()
  await page.getByRole('checkbox', { name: 'Type' }).click()
  await page.getByLabel('Value of the body').fill('data.itemNames[1')
  await page.keyboard.press('Enter')
  await page.getByText('Write a path such as').waitFor()
  await page.getByLabel('Value of the body').fill('data.itemNames[1]')
  await page.keyboard.press('Enter')
  const up = page.getByRole('button', { name: 'Move data.itemNames[1] up' })
  for (let moves = 0; moves < 4; moves += 1) await up.click()
  await page.keyboard.press('Escape')
  await row(page, 'A-17').locator('.c-body').getByText('Fries', { exact: true }).waitFor()
  const chosen = await heads()
  expect(chosen).toContain('data.itemNames[1]')
  expect(chosen).not.toContain('Type')
  expect(chosen.indexOf('data.itemNames[1]')).toBeLessThan(chosen.indexOf('Outcome'))

  const edge = page.getByRole('separator', { name: 'Width of Amount' })
  const width = Number(await edge.getAttribute('aria-valuenow'))
  await edge.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(String(width + 8))

  await field(page).fill('total>20')
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Saved' }).click()
  await page.getByLabel('Filter name').fill('Large orders')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Saved' }).getByText('Large orders').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await menu.click()
  await page.getByRole('button', { name: 'Use the standard columns' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(heads).toContain('Type')
  await page.reload()
  await page.getByRole('button', { name: 'Saved' }).click()
  await page.getByRole('button', { name: /total>20/ }).click()
  await expect.poll(heads).toContain('data.itemNames[1]')
  await expect.poll(() => rows(page).count()).toBe(1)
})

it.runIf(full)(
  'keeps the selected row in place in live traffic, and tab and row after a reload',
  async () => {
    const product = await fresh()
    for (let n = 1; n <= 60; n += 1) await send(product, order(`L-${n}`, n))
    await using page = await openPage(product.ui)
    await row(page, 'L-60').waitFor()
    await row(page, 'L-55').click()
    const place = async () => (await row(page, 'L-55').boundingBox())?.y
    const before = await place()
    for (let n = 61; n <= 72; n += 1) await send(product, order(`L-${n}`, n))
    await page.getByRole('button', { name: '12 new' }).waitFor()
    expect(await place()).toBe(before)
    await page.getByRole('button', { name: '12 new' }).click()
    await row(page, 'L-72').waitFor()

    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 900)
    await row(page, 'L-40').waitFor()
    await row(page, 'L-40').click()
    await page.getByRole('tab', { name: 'Trace' }).click()
    await expect.poll(() => new URL(page.url()).hash).toContain('tab=trace')
    await page.reload()
    await page.getByRole('tab', { name: 'Trace', selected: true }).waitFor()
    await row(page, 'L-40').waitFor()

    // Two selected deliveries can be compared.
    await page.getByRole('grid').focus()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Compare' }).click()
    await detail(page).getByRole('button', { name: /Back/ }).waitFor()
  },
)

it('filters by what the service is about, and stays usable while the text is invalid', async () => {
  const product = await fresh()
  await evening(product)
  for (let n = 1; n <= 40; n += 1) await send(product, order(`Q-${n}`, 10 + n, `T${n}`, 'tab-9'))
  await using page = await openPage(product.ui)
  await rows(page).first().waitFor()
  const finds = async (text: string, count: number) => {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await found(page, `${count} of 44`)
  }
  await finds('tab:miller', 4)
  await finds('created<1h -zone:patio', 3)
  await finds('lag:<55min outcome:ok handler:none', 44)
  // One order by table and amount, in at most ten keystrokes.
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('T7 17.00')
  await page.keyboard.press('Enter')
  await found(page, '1 of 44')

  await field(page).fill('spotName:T4')
  await page.getByRole('alert').getByText('Did you mean spot').waitFor()
  await finds('tab:miller', 4)
  await field(page).fill('tab:miller wrong:')
  const grid = page.locator('.list-frame')
  await expect.poll(() => grid.getAttribute('data-stale')).toBe('true')
  await page.getByRole('button', { name: 'Types' }).click()
  await page.getByRole('checkbox', { name: /^CLOSE_TAB/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => field(page).inputValue()).toContain('type:CLOSE_TAB')
  await expect.poll(() => grid.getAttribute('data-stale')).toBeNull()

  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByRole('button', { name: 'Time' }).click()
  await page.getByLabel('Between').fill('2020-01-01T10:00:00')
  await page.getByLabel('and', { exact: true }).fill('2020-01-01T11:00:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect
    .poll(() => field(page).inputValue())
    .toMatch(/^since:2020-01-01T10:00\S* until:2020-01-01T11:00/)
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
})
