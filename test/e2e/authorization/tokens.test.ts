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

  await card.getByRole('button', { name: /change the label/ }).click()
  const label = card.getByLabel('Label of the token')
  await label.fill('Mara, floor manager')
  await label.press('Enter')
  await card.getByRole('heading', { name: /Mara, floor manager/ }).waitFor()

  await card.getByRole('button', { name: 'Reveal access token' }).click()
  const shown = card.locator('.secret-shown')
  const first = await shown.innerText()
  await card.getByRole('button', { name: 'Hide access token' }).click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(first)

  // What the document does not show is said to be an assumption, until and after it is proven.
  await card.getByText('not proven yet').waitFor()
  await card.getByRole('button', { name: 'Refresh', exact: true }).click()
  await card.getByText('It has brought a token here').waitFor()
  expect(await card.getByText('assumption').count()).toBe(1)
  await card.getByText('2 events in its life').waitFor()
  await card.getByRole('button', { name: 'Reveal access token' }).click()
  expect(await shown.innerText()).not.toBe(first)

  const chip = page.getByTestId('token-chip')
  expect(await chip.getAttribute('data-state')).toBe('active')
  await card.getByRole('button', { name: 'Revoke here' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke here' }).click()
  await card.getByText('no way to revoke it at the service').waitFor()
  expect(await card.getByRole('button', { name: 'Reveal access token' }).count()).toBe(0)
  expect(await chip.getAttribute('data-state')).toBe('forgotten')

  await card.getByRole('button', { name: 'Delete Mara, floor manager' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No token yet' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('says why a refresh failed, and leads to its record; a changed request is to be proven again', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await show(page, 'Refresh')
  const automatic = page.getByLabel('Refresh by itself')
  expect(await automatic.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByText('It brought a new token').waitFor()
  expect(await automatic.isDisabled()).toBe(false)
  await automatic.uncheck()

  const body = page.getByLabel('Body, JSON')
  await body.fill('{"grant_type": }')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/This is not JSON/).waitFor()
  await body.fill('{"grant_type":"refresh"}')
  await page.getByText(/stands nowhere in this request/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not proven', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByRole('link', { name: 'Show the record' }).click()
  await page.getByRole('region', { name: 'Why it failed' }).waitFor()
  await page.getByRole('article', { name: /^Refresh, run/ }).waitFor()

  await show(page, 'Refresh')
  await page.getByRole('button', { name: 'Back to the default' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Back to the default', disabled: true }).waitFor()
  expect(await body.inputValue()).toContain('{{refresh_token}}')
  expect(watched.faults).toEqual([])
})

it('authorizes again in the place of a token', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  const before = await card.locator('.token-ending').innerText()
  await card.getByRole('button', { name: 'Authorize again' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the authorization page' }).click()
  const theirs = await opened
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('A token came.').waitFor()
  await page.getByRole('link', { name: 'Show the token' }).click()
  await card.getByText('Replaced').waitFor()
  expect(await card.count()).toBe(1)
  expect(await card.locator('.token-ending').innerText()).not.toBe(before)
  await goTo(page, 'Deliveries')
  await page.getByTestId('token-chip').click()
  await card.waitFor()
  expect(watched.faults).toEqual([])
})

it('says what a 401 before the end means, where the document says so, once a call met it', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: 'Revoke all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await goTo(page, 'Authorization')
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  expect(await card.getAttribute('data-state')).toBe('active')
  await card.getByRole('link', { name: 'Call with it' }).click()
  await page.getByLabel('Path').fill('/api/sandbox/locations')
  await page.getByLabel('Path').press('Control+Enter')
  await page
    .getByText(/answered 401/)
    .first()
    .waitFor()

  const chip = page.getByTestId('token-chip')
  await chip.getByText('May be revoked').waitFor()
  await page.getByLabel('Path').press('Control+Enter')
  await chip.getByText('Revoked', { exact: true }).waitFor()
  await chip.click()
  await card.getByText('Two calls met 401 before its end').waitFor()
  await card.getByText('“Authentication 5”').waitFor()
  await card.getByText('Met 401', { exact: true }).first().waitFor()
  expect(watched.faults).toEqual([])
})
