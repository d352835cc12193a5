import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

const secret = 'raw-body-secret-0123456789'

async function openChecks(page: Page): Promise<void> {
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.getByText('Valid here, but rejected by your handler?').click()
  await page.getByLabel('Framework').waitFor()
}

it('shows the raw-body check for each framework when our signature is valid', async () => {
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}', { secret })
  await using watched = await openPage(product.ui, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = watched
  await openChecks(page)
  await page.getByText('Parsing and re-serializing the body').waitFor()
  const framework = page.getByLabel('Framework')
  expect(await framework.getByRole('option').allInnerTexts()).toEqual(
    rawBodyChecks.map(({ label }) => label),
  )
  for (const check of rawBodyChecks) {
    const { label, fileName } = check
    await framework.selectOption(label)
    const shown = page.getByRole('region', { name: `Check for ${label}` })
    expect(await shown.innerText()).toBe(check.code('Service').trimEnd())
    await page.getByRole('button', { name: `Copy ${fileName}` }).waitFor()
  }
  await framework.selectOption('Go (net/http)')
  await page.getByRole('button', { name: 'Copy main.go' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('hmac.Equal')

  await page.reload()
  await openChecks(page)
  expect(await framework.inputValue()).toBe('go')
  expect(await page.locator('body').innerText()).not.toContain(secret)
  expect(watched.faults).toEqual([])
})
