import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../support/product.ts'
import { interfaceClient } from '../support/interface-client.ts'
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
  await page.getByText(/^Also tried: \d+ other causes/).click()
  await list.waitFor()
  expect(await list.getByText('ruled out').count()).toBeGreaterThan(40)
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('links to the endpoints when the fix is in Tabscope', async () => {
  await using product = await startProduct({ secret: `${secret} ` })
  await deliver(product.endpoint, order, signed(hmac(order).toString('hex')))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openSignature(page)
  expect(await page.getByTestId('cause').innerText()).toContain('White space around the secret')
  await page.getByRole('link', { name: 'Open endpoints' }).click()
  await page.getByRole('heading', { name: 'Endpoints', exact: true }).first().waitFor()
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
    [`${candidate}!`, 'does not produce'],
    [candidate, 'This secret produces the received signature.'],
    [`${candidate}\t`, 'after a change'],
  ] as const) {
    await field.fill(value)
    await page.keyboard.press('Enter')
    await outcome.getByText(words).waitFor()
    expect(await axeFaults(page)).toEqual([])
  }
  expect(await page.locator('body').innerText()).not.toContain(candidate)
  const stored = await page.evaluate(() =>
    [localStorage, sessionStorage].map((each) => JSON.stringify(each)).join(),
  )
  expect(stored).not.toContain(candidate)
  expect(watched.faults).toEqual([])
})

it('is collapsed for a valid delivery, and then shows the check for a handler', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  const folded = page.getByText('Valid here, but rejected by your handler?')
  await folded.waitFor()
  expect(await page.getByTestId('conclusion').count()).toBe(0)
  await folded.click()
  await page.getByText('The signature is valid').waitFor()
  await page.getByRole('heading', { name: 'Signature check for your handler' }).waitFor()
  expect(await page.getByLabel('Try another secret').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('reports a missing header and a missing secret', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  await deliver(`${product.listener}/nowhere`, order)
  await using watched = await openPage(product.ui, { viewport: { width: 1024, height: 700 } })
  const { page } = watched
  await openSignature(page)
  expect(await page.getByTestId('conclusion').innerText()).toContain('belongs to no endpoint')
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByTestId('delivery-row').nth(1).click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page
    .getByTestId('conclusion')
    .getByText('the signature header is missing')
    .first()
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('shows progress on a body of 20 MiB, and finishes', async () => {
  const product = await fresh()
  const item = { name: 'Café', price: 1.5, text: 'x'.repeat(150) }
  const body = JSON.stringify({ data: { items: Array.from({ length: 100_000 }, () => item) } })
  await deliver(product.endpoint, body, signed('f'.repeat(64)))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page
    .getByRole('status')
    .getByText(/Trying each cause .* takes a few seconds/)
    .waitFor()
  await page.getByTestId('conclusion').waitFor({ timeout: 30_000 })
  await page.getByText('The body is too large to try everything.').first().waitFor()
  expect(watched.faults).toEqual([])
})

it('treats the content of a request as data', async () => {
  const product = await fresh()
  const evil = '<img src=x onerror=globalThis.hacked=1>'
  await deliver(product.endpoint, order, {
    headers: { 'X-Service-Signature': evil, 'X-Hmac-Evil': hmac(order).toString('hex') },
  })
  await using watched = await openPage(product.ui)
  await openSignature(watched.page)
  expect(await watched.page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined()
  expect(await watched.page.getByTestId('cause').first().innerText()).toContain('another header')
  expect(watched.faults).toEqual([])
})

it('shows one conclusion after the secret is fixed, and checks again on request', async () => {
  await using product = await startProduct({ secret: 'a wrong secret' })
  await deliver(product.endpoint, order, signed(hmac(order).toString('hex')))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  const banner = page.getByTestId('verdict-banner')
  await banner.getByText('The signature does not match the body.').waitFor()
  await using client = await interfaceClient(product.ui)
  await client.hello()
  const rotated = await client.call('endpoints.rotateSecret', {
    id: 1,
    secret,
    keepPrevious: false,
  })
  expect(rotated.ok).toBe(true)
  const conclusion = 'Invalid when it arrived, valid with the current secret.'
  await banner.getByText(conclusion).waitFor()
  expect(await banner.innerText()).not.toContain('dashboard')
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByRole('tabpanel', { name: 'Signature' }).getByText(conclusion).waitFor()
  const row = page.getByTestId('delivery-row').first()
  expect(await row.getAttribute('data-verdict')).toBe('invalid')
  await banner.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('1 delivery checked again: 1 valid. 1 changed.').waitFor()
  await page.locator('[data-testid="delivery-row"][data-verdict="valid"]').waitFor()
  expect(await row.innerText()).toContain('invalid when it arrived')
  await banner.getByText(conclusion).waitFor()
  await banner.getByRole('button', { name: 'Check again' }).waitFor({ state: 'detached' })
  expect(await axeFaults(page)).toEqual([])
  await page
    .getByRole('combobox', { name: 'Filter' })
    .fill('verdict:valid verdict-at-arrival:invalid')
  await row.waitFor()
  expect(watched.faults).toEqual([])
})

it('labels a signed delivery to an unknown path as not checked', async () => {
  const product = await fresh()
  const unknown = new URL('/hooks/nobody', product.endpoint).href
  const sent = await deliver(unknown, order, signed(hmac(order).toString('hex')))
  expect(sent).toBe(404)
  await using watched = await openPage(product.ui)
  const { page } = watched
  const row = page.getByTestId('delivery-row').first()
  await row.click()
  expect(await row.innerText()).toContain('Not checked')
  await page
    .getByTestId('verdict-banner')
    .getByText('No endpoint has this path, so the signature was not checked.')
    .waitFor()
  await page.getByRole('button', { name: 'Not checked' }).click()
  await row.waitFor()
  await page.getByRole('button', { name: 'Unsigned' }).click()
  expect(watched.faults).toEqual([])
})
