import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { bigOrder } from '../support/big-order.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

const order = bigOrder(10)

it('parses 10 MiB in a worker: Overview, tree, text, bytes and search, and stops it with the delivery', async () => {
  const product = await fresh()
  await deliver(product.endpoint, '{"type":"OPEN_TAB","data":{"name":"Small"}}')
  await deliver(product.endpoint, order.text)
  await using watched = await openPage(product.ui)
  const { page } = watched
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).click()
  await page.getByRole('article', { name: 'Tab opened' }).waitFor()
  expect(page.workers(), 'a small body needs none').toEqual([])

  await rows.first().click()
  const ticket = page.getByRole('article', { name: 'Order placed' })
  await ticket.waitFor({ timeout: 30_000 })
  expect(page.workers().length).toBe(1)
  expect(await ticket.innerText()).toContain('A-17')
  await page.getByText('values are truncated here').waitFor()

  await page.getByRole('tab', { name: 'Body' }).click()
  const tree = page.getByRole('tree', { name: 'Body as a tree' })
  await tree.getByText('"A-17"').waitFor()
  // The page only contains the visible lines.
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(120)
  await page.getByRole('button', { name: 'Expand all' }).click()
  await tree.focus()
  // The worker expands the tree, and the end changes until it is done.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return tree.getByText(order.last).isVisible()
    })
    .toBe(true)
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(120)
  await page.getByRole('button', { name: 'Collapse all', exact: true }).click()
  await tree
    .getByText(/^\{ \d+ fields \}$/)
    .first()
    .waitFor()

  await page.getByLabel('Find in body').fill(order.needle)
  await page.getByText('1 of 1').waitFor()
  await tree.locator('.tree-now').getByText(order.needle).waitFor()
  await page.getByRole('radio', { name: 'Text' }).check()
  await page.locator('.text-line.tree-now').getByText(order.needle).waitFor()
  await page.getByRole('radio', { name: 'Hex' }).check()
  await page.locator('.hex-line.tree-now').waitFor()

  await page.keyboard.press('Escape')
  await expect.poll(() => page.workers().length).toBe(0)
  expect(watched.faults).toEqual([])
})

it('decodes a large body', async () => {
  const product = await fresh()
  await deliver(product.endpoint, gzipSync(order.text), { headers: { 'Content-Encoding': 'gzip' } })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('article', { name: 'Order placed' }).waitFor({ timeout: 30_000 })
  await page.getByRole('tab', { name: 'Body' }).click()
  await page.getByRole('tree').getByText('"A-17"').waitFor()
  await page.getByRole('radio', { name: 'As sent' }).check()
  await page.getByText('Not UTF-8').or(page.getByText('1f 8b')).first().waitFor()
  expect(watched.faults).toEqual([])
})
