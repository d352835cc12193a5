import { expect, it } from 'vitest'
import { bigOrder } from '../support/big-order.ts'
import { full } from '../support/full.ts'
import { deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const fresh = sharedProduct()

const large = bigOrder(10)

it.runIf(full)(
  'parses 10 MiB in a worker: Overview, tree, text, bytes and search, and stops it with the delivery',
  async () => {
    const product = await fresh()
    await deliver(product.endpoint, '{"type":"OPEN_TAB","data":{"name":"Small"}}')
    await deliver(product.endpoint, large.text)
    await using page = await openPage(product.ui)
    const rows = page.getByTestId('delivery-row')
    await rows.nth(1).click()
    await page.getByRole('article', { name: 'Tab opened' }).waitFor()
    expect(page.workers(), 'a small body needs none').toEqual([])

    await rows.first().click()
    const ticket = page.getByRole('article', { name: 'Order placed' })
    await ticket.waitFor({ timeout: 120_000 })
    expect(page.workers().length).toBe(1)
    await expect.poll(() => ticket.innerText()).toContain('A-17')
    await page.getByText('values are truncated here').waitFor()

    await page.getByRole('tab', { name: 'Request' }).click()
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
        return tree.getByText(large.last).isVisible()
      })
      .toBe(true)
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(120)
    await page.getByRole('button', { name: 'Collapse all', exact: true }).click()
    await tree
      .getByText(/^\{ \d+ fields \}$/)
      .first()
      .waitFor()

    await page.getByLabel('Find in body').fill(large.needle)
    await page.getByText('1 of 1').waitFor()
    await tree.locator('.tree-now').getByText(large.needle).waitFor()
    await page.getByRole('radio', { name: 'Text' }).check()
    await page.locator('.text-line.tree-now').waitFor()
    const asText = page.getByRole('region', { name: 'Body as text' })
    await expect
      .poll(() => asText.evaluate((view) => view.scrollWidth <= view.clientWidth))
      .toBe(true)
    await page.getByRole('radio', { name: 'Hex' }).check()
    await page.locator('.hex-line.tree-now').waitFor()

    await page.keyboard.press('Escape')
    await expect.poll(() => page.workers().length).toBe(0)
  },
)

const order = (data: object, target = 'order-1') =>
  JSON.stringify({ type: 'ORDER_PLACED', targetUuid: target, locationName: 'Pier 9', data })

it('compares two deliveries, headers and body, by meaning, by keyboard alone', async () => {
  const product = await fresh()
  const items = [
    { id: 'a', name: 'Ale', price: 6 },
    { id: 'b', name: 'Fries', price: 4 },
  ]
  await deliver(product.endpoint, order({ total: 10, items, zone: 'Patio' }), {
    headers: { 'X-Old': '1', 'X-Both': 'a' },
  })
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}')
  await deliver(
    product.endpoint,
    order({
      total: 10.5,
      items: [items[1], { ...items[0], price: 7 }],
      tip: `\u202e<b> 👨‍👩‍👧 ${'long '.repeat(300)}`,
    }),
    { headers: { 'X-New': '2', 'X-Both': 'b' } },
  )
  await using page = await openPage(product.ui)
  const rows = page.getByTestId('delivery-row')
  // The earlier one comes first, whichever is selected first.
  await rows.first().click()
  await page.keyboard.press('c')
  await page.getByText(`Comparing with #${product.id(3)}`).waitFor()
  await rows.nth(2).click()
  await page.keyboard.press('c')
  const tree = page.getByRole('region', { name: 'Differences by path' })
  await tree.getByText('total').waitFor()
  const text = (await tree.innerText()).replaceAll(/\s+/g, ' ')
  for (const part of [
    '10 becomes 10.5',
    'zone: removed "Patio"',
    'items[0].name: changed "Ale" becomes "Fries"',
  ]) {
    expect(text, part).toContain(part)
  }
  expect(text).toContain(String.raw`"\u202e<b> 👨‍👩‍👧 ${'long '.repeat(100)}`)
  await expect.poll(() => tree.evaluate((view) => view.scrollWidth <= view.clientWidth)).toBe(true)
  const headers = page.getByRole('table', { name: 'Differing headers' })
  const headerText = (await headers.innerText()).toLowerCase().replaceAll(/\s+/g, ' ')
  for (const part of ['x-both changed', 'x-new added', 'x-old removed', 'content-length changed']) {
    expect(headerText, part).toContain(part)
  }
  // The worker that compared them has ended.
  await expect.poll(() => page.workers().length).toBe(0)

  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor()
  await page.keyboard.press('6')
  await page
    .getByText(/differences:/)
    .first()
    .waitFor()
})
