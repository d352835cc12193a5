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
  await expect.poll(() => card.getAttribute('aria-label')).toBe('Order placed')
  const text = await card.innerText()
  for (const part of ['A-17', 'Pale Ale', 'Fries']) expect(text, part).toContain(part)
  const said = async (key: string) => (await field(page, key).innerText()).replaceAll('\n', ' ')
  await expect.poll(() => said('zoneName')).toMatch(/^Zone absent/)
  await expect.poll(() => said('total')).toMatch(/42\.50\s+text, documented as number/)
  await expect.poll(() => said('locationName')).toMatch(/^Location absent/)
  await expect.poll(() => said('targetId')).toMatch(/none, as documented/)
  const extra = page.locator('.field-row').filter({ hasText: 'tipPolicy' })
  await expect.poll(() => extra.innerText()).toMatch(/auto\s+not documented/)
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
  await expect.poll(() => tip.first().innerText()).toContain('total: number')

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
