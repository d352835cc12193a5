import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { deliver, goTo, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const fresh = sharedProduct()

const order = (data: object): string =>
  JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
    createdAt: '2026-11-20T20:09:04.512Z',
    data: { orderName: 'A-17', total: 42.5, itemNames: ['Fries'], ...data },
  })

const body = (type: string): string =>
  JSON.stringify({ type, targetUuid: 'x', createdAt: '2026-11-20T20:09:04.512Z', data: {} })

async function openConformance(page: Page): Promise<void> {
  await goTo(page, 'Health', 'Differences')
  await page.getByRole('heading', { name: 'Documented types' }).waitFor()
}

const known = (page: Page) => page.getByRole('table', { name: 'Documented types' })

const kindRow = (page: Page, type: string, code: string, place: string) =>
  page
    .locator('tbody')
    .filter({ has: page.locator('th', { hasText: type }) })
    .getByRole('row')
    .filter({ hasText: code })
    .filter({ has: page.locator('.conformance-place').getByText(place, { exact: true }) })

it.runIf(full)('shows deliveries and findings for each type, and links to them', async () => {
  const product = await fresh()
  for (const total of [42.5, '42.50', '9.00']) {
    await deliver(product.endpoint, order({ total, tipAmount: 3 }))
  }
  await deliver(product.endpoint, body('CLOSE_TAB'))
  await deliver(product.endpoint, body('TAB_MERGED'))
  await deliver(product.endpoint, 'not json')
  await using page = await openPage(product.ui)
  await openConformance(page)
  const types = known(page)
  await types.waitFor()
  await expect.poll(() => types.getByRole('rowheader').count()).toBe(2)
  const type = types.getByRole('row').filter({ hasText: 'Order placed' })
  await expect.poll(() => type.getByRole('cell').first().innerText()).toBe('3')
  const cells = kindRow(page, 'ORDER_PLACED', 'data.field_type', 'data.total').getByRole('cell')
  await expect
    .poll(() => cells.first().innerText())
    .toMatch(/error:[\s\S]*A field in data has the wrong type/)
  await expect.poll(() => cells.nth(2).innerText()).toBe('2')
  await expect.poll(() => cells.nth(3).innerText()).toMatch(new RegExp(`^#${product.id(2)} `))
  await expect.poll(() => cells.nth(4).innerText()).toMatch(new RegExp(`^#${product.id(3)} `))
  const others = page.getByRole('table', { name: 'Not documented' })
  await expect
    .poll(() => others.getByRole('rowheader').allInnerTexts())
    .toEqual([expect.stringContaining('no type'), expect.stringContaining('TAB_MERGED')])
  const unseen = page.getByRole('region', { name: 'Not received' })
  await expect.poll(() => unseen.getByRole('listitem').count()).toBe(11)
  expect(await unseen.innerText()).not.toContain('CLOSE_TAB')

  await cells.nth(2).getByRole('link').click()
  const rows = page.getByTestId('delivery-row')
  await expect.poll(() => rows.count()).toBe(2)
  expect(new URL(page.url()).hash).toContain('type%3AORDER_PLACED+finding%3Adata.field_type')

  await openConformance(page)
  await cells.nth(3).getByRole('link').click()
  await page.getByRole('article', { name: 'Order placed' }).waitFor()
  await expect.poll(() => rows.count()).toBe(6)
  await expect.poll(() => rows.nth(4).getAttribute('aria-selected')).toBe('true')
})

const tab = (data: object): string =>
  JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2',
    createdAt: '2026-11-20T20:09:04.512Z',
    data: { name: 'Miller', total: 42.5, ...data },
  })

it('notices changes in payloads, until they are dismissed', async () => {
  const product = await fresh()
  for (let sent = 0; sent < 20; sent += 1) await deliver(product.endpoint, tab({}))
  await using page = await openPage(product.ui)
  await openConformance(page)
  const notices = page.getByRole('region', { name: 'Payload changes' })
  expect(await notices.count()).toBe(0)
  await deliver(product.endpoint, tab({ total: '9.00', tipAmount: 3, name: 'Zebulon' }))
  await notices.waitFor()
  const id = product.id(21)
  await expect
    .poll(() => notices.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(
        new RegExp(`^New type\\s+data.total of OPEN_TAB: text .* #${id} .* Documented as number.`),
      ),
      expect.stringMatching(
        new RegExp(`^New field\\s+data.tipAmount of OPEN_TAB: first in #${id} .* Not documented.`),
      ),
    ])

  await notices.getByRole('link', { name: 'Show deliveries with it' }).last().click()
  const rows = page.getByTestId('delivery-row')
  await expect.poll(() => rows.count()).toBe(1)
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain('data.tipAmount:*')
  await openConformance(page)
  await notices.getByRole('button', { name: 'Dismiss all' }).click()
  await notices.waitFor({ state: 'detached' })
})
