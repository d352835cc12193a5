import { decode, encode } from '@msgpack/msgpack'
import Database from 'better-sqlite3'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { axeFaults, axeFaultsInAll, runsOver } from '../support/axe.ts'
import {
  closeBrowser,
  deliver,
  goTo,
  openOwnPage,
  openPage,
  startProduct,
} from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)
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
  await goTo(page, 'Conformance')
  await page.getByRole('heading', { name: 'Conformance' }).waitFor()
}

const known = (page: Page) => page.getByRole('table', { name: 'Documented types' })

/** The row of a kind of finding under a type. */
const kindRow = (page: Page, type: string, code: string, place: string) =>
  page
    .locator('tbody')
    .filter({ has: page.locator('th', { hasText: type }) })
    .getByRole('row')
    .filter({ hasText: code })
    .filter({ has: page.locator('.conformance-place').getByText(place, { exact: true }) })

it('shows deliveries and findings for each type, and links to them', async () => {
  const product = await fresh()
  for (const total of [42.5, '42.50', '9.00']) {
    await deliver(product.endpoint, order({ total, tipAmount: 3 }))
  }
  await deliver(product.endpoint, body('CLOSE_TAB'))
  await deliver(product.endpoint, body('TAB_MERGED'))
  await deliver(product.endpoint, 'not json')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openConformance(page)
  const types = known(page)
  await types.waitFor()
  expect(await types.getByRole('rowheader').count()).toBe(2)
  const type = types.getByRole('row').filter({ hasText: 'Order placed' })
  expect(await type.getByRole('cell').first().innerText()).toBe('3')
  const cells = kindRow(page, 'ORDER_PLACED', 'data.field_type', 'data.total').getByRole('cell')
  expect(await cells.first().innerText()).toMatch(/error:[\s\S]*A field in data has the wrong type/)
  expect(await cells.nth(2).innerText()).toBe('2')
  expect(await cells.nth(3).innerText()).toMatch(new RegExp(`^#${product.id(2)} `))
  expect(await cells.nth(4).innerText()).toMatch(new RegExp(`^#${product.id(3)} `))
  const others = page.getByRole('table', { name: 'Not documented' })
  expect(await others.getByRole('rowheader').allInnerTexts()).toEqual([
    expect.stringContaining('no type'),
    expect.stringContaining('TAB_MERGED'),
  ])
  const unseen = page.getByRole('region', { name: 'Not received' })
  expect(await unseen.getByRole('listitem').count()).toBe(11)
  expect(await unseen.innerText()).not.toContain('CLOSE_TAB')
  await page.getByText(/^Updated at \d\d:\d\d:\d\d$/).waitFor()

  await cells.nth(2).getByRole('link').click()
  const rows = page.getByTestId('delivery-row')
  await expect.poll(() => rows.count()).toBe(2)
  expect(new URL(page.url()).hash).toContain('type%3AORDER_PLACED+finding%3Adata.field_type')

  await openConformance(page)
  await cells.nth(3).getByRole('link').click()
  await page.getByRole('article', { name: 'Order placed' }).waitFor()
  await expect.poll(() => rows.count()).toBe(6)
  expect(await rows.nth(4).getAttribute('aria-selected')).toBe('true')
  expect(watched.faults).toEqual([])
})

it('updates as deliveries arrive, and opens by a key', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openConformance(page)
  await page.getByRole('heading', { name: 'Nothing to compare yet' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await deliver(product.endpoint, order({}))
  await known(page).waitFor()
  const count = known(page).getByRole('row').nth(1).getByRole('cell').first()
  expect(await count.innerText()).toBe('1')
  await deliver(product.endpoint, order({}))
  await expect.poll(() => count.innerText()).toBe('2')
  await page.keyboard.press('w')
  expect(await page.locator(':focus').getAttribute('type')).toBe('radio')
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { name: 'Yesterday' }).isChecked()).toBe(true)
  expect(watched.faults).toEqual([])
})

/** Changes the times of all stored deliveries to some days earlier. */
function age(folder: string, days: number): void {
  const db = new Database(path.join(folder, 'tabscope.db'))
  db.prepare('UPDATE delivery SET received_us = received_us - ?').run(days * 86_400_000_000)
  db.close()
}

it('shows what changed in the payloads since a day', async () => {
  await using before = await startProduct()
  await deliver(before.endpoint, order({ oldName: 'x' }))
  await deliver(before.endpoint, body('CLOSE_TAB'))
  await before.stop()
  age(before.dataDir, 3)
  await using product = await startProduct({ dataDir: before.dataDir })
  for (const tip of [1, 2]) await deliver(product.endpoint, order({ tipAmount: tip }))
  await deliver(product.endpoint, body('TAB_MERGED'))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openConformance(page)
  const changes = page.getByRole('region', { name: 'Changes' })
  const texts = async () => (await changes.getByRole('listitem').allInnerTexts()).join('\n')
  await expect
    .poll(texts)
    .toMatch(/data\.tipAmount: .*not documented, first in #3 on .*, in 2 ORDER_PLACED since/)
  expect(await texts()).toMatch(
    /TAB_MERGED, a type that is not in the API documentation, first in #5/,
  )
  expect(await texts()).toMatch(/Gone[\s\S]*data\.oldName: .*last in #1 on .*, but not in later/)
  expect(await texts()).not.toContain('zoneName')
  const extra = (place: string) => kindRow(page, 'ORDER_PLACED', 'data.field_extra', place)
  expect(await extra('data.tipAmount').innerText()).toContain('New')
  await known(page)
    .getByRole('button', { name: /^Show \d+ more$/ })
    .first()
    .click()
  expect(await extra('data.oldName').innerText()).not.toContain('New')

  await page.getByRole('radio', { name: 'Last 7 days' }).check()
  await changes.getByText('there is nothing to compare with').waitFor()
  await page.getByRole('radio', { name: 'Date' }).check()
  await page.getByLabel('New since date').fill('2000-01-01')
  await changes.getByText('there is nothing to compare with').waitFor()
  await page.getByRole('radio', { name: 'All' }).check()
  await changes.getByText('Select a day').waitFor()
  await page.getByRole('radio', { name: 'Yesterday' }).check()
  await page.reload()
  await expect.poll(texts).toContain('data.tipAmount')
  expect(await page.getByRole('radio', { name: 'Yesterday' }).isChecked()).toBe(true)
  expect(watched.faults).toEqual([])
})

it('shows why it could not be computed, and computes once it can', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order({}))
  await using watched = await openOwnPage(product.ui)
  const { page } = watched
  const Call = z.object({
    kind: z.literal('call'),
    id: z.int(),
    name: z.literal('deliveries.conformance'),
  })
  let refusing = true
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const call = Call.safeParse(typeof message === 'string' ? null : decode(message))
      if (!refusing || !call.success) return server.send(message)
      const error = { code: 'internal', message: 'The store is busy.', retry: 'later' }
      socket.send(Buffer.from(encode({ kind: 'reply', id: call.data.id, ok: false, error })))
    })
  })
  await page.reload()
  await openConformance(page)
  await page.getByRole('heading', { name: 'Could not load the summary' }).waitFor()
  await page.getByText('The store is busy.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  refusing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await known(page).waitFor()
  refusing = true
  await page.keyboard.press('u')
  await page.getByRole('alert').filter({ hasText: 'The summary below is outdated.' }).waitFor()
  expect(await known(page).isVisible()).toBe(true)
})

it('has no axe violations, wide and narrow, light and dark', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order({ total: 'x', tipAmount: 3 }))
  await deliver(product.endpoint, body('TAB_MERGED'))
  await deliver(product.endpoint, body('CLOSE_TAB'))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openConformance(page)
  await known(page).waitFor()
  expect(await axeFaultsInAll(page, runsOver(page))).toEqual([])
  await page.getByRole('radio', { name: 'Date' }).check()
  await page.getByLabel('New since date').waitFor()
  expect(await axeFaultsInAll(page, runsOver(page)), 'with a date').toEqual([])
})
