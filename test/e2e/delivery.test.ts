import { expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const fresh = sharedProduct()

const tab = '7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a10'

const order = JSON.stringify({
  type: 'ORDER_PLACED',
  targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
  createdAt: '2026-11-20T20:09:04.512Z',
  data: {
    orderName: 'A-17',
    total: '42.50',
    tabUuid: tab,
    itemNames: ['Pale Ale', 'Fries'],
    tipPolicy: 'auto',
  },
})

async function openFirst(page: Page): Promise<Locator> {
  await page.getByTestId('delivery-row').first().click()
  const card = page.getByRole('article')
  await card.waitFor()
  return card
}

function field(page: Page, key: string): Locator {
  return page.locator('.field-row').filter({ has: page.locator('dd.field-key', { hasText: key }) })
}

it('shows a delivery as its object, and marks missing fields, undocumented fields and fields of another type', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await using page = await openPage(product.ui)
  const card = await openFirst(page)
  expect(await card.getAttribute('aria-label')).toBe('Order placed')
  const text = await card.innerText()
  for (const part of ['A-17', 'Pale Ale', 'Fries']) expect(text, part).toContain(part)
  const said = async (key: string) => (await field(page, key).innerText()).replaceAll('\n', ' ')
  expect(await said('zoneName')).toMatch(/^Zone absent/)
  expect(await said('total')).toMatch(/42\.50\s+text, documented as number/)
  expect(await said('locationName')).toMatch(/^Location absent/)
  expect(await said('targetId')).toMatch(/none, as documented/)
  const extra = page.locator('.field-row').filter({ hasText: 'tipPolicy' })
  expect(await extra.innerText()).toMatch(/auto\s+not documented/)
  expect(await page.locator('.ticket-figure').count()).toBe(0)
})

it('explains a field, by mouse and by keyboard', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await using page = await openPage(product.ui)
  await openFirst(page)
  const words = 'Order total including taxes and fees.'
  const tip = page.getByRole('tooltip', { includeHidden: true })
  await field(page, 'total').getByRole('button').first().hover()
  await tip.filter({ hasText: words }).waitFor({ state: 'attached' })
  expect(await tip.first().innerText()).toContain('total: number')

  await page.reload()
  await openFirst(page)
  // Small enough that each field must be scrolled into view; scrolling must not hide the tooltip that the focus has just shown.
  await page.setViewportSize({ width: 1440, height: 440 })
  await field(page, 'scheduled').getByRole('button').first().focus()
  for (const key of ['zoneName', 'spotName', 'zoneTags', 'zoneGroupName', 'total']) {
    await page.keyboard.press('Tab')
    expect(await field(page, key).locator(':focus').count(), key).toBe(1)
  }
  await tip.filter({ hasText: words }).waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  await tip
    .filter({ hasText: 'UUID of the tab the order belongs to.' })
    .waitFor({ state: 'attached' })
})

it('shows what a proxy added as claims, apart from the documented headers', async () => {
  const product = await fresh()
  const headers = { 'X-Forwarded-For': '203.0.113.9, <b>\u009b</b>', 'CF-Ray': '8f0-FRA' }
  await deliver(product.endpoint, order, { headers })
  await using page = await openPage(product.ui)
  await openFirst(page)
  const claims = page.getByRole('region', { name: 'Claimed origin' })
  await claims.getByText('from 203.0.113.9, via “<b>\\u009b</b>” (not an IP address).').waitFor()
  expect(await claims.innerText()).toContain('Not verified')
  await page.getByRole('tab', { name: 'Request' }).click()
  const added = page.getByRole('table', { name: 'Added in transit' }).getByRole('rowheader')
  await added.nth(1).waitFor()
  expect((await added.allInnerTexts()).join().toLowerCase()).toMatch(/^x-forwarded-for[^]*cf-ray/)
  const documented = page.getByRole('table', { name: 'Headers', exact: true })
  expect(await documented.innerText()).not.toMatch(/x-forwarded-for|cf-ray/i)
})

it('follows an ID to all deliveries that contain it, at any place', async () => {
  const product = await fresh()
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'OPEN_TAB', targetUuid: tab, data: { name: 'Miller' } }),
  )
  await deliver(product.endpoint, JSON.stringify({ type: 'MENU_UPDATED', targetUuid: 'menu "1"' }))
  await deliver(product.endpoint, order)
  await using page = await openPage(product.ui)
  await openFirst(page)
  await field(page, 'tabUuid')
    .getByRole('button', { name: `Copy ${tab}` })
    .waitFor()
  await field(page, 'tabUuid')
    .getByRole('button', { name: `${tab}: show all deliveries with this ID` })
    .click()
  const rows = page.getByTestId('delivery-row')
  await expect.poll(() => rows.count()).toBe(2)
  expect((await rows.allInnerTexts()).join()).not.toContain('MENU_UPDATED')
  expect(await page.getByRole('article').count()).toBe(0)

  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await rows.filter({ hasText: 'MENU_UPDATED' }).click()
  await page.getByRole('article', { name: 'Menu changed' }).waitFor()
  await field(page, 'targetUuid')
    .getByRole('button', { name: /show all deliveries/ })
    .click()
  await expect.poll(() => rows.count()).toBe(1)
})

const faulty = JSON.stringify({
  type: 'ORDER_PLACED',
  targetUuid: 'order-1',
  locationUuid: 7,
  createdAt: '2026-03-14T21:00:00Z',
  data: { created: 'yesterday', total: '42.50', itemNames: [1], tip: 1, note: 'x' },
})

it('lists findings, errors first, each with its code, and collapses long lists', async () => {
  const product = await fresh()
  await deliver(product.endpoint, faulty)
  await using page = await openPage(product.ui)
  await openFirst(page)
  const items = page.getByRole('list', { name: 'Findings' }).getByRole('listitem')
  await items.first().waitFor()
  expect(await items.count()).toBe(2)
  await page.getByRole('button', { name: /Show \d+ more findings/ }).click()
  const words = (await items.allInnerTexts()).map((text) => /^(Error|Warning|Note)/.exec(text)?.[0])
  expect(words.length).toBeGreaterThan(12)
  const rank = ['Error', 'Warning', 'Note']
  const ranks = words.map((word) => rank.indexOf(word ?? ''))
  expect(new Set(ranks)).toEqual(new Set([0, 1, 2]))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(await items.first().innerText()).toContain('payload.field_type')
  await page.getByRole('button', { name: 'Show fewer findings' }).click()
  expect(await items.count()).toBe(2)
})

it('treats a hostile delivery as data on every tab', async () => {
  const product = await fresh()
  const evil =
    '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>\u202e\u0000'
  const hostile = JSON.stringify({
    type: evil,
    targetUuid: evil,
    locationName: evil,
    createdAt: evil,
    data: { [evil]: evil, orderName: evil, tags: [evil] },
  })
  await deliver(product.endpoint, hostile, {
    headers: { 'X-Evil': '<script>alert(1)</script>', 'X-Service-Signature': '<img src=x>' },
  })
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'ORDER_PLACED', data: { orderName: evil, itemNames: [evil] } }),
  )
  await using page = await openPage(product.ui)
  for (const index of [0, 1]) {
    await page.getByTestId('delivery-row').nth(index).click()
    for (const name of ['Overview', 'Request', 'Signature', 'Trace', 'Attempts']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').waitFor()
    }
  }
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.locator('body').innerText()).not.toContain('\u202e')
})
