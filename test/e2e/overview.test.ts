import { afterAll, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { axeFaults } from '../support/axe.ts'
import { closeBrowser, deliver, openOwnPage, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)
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

/** The row of a field, by its key. */
function field(page: Page, key: string): Locator {
  return page.locator('.field-row').filter({ has: page.locator('dd.field-key', { hasText: key }) })
}

it('marks missing fields, undocumented fields and fields of another type', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  const said = async (key: string) => (await field(page, key).innerText()).replaceAll('\n', ' ')
  expect(await said('zoneName')).toMatch(/^Zone absent/)
  expect(await said('total')).toMatch(/42\.50\s+text, documented as number/)
  expect(await said('locationName')).toMatch(/^Location absent/)
  expect(await said('targetId')).toMatch(/none, as documented/)
  const extra = page.locator('.field-row').filter({ hasText: 'tipPolicy' })
  expect(await extra.innerText()).toMatch(/auto\s+not documented/)
  expect(await page.locator('.ticket-figure').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('shows local time, UTC and age without hovering', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await using watched = await openOwnPage(product.ui, { timezoneId: 'Asia/Kolkata' })
  const { page } = watched
  await openFirst(page)
  const text = await field(page, 'createdAt').innerText()
  expect(text).toContain('21 Nov 2026, 01:39:04.512 GMT+5:30')
  expect(text).toContain('2026-11-20T20:09:04.512Z UTC')
  expect(text).toMatch(/\d+ (s|min|h|d) ago|in \d+/)
})

it('explains a field, by mouse and by keyboard', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await using watched = await openPage(product.ui)
  const { page } = watched
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
  expect(watched.faults).toEqual([])
})

it('follows an ID to all deliveries that contain it, at any place', async () => {
  const product = await fresh()
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'OPEN_TAB', targetUuid: tab, data: { name: 'Miller' } }),
  )
  await deliver(product.endpoint, JSON.stringify({ type: 'MENU_UPDATED', targetUuid: 'menu "1"' }))
  await deliver(product.endpoint, order)
  await using watched = await openPage(product.ui)
  const { page } = watched
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
  expect(watched.faults).toEqual([])
})

it('reports that the API documentation contradicts itself about OPEN_TAB, and rates a new value as information', async () => {
  const product = await fresh()
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'OPEN_TAB', data: { name: 'Miller', openedFrom: 'KIOSK' } }),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  const card = await openFirst(page)
  expect(await card.innerText()).toContain('The API documentation contradicts itself')
  const unlisted = field(page, 'openedFrom').locator('.tag')
  expect(await unlisted.innerText()).toBe('undocumented value')
  expect(await unlisted.getAttribute('data-tone')).toBe('info')
})

it('renders a type that the API documentation does not list', async () => {
  const product = await fresh()
  await deliver(
    product.endpoint,
    JSON.stringify({
      type: 'TAB_MERGED',
      createdAt: '2026-11-20T20:09:04.512Z',
      data: { fromTabUuid: tab, guests: ['Ada', 'Bo'], closing: true },
    }),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  const card = await openFirst(page)
  expect(await card.getByRole('heading').innerText()).toBe('TAB_MERGED')
  const text = await card.innerText()
  for (const part of ['fromTabUuid', tab, 'Ada', 'Bo', 'yes']) expect(text, part).toContain(part)
  expect(await axeFaults(page)).toEqual([])
})
