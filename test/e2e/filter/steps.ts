import type { Page } from 'playwright-core'
import { deliver, type Product } from '../../support/product.ts'

export const secret = 'filter-secret-0123456789'

export const field = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true })
export const rows = (page: Page) => page.getByTestId('delivery-row')

/** Waits until the list has this many rows, all rendered. */
export async function waitForRows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('[data-testid="delivery-row"]').length === wanted,
    count,
  )
}

/** Titles of the rendered rows, newest first. */
export const titles = (page: Page): Promise<string[]> =>
  rows(page).locator('.c-title').allTextContents()

/** Sends an order with this total. Correctly signed unless another secret is given. */
export async function order(
  product: Product,
  name: string,
  total: number,
  using = secret,
): Promise<void> {
  const body = JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: `order-${name}`,
    locationName: 'Pier 9',
    createdAt: new Date().toISOString(),
    data: { orderName: name, spotName: 'T4', zoneName: 'Patio', total },
  })
  await deliver(product.endpoint, body, { secret: using })
}

/** Opens a tab with this name at another location. */
export async function tab(product: Product, name: string): Promise<void> {
  const body = JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: `tab-${name}`,
    locationName: 'Harbour',
    createdAt: new Date().toISOString(),
    data: { name, spotName: 'T1', total: 0, openedFrom: 'SERVER_TAB' },
  })
  await deliver(product.endpoint, body, { secret })
}
