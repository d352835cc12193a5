import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sendTwice, startApp } from '../support/screenshots-sending.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const secret = 'detail-secret-0123456789'
const fresh = sharedProduct({ secret })

const order = JSON.stringify({
  type: 'ORDER_PLACED',
  targetUuid: 'order-1',
  locationName: 'Pier 9',
  createdAt: new Date().toISOString(),
  data: {
    orderName: 'A-17',
    spotName: 'T4',
    zoneName: 'Patio',
    total: 42.5,
    itemNames: ['Pale Ale', 'Fries'],
    tipPolicy: 'auto',
  },
})

async function openFirst(page: Page): Promise<void> {
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
}

it('shows a delivery as its object: heading, amount, fields, missing and extra ones', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  const ticket = page.getByRole('article', { name: 'Order placed' })
  await ticket.waitFor()
  const text = await ticket.innerText()
  for (const part of ['A-17', '42.50', 'Pale Ale', 'Fries', 'absent', 'not documented']) {
    expect(text, part).toContain(part)
  }
  expect(watched.faults).toEqual([])
})

it('leaves room for titles beside a delivery, and keeps its actions in one row after a re-send', async () => {
  const product = await fresh()
  await using app = await startApp()
  const total = '9007199254740993.55'
  await deliver(product.endpoint, order.replace('42.5', total), { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  await page.getByRole('article').getByText(total).first().waitFor()
  const title = await page.getByTestId('delivery-row').locator('.c-title').boundingBox()
  expect(title?.width).toBeGreaterThan(200)
  const top = async (name: string): Promise<number | undefined> =>
    (await page.getByRole('button', { name }).boundingBox())?.y
  const before = await top('Re-send…')
  await sendTwice(page, app)
  expect(await top(`Re-send to ${new URL(app.address).host}`)).toBe(before)
  expect(watched.faults).toEqual([])
})

it('shows headers as received, with an explanation of each', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, {
    secret,
    headers: { 'X-Service-Event-Type': 'ORDER_PLACED', 'X-Other': 'mine' },
  })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  await page.getByRole('tab', { name: 'Headers' }).click()
  const table = page.getByRole('table', { name: 'Headers' })
  const text = (await table.innerText()).toLowerCase()
  expect(text).toContain('x-service-event-type')
  expect(text).toContain('the event type')
  expect(text).toContain('x-other')
  await page.getByText('Only the body is signed').waitFor()
  expect(watched.faults).toEqual([])
})

it('shows the body as tree, text and bytes, searches it, and decodes it', async () => {
  const product = await fresh()
  await deliver(product.endpoint, gzipSync(order), {
    secret,
    headers: { 'Content-Encoding': 'gzip' },
  })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  expect(await page.getByTestId('delivery-row').first().getAttribute('data-verdict')).toBe('valid')
  await page.getByRole('tab', { name: 'Body' }).click()
  await page.getByRole('radio', { name: 'Decoded' }).check()
  await page.getByRole('radio', { name: 'Text' }).check()
  await page.getByText('tipPolicy').first().waitFor()
  await page.getByRole('radio', { name: 'Hex' }).check()
  await page.getByText('00000000').first().waitFor()
  expect(watched.faults).toEqual([])
})

it('shows the signature check step by step', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, { secret: 'not the one' })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openFirst(page)
  await page
    .getByText(/does not match/i)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'Signature' }).click()
  const steps = page.getByRole('list', { name: 'Steps of the check' }).getByRole('listitem')
  await steps.nth(3).waitFor()
  expect(await steps.count()).toBe(4)
  expect(await steps.nth(3).innerText()).toMatch(/failed/i)
  await page
    .getByText(`${Buffer.byteLength(order)} bytes`, { exact: false })
    .first()
    .waitFor()
  expect(watched.faults).toEqual([])
})

it('treats a hostile delivery as data', async () => {
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
  await deliver(product.endpoint, hostile, { headers: { 'X-Evil': '<script>alert(1)</script>' } })
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'ORDER_PLACED', data: { orderName: evil, itemNames: [evil] } }),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  for (const index of [0, 1]) {
    await page.getByTestId('delivery-row').nth(index).click()
    for (const name of ['Overview', 'Headers', 'Body', 'Signature', 'Trace']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').waitFor()
    }
  }
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.locator('body').innerText()).not.toContain('\u202e')
  expect(watched.faults).toEqual([])
})

it('opens a body of 30,000 levels, and one of 3 MiB, without crashing', async () => {
  const product = await fresh()
  await deliver(product.endpoint, `{"data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)
  await deliver(
    product.endpoint,
    JSON.stringify({ type: 'X', data: { text: 'x'.repeat(3 << 20) } }),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  for (const index of [0, 1]) {
    await page.getByTestId('delivery-row').nth(index).click()
    await page.getByRole('tab', { name: 'Body' }).click()
    await page.getByRole('radiogroup', { name: 'Show the body as' }).waitFor()
    await page.getByRole('tab', { name: 'Overview' }).click()
  }
  expect(watched.faults).toEqual([])
})
