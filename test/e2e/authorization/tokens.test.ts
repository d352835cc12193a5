import { afterAll, expect, it } from 'vitest'
import { closeBrowser, goTo, openPage } from '../../support/product.ts'
import { sharedSandbox } from './shared-sandbox.ts'
import { authorize, show } from './steps.ts'

afterAll(closeBrowser)
const fresh = sharedSandbox()

it('names, reveals, refreshes, revokes and deletes a token', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  await card.getByText(/left, due at \d\d:\d\d/).waitFor()

  await card.getByRole('button', { name: /edit label/ }).click()
  const label = card.getByLabel('Token label')
  await label.fill('Mara, floor manager')
  await label.press('Enter')
  await card.getByRole('heading', { name: /Mara, floor manager/ }).waitFor()

  await card.getByRole('button', { name: 'Reveal access token' }).click()
  const shown = card.locator('.secret-shown')
  const first = await shown.innerText()
  await card.getByRole('button', { name: 'Hide access token' }).click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(first)

  // A request that the API documentation does not show is labelled as an assumption, before and after it is tested.
  await card.getByText('has not been tested yet').waitFor()
  await card.getByRole('button', { name: 'Refresh', exact: true }).click()
  await card.getByText('This request works').waitFor()
  expect(await card.getByText('assumption').count()).toBe(1)
  await card.getByText('2 events in its history').waitFor()
  await card.getByRole('button', { name: 'Reveal access token' }).click()
  expect(await shown.innerText()).not.toBe(first)

  const chip = page.getByTestId('token-chip')
  expect(await chip.getAttribute('data-state')).toBe('active')
  await card.getByRole('button', { name: 'Revoke locally' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke locally' }).click()
  await card.getByText('no way to revoke it at the service').waitFor()
  expect(await card.getByRole('button', { name: 'Reveal access token' }).count()).toBe(0)
  expect(await chip.getAttribute('data-state')).toBe('forgotten')

  await card.getByRole('button', { name: 'Delete Mara, floor manager' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('shows why a refresh failed, and links to its record; a changed request must be confirmed again', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await show(page, 'Refresh')
  const automatic = page.getByLabel('Refresh automatically')
  expect(await automatic.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByText('New token received').waitFor()
  expect(await automatic.isDisabled()).toBe(false)
  await automatic.uncheck()

  const body = page.getByLabel('Body, JSON')
  await body.fill('{"grant_type": }')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/This is not JSON/).waitFor()
  await body.fill('{"grant_type":"refresh"}')
  await page.getByText(/does not contain the refresh token/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not tested', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByRole('link', { name: 'Show the run' }).click()
  await page.getByRole('region', { name: 'Why it failed' }).waitFor()
  await page.getByRole('article', { name: /^Refresh, run/ }).waitFor()

  await show(page, 'Refresh')
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Reset to default', disabled: true }).waitFor()
  expect(await body.inputValue()).toContain('{{refresh_token}}')
  expect(watched.faults).toEqual([])
})

it('copies a token without showing it', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = watched
  await authorize(page)
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card').first()
  const ending = (await card.locator('.token-ending').innerText()).slice(1)
  await card.getByRole('button', { name: 'Copy access token without revealing it' }).click()
  await page.getByText('Access token copied.').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.slice(-4)).toBe(ending)
  expect(copied.length).toBeGreaterThan(12)
  expect(await page.content()).not.toContain(copied)
  await card.getByRole('button', { name: 'Reveal access token' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('authorizes again to replace a token', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  const before = await card.locator('.token-ending').innerText()
  await card.getByRole('button', { name: 'Authorize again' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open authorization page' }).click()
  const theirs = await opened
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  await page.getByRole('link', { name: 'Show the token' }).click()
  await card.getByText('Replaced').waitFor()
  expect(await card.count()).toBe(1)
  expect(await card.locator('.token-ending').innerText()).not.toBe(before)
  await goTo(page, 'Deliveries')
  await page.getByTestId('token-chip').click()
  await card.waitFor()
  expect(watched.faults).toEqual([])
})

it('explains a 401 before expiry with the section of the API documentation', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: 'Revoke all tokens' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await goTo(page, 'Authorization')
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  expect(await card.getAttribute('data-state')).toBe('active')
  await card.getByRole('link', { name: 'Use in a request' }).click()
  await page.getByLabel('Path').fill('/api/sandbox/locations')
  await page.getByLabel('Path').press('Control+Enter')
  await page
    .getByText(/responded with 401/)
    .first()
    .waitFor()

  const chip = page.getByTestId('token-chip')
  await chip.getByText('May be revoked').waitFor()
  await page.getByLabel('Path').press('Control+Enter')
  await chip.getByText('Revoked', { exact: true }).waitFor()
  await chip.click()
  await card.getByText('Two calls got 401 before expiry').waitFor()
  await card.getByText('“Authentication 5”').waitFor()
  await card.getByText('Got 401', { exact: true }).first().waitFor()
  expect(watched.faults).toEqual([])
})
