import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { deliver, openPage } from '../support/product.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { sharedProduct } from '../support/shared-product.ts'

const secret = 'e2e-secret-of-the-endpoint'
const fresh = sharedProduct({ secret })
const candidate = 'e2e-candidate-4711'
const order = JSON.stringify({ type: 'ORDER_PLACED', data: { orderName: 'A-17', total: 42.5 } })
const hmac = (of: string, key = secret) => createHmac('sha256', key).update(of).digest()
const signed = (signature: string) => ({ headers: { 'X-Service-Signature': signature } })

async function openSignature(page: Page): Promise<void> {
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByText('Step by step').waitFor()
}

it('shows the likely cause with its fix at once, and the evidence on its own tab', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, signed(hmac(order).toString('base64')))
  await using page = await openPage(product.ui)
  await page.getByTestId('delivery-row').first().click()
  const ends = page.getByTestId('both-ends')
  await ends.getByText('Signature invalid').waitFor()
  await ends.getByText('not forwarded').waitFor()
  await ends.getByText('Encode the signature in hex').waitFor()
  await page
    .getByTestId('delivery-row')
    .getByTitle('Signature is invalid: Encoded in base64 instead of hex')
    .waitFor()
  await ends.getByRole('button', { name: 'Evidence' }).click()
  const cause = page.getByTestId('cause')
  await cause.getByText('encoding.base64').waitFor()
  await cause.getByText('encoded in base64').waitFor()
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  for (const fact of ['Encoded in base64 instead of hex', 'Encode the signature in hex']) {
    expect((await detail.innerText()).split(fact), fact).toHaveLength(2)
  }
  await page.getByText(/^\d[\d,]* signatures were computed/).waitFor()
  const list = page.getByRole('list', { name: 'Also tried' })
  expect(await list.count()).toBe(0)
  await page.getByText('What was tried and ruled out').click()
  await list.waitFor()
  await expect.poll(() => list.getByText('ruled out').count()).toBeGreaterThan(3)
})

it('sets the values of the evidence as code, and compares nothing where no signature came', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order)
  const sorted = '{"data":{"orderName":"A-17","total":42.5},"type":"ORDER_PLACED"}'
  await deliver(product.endpoint, order, signed(hmac(sorted).toString('hex')))
  await using page = await openPage(product.ui)
  await openSignature(page)
  const cause = page.getByTestId('cause')
  await cause.locator('code').getByText('"data"', { exact: true }).waitFor()
  expect(await cause.innerText()).not.toContain('`')
  const signatures = page.getByRole('region', { name: 'Signatures' })
  await signatures.getByText('does not match').waitFor()
  await page.getByTestId('delivery-row').nth(1).click()
  await signatures.getByText('Header not received.').waitFor()
  expect(await signatures.innerText()).not.toContain('match')
})

it.runIf(full)('reports that no cause matches, and tries a secret that you enter', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, signed(hmac(order, candidate).toString('hex')))
  await using page = await openPage(product.ui, { colorScheme: 'dark' })
  await openSignature(page)
  await expect
    .poll(() => page.getByTestId('conclusion').innerText())
    .toContain('No known cause matches')
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
})

it.runIf(full)('uses the corrected secret or brand with one click, and undoes both', async () => {
  const product = await fresh()
  await deliver(product.endpoint, order, {
    headers: { 'X-Bistropay-Signature': hmac(order).toString('hex') },
  })
  await deliver(product.endpoint, order, signed(hmac(order, `${secret}\n`).toString('hex')))
  await using page = await openPage(product.ui)
  const ends = page.getByTestId('both-ends')
  for (const [at, before, button] of [
    [0, 'Signature invalid', 'Use the corrected secret'],
    [1, 'Signature missing', 'Use Bistropay'],
  ] as const) {
    await page.getByTestId('delivery-row').nth(at).click()
    await ends.getByText(before).waitFor()
    await ends.getByRole('button', { name: button }).click()
    await page.getByText('1 delivery is now valid.').waitFor()
    await ends.getByText('Signature valid').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await ends.getByText(before).waitFor()
  }
})

it('says at once that the handler rejected a valid delivery, and shows the correct check', async () => {
  let [status, said] = [401, '']
  await using handler = await loopbackService(
    (_, response) => void response.writeHead(status).end(said),
  )
  const product = await fresh()
  const number = '{"type":"ORDER_PLACED","data":{"orderName":"A-17","total":12.50}}'
  await deliver(product.endpoint, number, signed(hmac(number).toString('hex')))
  await using page = await openPage(product.ui)
  await page.getByTestId('delivery-row').first().click()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  const { host } = new URL(handler.baseUrl)
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${host}/hooks`)
  await dialog.getByRole('button', { name: `Send to ${host}` }).click()
  const ends = page.getByTestId('both-ends')
  await ends.getByText(`Your handler, ${host}`).waitFor()
  await ends.getByRole('button', { name: /^401 Unauthorized in/ }).waitFor()
  await ends.getByText('Signature valid').waitFor()
  await ends.getByText('serializes the JSON again').waitFor()
  await ends.getByRole('button', { name: 'Show the correct check' }).click()
  const frameworks = page.getByTestId('frameworks')
  await frameworks.getByText('data.total: 12.5', { exact: true }).first().waitFor()
  await frameworks.getByText('timingSafeEqual').first().waitFor()
  // What a response says comes before what is likely.
  ;[status, said] = [403, '<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>']
  await page.keyboard.press('r')
  await ends.getByText('Refused by Django’s CSRF check.').waitFor()
  await ends.getByText('Exempt the view').waitFor()
  await ends.getByRole('button', { name: 'Evidence' }).click()
  const evidence = page.getByTestId('cause').first()
  await evidence.getByText('“Forbidden CSRF verification failed. Request aborted.”').waitFor()
  expect(await frameworks.count()).toBe(0)
})
