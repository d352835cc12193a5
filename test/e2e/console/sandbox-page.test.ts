import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { authorize } from '../authorization/steps.ts'

afterAll(closeBrowser)

const Locations = z.array(z.string()).min(1)

it('starts, shows, configures and stops the sandbox service', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  const card = page.getByRole('region', { name: 'Simulated service' })
  const state = card.getByRole('status', { name: 'Service state' })
  expect(await state.innerText()).toBe('Stopped')
  await card.getByRole('button', { name: 'Start' }).click()
  await state.getByText('Running').waitFor()
  const baseUrl = await card.locator('code').first().innerText()
  expect(new URL(baseUrl).hostname).toBe('127.0.0.1')

  // Two users with different locations.
  const seen = await card
    .locator('dl dd')
    .evaluateAll((all) => all.map((one) => [...one.children].map((tag) => tag.textContent ?? '')))
  expect(seen.length).toBe(2)
  expect(Locations.parse(seen[0])).not.toEqual(Locations.parse(seen[1]))

  const [dashboard] = await Promise.all([
    page.context().waitForEvent('page'),
    card.getByRole('link', { name: 'Dashboard' }).click(),
  ])
  await dashboard.waitForLoadState()
  expect(dashboard.url().startsWith(baseUrl)).toBe(true)
  expect(await dashboard.evaluate(() => opener === null)).toBe(true)
  await dashboard.close()

  const lifetime = card.getByLabel('Token lifetime')
  await lifetime.fill('0')
  await card.getByText('Enter a number from 1 to 864,000.').waitFor()
  await lifetime.fill('90')
  await lifetime.press('Enter')
  await card.getByText(/The API documentation says 24 hours/).waitFor()
  await card.getByRole('button', { name: '24 h' }).click()
  await card.getByText('24 hours, as in the API documentation.').waitFor()
  expect(await lifetime.inputValue()).toBe('86400')

  await card.getByText('Faults').click()
  await card.getByRole('switch', { name: /server_error/ }).press(' ')
  await card.getByText('1 active', { exact: true }).waitFor()
  const answer = await fetch(`${baseUrl}/api/oauth/token`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(500)
  await card.getByRole('button', { name: 'Turn off all' }).click()
  await card.getByText('none active').waitFor()

  await card.getByRole('button', { name: 'Stop' }).click()
  await state.getByText('Stopped').waitFor()
  await goTo(page, 'API console')
  await page.getByText('The sandbox service is not running').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The sandbox service is not running').waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('lets its tokens expire and be revoked, and the console explains each', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('0 active tokens').waitFor()
  await authorize(page)
  await goTo(page, 'API console')
  await page.getByRole('button', { name: 'GET /api/sandbox/locations' }).click()
  const path = page.getByLabel('Path or full address')
  await path.press('Enter')
  await page.getByRole('tree').getByText('"Pier 9"').waitFor()

  await goTo(page, 'Sandbox')
  await page.getByText('1 active token', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Expire all tokens' }).click()
  await page.getByText(/All tokens expired/).waitFor()
  await goTo(page, 'API console')
  await path.press('Enter')
  await page.getByRole('heading', { name: '401 Unauthorized' }).waitFor()
  await page.getByText(/API documentation, “/).waitFor()

  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor({ state: 'detached' })
  await authorize(page)
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: 'Revoke all tokens' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' }).click()
  await page.getByText('0 active tokens').waitFor()
  await goTo(page, 'API console')
  await page.getByLabel('Token', { exact: true }).selectOption({ index: 0 })
  await path.press('Enter')
  await page.getByRole('link', { name: 'Authorize again' }).waitFor()
  await page.getByText('“Authentication 5”').waitFor()
  expect(watched.faults).toEqual([])
})
