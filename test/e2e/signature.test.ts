import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const secret = 'e2e-secret-of-the-endpoint'
const fresh = sharedProduct({ secret })
const candidate = 'e2e-candidate-4711'
const order = JSON.stringify({ type: 'ORDER_PLACED', data: { orderName: 'A-17', total: 42.5 } })
const hmac = (of: string, key = secret) => createHmac('sha256', key).update(of).digest()
const signed = (signature: string) => ({ headers: { 'X-Service-Signature': signature } })

async function openSignature(page: Page): Promise<void> {
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByTestId('conclusion').waitFor()
}

it('shows the matching cause with its fix, here and in the banner', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, signed(hmac(order).toString('base64')))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openSignature(page)
  await page.getByTestId('delivery-row').getByTitle('Invalid: Encoded in base64').waitFor()
  const cause = page.getByTestId('cause')
  expect(await cause.count()).toBe(1)
  const text = await cause.innerText()
  for (const part of [
    'found',
    'base64 instead of hex',
    'encoding.base64',
    'Encode the signature in hex',
  ]) {
    expect(text).toContain(part)
  }
  expect(await page.getByTestId('conclusion').innerText()).toContain('Found: encoded in base64')
  await page.getByTestId('found-cause').getByText('Cause: Encoded in base64').waitFor()
  await page.getByText(/^\d[\d,]* signatures were computed/).waitFor()
  const list = page.getByRole('list', { name: 'Also tried' })
  expect(await list.count()).toBe(0)
  await page.getByText('What was tried and ruled out').click()
  await list.waitFor()
  expect(await list.getByText('ruled out').count()).toBeGreaterThan(3)
  expect(watched.faults).toEqual([])
})

it('reports that no cause matches, and tries a secret that you enter', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, signed(hmac(order, candidate).toString('hex')))
  await using watched = await openPage(product.ui, { colorScheme: 'dark' })
  const { page } = watched
  await openSignature(page)
  expect(await page.getByTestId('conclusion').innerText()).toContain('No known cause matches')
  expect(await page.getByTestId('cause').count()).toBe(0)
  const field = page.getByLabel('Try another secret', { exact: true }).and(page.locator('input'))
  expect(await field.getAttribute('type')).toBe('password')
  const outcome = page.getByTestId('candidate')
  for (const [value, words] of [
    ['another-secret', 'does not produce'],
    [candidate, 'This secret produces the received signature.'],
    [`${candidate}\t`, 'after a change'],
  ] as const) {
    await field.fill(value)
    await page.keyboard.press('Enter')
    await outcome.getByText(words).waitFor()
  }
  expect(await page.locator('body').innerText()).not.toContain(candidate)
  const stored = await page.evaluate(() =>
    [localStorage, sessionStorage].map((each) => JSON.stringify(each)).join(),
  )
  expect(stored).not.toContain(candidate)
  expect(watched.faults).toEqual([])
})

it('lists what frameworks make of a valid body, and explains the digest of a handler', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, signed(hmac(order).toString('hex')))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByText('Valid here, but rejected by your handler?').click()
  const frameworks = page.getByTestId('frameworks')
  await frameworks.getByText('json.dumps(request.json)').waitFor()
  await frameworks.getByText('Show the correct check').first().click()
  const spaced = order.replaceAll(/([:,])(?=["\d{])/g, '$1 ')
  await page
    .getByLabel('Digest of your handler', { exact: true })
    .and(page.locator('input'))
    .fill(hmac(spaced).toString('hex'))
  await page.keyboard.press('Enter')
  await page.getByTestId('computed').getByText('json.dumps of Python').waitFor()
  expect(watched.faults).toEqual([])
})
