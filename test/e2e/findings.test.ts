import { afterAll, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { axeFaults } from '../support/axe.ts'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const secret = 'departures-secret-0123456789'
const fresh = sharedProduct({ secret })
const hostile = '<b>\u009b</b>'

const order = JSON.stringify({
  type: 'ORDER_PLACED',
  targetUuid: 'order-1',
  locationUuid: 7,
  createdAt: '2026-03-14T21:00:00Z',
  data: { created: 'yesterday', total: '42.50', itemNames: [1], tip: 1, note: 'x' },
})

async function openFirst(page: Page, tab: 'Overview' | 'Headers'): Promise<void> {
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: tab }).click()
}

it('compares the headers: received, expected, whether they match, and missing ones', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, {
    secret,
    headers: {
      'X-Service-Event-Type': 'ORDER_UPDATED',
      'Content-Type': 'application/json',
      'X-Odd': hostile,
    },
  })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page, 'Headers')
  await page.getByText('a valid signature proves nothing about the headers').waitFor()
  const table = page.getByRole('table', { name: 'Headers' })
  const row = (name: string): Locator =>
    table.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

  const type = (await row('X-Service-Event-Type').innerText()).replaceAll(/\s+/g, ' ')
  expect(type).toContain('The event type.')
  expect(type).toContain('received ORDER_UPDATED expected ORDER_PLACED')
  expect(type).toMatch(/no$/)
  expect(await row('Content-Type').innerText()).toMatch(/yes\s*$/)
  expect(await row('X-Service-Signature').innerText()).toMatch(/yes\s*$/)
  const odd = await row('X-Odd').innerText()
  expect(odd).toContain('<b>\\u009b</b>')
  expect(odd).toMatch(/no expected value\s*$/)

  // Missing ones are at the end.
  const names = await table.getByRole('rowheader').allInnerTexts()
  expect(names.slice(-2).map((name) => name.split('\n')[0])).toEqual([
    'X-Service-Event-Target-UUID',
    'X-Service-Application-ID',
  ])
  expect(await row('X-Service-Application-ID').innerText()).toMatch(/missing\s*$/)
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('lists findings, errors first, each with its code, and collapses long lists', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page, 'Overview')
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
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Show fewer findings' }).click()
  expect(await items.count()).toBe(2)
  expect(watched.faults).toEqual([])
})

it('reports that the API documentation contradicts itself about an opened tab, and has no finding for its data', async () => {
  const product = await fresh()
  const body = JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: 'tab-1',
    createdAt: '2026-03-14T21:00:00.123Z',
  })
  await deliver(product.endpoint, body, {
    secret,
    headers: {
      'User-Agent': 'Service-WebhookAgent/1.0',
      'Content-Type': 'application/json',
      'X-Service-Event-Type': 'OPEN_TAB',
      'X-Service-Event-Target-UUID': 'tab-1',
      'X-Service-Application-ID': 'app-1',
    },
  })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page, 'Overview')
  await page.getByText('The API documentation contradicts itself').waitFor()
  expect(await page.getByRole('list', { name: 'Findings' }).count()).toBe(0)
  expect(watched.faults).toEqual([])
})
