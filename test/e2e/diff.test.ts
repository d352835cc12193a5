import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { logBytes, logDelivery, logHead } from '../support/event-log.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../support/product.ts'
import { runCli } from '../support/run-cli.ts'
import { sharedProduct } from '../support/shared-product.ts'

import { importLog } from './event-log/scope-logs.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

const order = (data: object, target = 'order-1') =>
  JSON.stringify({ type: 'ORDER_PLACED', targetUuid: target, locationName: 'Pier 9', data })

const handle = (value: string): string =>
  JSON.stringify({ type: 'GUEST_SUBSCRIBED', targetUuid: 'guest-1', data: { handle: value } })

it('compares two deliveries, headers and body, by meaning and by bytes, by keyboard alone', async () => {
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
    order({ total: 10.5, items: [items[1], { ...items[0], price: 7 }], tip: '\u202e<b>' }),
    { headers: { 'X-New': '2', 'X-Both': 'b' } },
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  const rows = page.getByTestId('delivery-row')
  await rows.nth(2).click()
  await page.keyboard.press('c')
  await page.getByText(`Comparing with #${product.id(1)}`).waitFor()
  await rows.first().click()
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
  expect(text).toContain(String.raw`"\u202e<b>"`)
  const headers = page.getByRole('table', { name: 'Differing headers' })
  const headerText = (await headers.innerText()).toLowerCase().replaceAll(/\s+/g, ' ')
  for (const part of ['x-both changed', 'x-new added', 'x-old removed', 'content-length changed']) {
    expect(headerText, part).toContain(part)
  }
  await page.getByRole('radio', { name: 'By byte' }).check()
  await page.getByText(/First difference at byte \d+/).waitFor()
  expect(await page.getByText(/^[0-9a-f]{64}$/).count()).toBe(2)
  expect(await axeFaults(page)).toEqual([])
  // The worker that compared them has ended.
  await expect.poll(() => page.workers().length).toBe(0)

  await page.getByRole('button', { name: 'Swap' }).click()
  await page.getByRole('region', { name: 'Differences by path' }).getByText('10.5').waitFor()
  const back = await page.getByRole('region', { name: 'Differences by path' }).innerText()
  expect(back.replaceAll(/\s+/g, ' ')).toContain('10.5 becomes 10')
  expect(watched.faults).toEqual([])
})

it('finds the previous delivery of the same type and target, and reports when nothing differs', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order({ total: 1.0 }))
  await deliver(product.endpoint, order({ total: 9 }, 'order-2'))
  await deliver(product.endpoint, order({ total: 1.0 }))
  const spelled = order({ total: 1.0 }).replace('"total":1', '"total": 1.00')
  await deliver(product.endpoint, gzipSync(spelled), { headers: { 'Content-Encoding': 'gzip' } })
  await using watched = await openPage(product.ui)
  const { page } = watched
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).click()
  await page.keyboard.press('6')
  await page.getByRole('button', { name: 'Previous of this type' }).click()
  await page.getByText('The bodies are identical, byte for byte.').waitFor()
  await page
    .getByText(`#${product.id(1)}`, { exact: true })
    .first()
    .waitFor()

  // Encoded, and formatted differently, but with the same value.
  await rows.first().click()
  await page.getByText('Same values with different formatting').waitFor()
  await page.getByText(/The body after had a content encoding/).waitFor()

  await page.getByRole('combobox', { name: 'or delivery' }).fill(String(product.id(2)))
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('region', { name: 'Differences by path' }).getByText('"order-2"').waitFor()
  await page.getByRole('combobox', { name: 'or delivery' }).fill(String(product.id(99)))
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByText(`Delivery ${product.id(99)} does not exist`).waitFor()
  expect(watched.faults).toEqual([])
})

it('compares a redacted body by its remaining bytes, and names the redacted side', async () => {
  await using product = await startProduct()
  const live = handle('ada.miller@example.com')
  await deliver(product.endpoint, live)
  const file = path.join(product.dataDir, 'redacted.ndjson')
  const exported = await runCli(['export', '-o', file, '--data', product.dataDir])
  expect(exported.code, exported.stderr).toBe(0)
  const { code, stderr } = await runCli(['import', file, '--data', product.dataDir])
  expect(code, stderr).toBe(0)
  // Older logs have the digest of the body as captured, and a pseudonym can be as long as what it replaces.
  const fields = logDelivery(1, live, { type: 'GUEST_SUBSCRIBED', title: 'Guest subscribed' })
  const replaced = handle('redacted-email-abcdefg')
  expect(replaced.length).toBe(live.length)
  await importLog(
    product,
    'older.ndjson',
    logBytes([logHead(1), { ...fields, body: { text: replaced }, bodyRedacted: true }]),
  )
  await importLog(
    product,
    'omitted.ndjson',
    logBytes([logHead(1), { ...fields, body: { omitted: 'It is too large.' } }]),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  await page.keyboard.press('c')
  const body = page.getByRole('region', { name: 'Body', exact: true })
  const open = async (log: number): Promise<void> => {
    await page.evaluate((to) => location.assign(to), `#/logs/${log}`)
    await page.getByRole('region', { name: /^Event log/ }).waitFor()
    await page.getByTestId('delivery-row').first().click()
    await page.keyboard.press('c')
  }
  const redacted = 'The body after was redacted when its log was exported.'
  for (const log of [1, 2]) {
    await open(log)
    await body.getByText(redacted).waitFor()
    await body.getByText(/becomes/).waitFor()
    expect(await body.innerText()).not.toContain('byte for byte')
  }
  await open(3)
  await body.getByText('The bodies cannot be compared: the body after is not in its log.').waitFor()
  expect(await body.innerText()).not.toContain('removed')
  expect(watched.faults).toEqual([])
})
