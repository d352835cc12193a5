import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { sharedSandbox } from './shared-sandbox.ts'
import { authorize, openAuthorization, show } from './steps.ts'

afterAll(closeBrowser)
const fresh = sharedSandbox()

/** The number of the run whose record is shown. */
const shownRun = (page: Page): number => Number(/\/runs\/(\d+)$/.exec(page.url())?.[1])

it('gets a token from the sandbox with one click, with every step recorded and every secret masked', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)

  const record = page.getByTestId('run-record')
  const titles = await record.locator('.step-head b').allTextContents()
  expect(titles.at(0)).toBe('Preflight')
  expect(titles).toContain('State matches')
  expect(titles.at(-1)).toBe('Token stored')
  expect(await record.locator('.step[data-outcome="failed"]').count()).toBe(0)
  await page.getByTestId('token-chip').getByText(/left$/).waitFor()

  // The body of the exchange, formatted, with its two secrets as chips.
  await record.getByText('Sent', { exact: true }).last().click()
  const body = record.getByLabel('Body sent')
  expect(await body.innerText()).toMatch(/"grant_type": "authorization_code",\n/)
  const chip = body.getByRole('button', { name: /Authorization code/ })
  await chip.click()
  const shown = body.locator('.mask-open code')
  await shown.waitFor()
  const code = await shown.innerText()
  expect(code.length).toBeGreaterThan(16)

  // Only one value is visible at a time.
  await body.getByRole('button', { name: /Access secret/ }).click()
  await body.getByRole('button', { name: 'Hide access secret' }).waitFor()
  await chip.waitFor()
  const secret = await body.locator('.mask-open code').innerText()
  expect(await page.locator('body').innerText()).not.toContain(code)
  await body.getByRole('button', { name: 'Hide access secret' }).click()
  await body.locator('.mask-open').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  expect(watched.faults).toEqual([])
})

it('hides a revealed secret when the window is left', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  const record = page.getByTestId('run-record')
  await record
    .getByRole('button', { name: /Authorization code/ })
    .first()
    .click()
  await record.locator('.mask-open').waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await record.locator('.mask-open').waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('reports that the user denied, and what to do; a second run can be compared with the first', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Authorization')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Deny' }).click()
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText('access_denied').waitFor()
  await why.getByText('What to do').waitFor()
  await theirs.close()
  const [first, second] = [shownRun(page), shownRun(page) + 1]
  expect(await page.getByTestId('run-row').getByText('Denied').count()).toBe(1)

  // The button to fix it is next to the reason.
  await why.getByRole('button', { name: 'Authorize again' }).click()
  const link = page.getByRole('link', { name: 'Open authorization page' })
  const opened = page.context().waitForEvent('page')
  await link.click()
  const again = await opened
  await again.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  expect(await page.getByTestId('run-row').count()).toBe(2)

  await page.getByLabel('Compare with an earlier run').selectOption({ index: 1 })
  await page.getByRole('heading', { name: `Run ${first} compared with run ${second}` }).waitFor()
  const differs = page.getByRole('region', { name: 'Differences by line' })
  await differs.getByRole('deletion').getByText('access_denied').first().waitFor()

  // Keys move through the list.
  await page.getByRole('link', { name: `Back to run ${second}` }).click()
  await page.keyboard.press(']')
  await page.getByRole('article', { name: `Authorization, run ${first}` }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('article', { name: `Authorization, run ${second}` }).waitFor()
  expect(watched.faults).toEqual([])
})

it('accepts a pasted address when nothing serves the redirect URL, and explains an invalid one', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  // The first run makes the sandbox fill in its redirect URLs.
  await authorize(page)
  await show(page, 'Setup')
  await page.getByRole('radio', { name: 'https://tabscope.invalid/callback' }).check()
  await page.getByText('Paste the redirect address instead').waitFor()
  await show(page, 'Authorize')

  const theirs = await openAuthorization(page)
  const landing = theirs.waitForRequest(/^https:\/\/tabscope\.invalid\//)
  await theirs.getByRole('button', { name: 'Approve' }).click()
  const landed = (await landing).url()
  const field = page.getByLabel('Paste the redirect address')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText(/Paste the address from/).waitFor()
  await field.fill('not an address')
  await field.press('Enter')
  await page.locator('.paste .field-error').waitFor()
  await field.fill('https://elsewhere.invalid/')
  await field.press('Enter')
  await page
    .locator('.paste .field-error')
    .getByText(/redirect URL/)
    .waitFor()
  await field.fill(landed)
  await field.press('Enter')
  await page.getByText('Token received').waitFor()
  const code = new URL(landed).searchParams.get('code')
  expect(await page.content()).not.toContain(code)
  expect(watched.faults).toEqual([])
})

it('cancels a run, and opens a page with a custom state and label', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Authorization')
  await page.getByText('Options for this run').click()
  await page.getByLabel('Custom state').fill('guess me')
  await page.getByLabel('Token label').fill('Mara ‮ here')
  await page.getByLabel('Show the address only').check()
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const link = page.getByRole('link', { name: 'Open authorization page' })
  const address = await link.getAttribute('href')
  expect(new URL(address ?? '').searchParams.get('state')).toBe('guess me')
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByTestId('run-row').getByText('Cancelled').waitFor()
  await page.getByRole('region', { name: 'Authorize' }).waitFor()

  await page.getByText('Options for this run').click()
  await page.getByLabel('Token label').fill('Mara ‮ here')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  await card.getByText('\\u202e').first().waitFor()
  expect(watched.faults).toEqual([])
})

it('shows the runs of one integration at a time, keeps them over a reload, and deletes them on request', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await authorize(page)
  const first = shownRun(page)
  expect(first).toBeGreaterThan(0)
  await page.getByRole('button', { name: /Integration: Sandbox/ }).click()
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Other')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await show(page, 'Authorize')
  await page.getByRole('heading', { name: 'Not ready yet' }).waitFor()
  expect(await page.getByTestId('run-row').count()).toBe(0)
  await page.getByText('No token').waitFor()

  await page.getByRole('button', { name: /Integration: Other/ }).click()
  await page.getByRole('menuitemradio', { name: /Sandbox/ }).click()
  await page.getByTestId('run-row').waitFor()
  await page.reload()
  await page.getByTestId('run-row').click()
  await page.getByText('Token received').waitFor()

  await page.getByRole('button', { name: 'Clear runs' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('list', { name: 'What happens' }).waitFor()
  expect(await page.getByTestId('run-row').count()).toBe(0)
  expect(await page.getByTestId('token-chip').getAttribute('data-state')).toBe('active')
  await page.evaluate((run) => location.assign(`#/authorization/runs/${run}`), first)
  await page.getByRole('heading', { name: 'Run not found' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('stores the token of a rejected response only after confirmation', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  await page.locator('summary', { hasText: 'Faults' }).click()
  await page.getByRole('switch', { name: /“tokenType” is “MAC”/ }).click()
  await goTo(page, 'Authorization')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Approve' }).click()
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText('token_not_bearer').waitFor()
  await page.getByRole('link', { name: 'No token' }).waitFor()
  await why.getByRole('button', { name: 'Keep the token anyway' }).click()
  await page.getByRole('heading', { name: /Token \d+/ }).waitFor()
  expect(await product.engine.call('tokens.list', {})).toHaveLength(1)
  expect(watched.faults).toEqual([])
})
