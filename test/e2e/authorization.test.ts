import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { goTo, openPage, startProduct } from '../support/product.ts'
import { authorize, openAuthorization, show } from '../support/steps.ts'

const shownRun = (page: Page): number => Number(/\/runs\/(\d+)$/.exec(page.url())?.[1])

it('gets a token from the sandbox with one click, with every step recorded and every secret masked', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
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
  await expect.poll(() => body.innerText()).toMatch(/"grant_type": "authorization_code",\n/)
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
})

it('reports that the user denied, and what to do, and shows each run by keyboard', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
  await goTo(page, 'Authorization', 'Authorize')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Deny' }).click()
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText('access_denied').waitFor()
  await why.getByText('What to do').waitFor()
  await theirs.close()
  const [first, second] = [shownRun(page), shownRun(page) + 1]
  await expect.poll(() => page.getByTestId('run-row').getByText('Denied').count()).toBe(1)

  // The button to fix it is next to the reason.
  await why.getByRole('button', { name: 'Authorize again' }).click()
  const link = page.getByRole('link', { name: 'Open authorization page' })
  const opened = page.context().waitForEvent('page')
  await link.click()
  const again = await opened
  await again.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  await expect.poll(() => page.getByTestId('run-row').count()).toBe(2)

  await page.keyboard.press(']')
  await page.getByRole('article', { name: `Authorization, run ${first}` }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('article', { name: `Authorization, run ${second}` }).waitFor()
})

it.runIf(full)(
  'accepts a pasted address when nothing serves the redirect URL, and explains an invalid one',
  async () => {
    await using product = await startProduct()
    await using page = await openPage(product.ui)
    // The first run makes the sandbox fill in its redirect URLs.
    await authorize(page)
    await show(page, 'Integration')
    await page
      .getByLabel('Used for authorizations')
      .selectOption('https://tabscope.invalid/callback')
    await page.getByText('Paste the redirect address instead').waitFor()
    await show(page, 'Authorize')

    const theirs = await openAuthorization(page)
    const compared = page.getByRole('table', { name: 'Compare with the dashboard' })
    await compared.getByText('https://tabscope.invalid/callback').waitFor()
    await page.getByText(/assumption If the page shows an error/).waitFor()
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
    await field.fill(landed.replace(/state=[^&]+/, 'state=another'))
    await field.press('Enter')
    // As in the record below.
    const ignored = page.getByText(/The redirect URL was opened without the right state/)
    await ignored.and(page.locator('.authorize-waiting *')).first().waitFor()
    await field.fill(landed)
    await field.press('Enter')
    await page.getByText('Token received').waitFor()
    const code = new URL(landed).searchParams.get('code')
    expect(await page.content()).not.toContain(code)
  },
)

it('creates an integration, and validates it while it is edited', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
  await page.getByRole('button', { name: /Integration: Sandbox/ }).click()
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Pier 9 staging')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })

  const preflight = page.getByRole('region', { name: 'Preflight' })
  await preflight.getByText(/problems to fix/).waitFor()
  await expect.poll(() => preflight.locator('li[data-outcome="error"]').count()).toBe(4)

  // Each change is validated before it is stored.
  await page.getByLabel('Base URL').fill('http://service.example')
  await preflight.getByText('http://service.example/api/oauth/token').waitFor()
  await preflight.getByRole('button', { name: 'Use this' }).first().click()
  await preflight.getByText('https://service.example/api/oauth/token').waitFor()
  await expect.poll(() => page.getByLabel('Base URL').inputValue()).toBe('https://service.example')
  await page.getByLabel('Access ID').fill('int_1')
  await page.getByLabel('Access ID').press('Enter')

  await page.getByRole('button', { name: 'Set access secret' }).click()
  await dialog.getByLabel('Access secret').fill('pier-9-access-secret-0123')
  await dialog.getByRole('button', { name: 'Store access secret' }).click()
  await page.getByText('••••••••0123').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain('pier-9-access-secret')
  await page.getByRole('button', { name: 'Reveal access secret' }).click()
  await page.getByText('pier-9-access-secret-0123').waitFor()
  await page.getByRole('button', { name: 'Hide access secret' }).click()

  const urls = page.getByLabel('Redirect URLs')
  await urls.fill('https://pier9.example/back#fragment')
  await preflight
    .getByText(/fragment/)
    .first()
    .waitFor()
  const back = 'https://pier9.example/back'
  await urls.fill(back)
  await urls.blur()
  await preflight.getByText('Ready', { exact: false }).first().waitFor()
  await urls.fill(`${back}\n${back}`)
  await urls.blur()
  await page.getByText('An address is listed twice.').waitFor()
  const callback = 'http://127.0.0.1:4781/callback'
  await urls.fill(`${back}\n${callback}`)
  await urls.blur()
  const used = page.getByLabel('Used for authorizations')
  await used.selectOption(callback)
  await preflight.getByText('Tabscope listens there while a run waits.').waitFor()
  await urls.fill(callback)
  await urls.blur()
  await used.waitFor({ state: 'detached' })

  // Redirects do not work through a tunnel: reported while typing and in the list, with an alternative.
  await urls.fill(`${callback}\nhttps://mine.loca.lt/cb`)
  await preflight.getByText(/^Redirect URLThe public server of localtunnel probably/).waitFor()
  await urls.blur()
  await preflight.getByText(/Listed, but not in use: The public server of localtunnel/).waitFor()
  await used.selectOption('https://mine.loca.lt/cb')
  await preflight.getByText('Ready, 1 warning').waitFor()
  await preflight.getByRole('button', { name: 'Use this' }).click()
  await used.waitFor({ state: 'detached' })
  await expect.poll(() => urls.inputValue()).toBe(callback)

  // It is the current integration now, also after a reload.
  await page.reload()
  await page.getByRole('button', { name: /Integration: Pier 9 staging/ }).waitFor()
  await page.getByRole('button', { name: 'Remove integration' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: /Integration: Sandbox/ }).waitFor()
})

it('names, reveals, refreshes, revokes and deletes a token', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
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
  await expect.poll(() => card.getByText('assumption').count()).toBe(1)
  await card.getByText('2 events in its history').waitFor()
  await card.getByRole('button', { name: 'Reveal access token' }).click()
  expect(await shown.innerText()).not.toBe(first)

  const chip = page.getByTestId('token-chip')
  await expect.poll(() => chip.getAttribute('data-state')).toBe('active')
  await card.getByRole('button', { name: 'Revoke locally' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke locally' }).click()
  await card.getByText('no way to revoke it at the service').waitFor()
  await expect.poll(() => card.getByRole('button', { name: 'Reveal access token' }).count()).toBe(0)
  await expect.poll(() => chip.getAttribute('data-state')).toBe('forgotten')

  await card.getByRole('button', { name: 'Delete Mara, floor manager' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor()
})

it.runIf(full)(
  'shows why a refresh failed, and links to its record; a changed request must be confirmed again',
  async () => {
    await using product = await startProduct()
    await using page = await openPage(product.ui)
    await authorize(page)
    await show(page, 'Refresh')
    const automatic = page.getByLabel('Refresh automatically')
    await expect.poll(() => automatic.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page.getByText('New token received').waitFor()
    await expect.poll(() => automatic.isDisabled()).toBe(false)
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
    await expect.poll(() => body.inputValue()).toContain('{{refresh_token}}')
  },
)
