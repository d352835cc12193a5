import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll, runsOver } from '../../support/axe.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { authorize, openAuthorization, show } from './steps.ts'

afterAll(closeBrowser)

it('has no axe violations, wide and narrow, light and dark', { timeout: 180_000 }, async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  const clean = async (name: string): Promise<void> => {
    expect.soft(await axeFaultsInAll(page, runsOver(page)), name).toEqual([])
  }
  await goTo(page, 'Authorization')
  await page.getByRole('heading', { name: 'Authorize a user' }).waitFor()
  await clean('nothing was run yet')
  await page.getByText('Options for this run').click()
  await clean('options')
  for (const name of ['Tokens', 'Refresh', 'Setup'] as const) {
    await show(page, name)
    await page.locator('.auth-body :is(h2, .preflight)').first().waitFor()
    await clean(`${name}, before a token`)
  }

  await show(page, 'Authorize')
  const theirs = await openAuthorization(page)
  await page.locator('.authorize-waiting summary').click()
  await clean('waiting')
  await theirs.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('region', { name: 'Why it failed' }).waitFor()
  await clean('denied')
  await authorize(page)
  for (const summary of await page.locator('.http > summary').all()) await summary.click()
  await page.getByTestId('run-record').locator('.mask').first().click()
  await page.locator('.mask-open').waitFor()
  await clean('a record, all unfolded')
  await page.getByLabel('Compare with an earlier run').selectOption({ index: 1 })
  await page.getByRole('heading', { name: 'Run 1 compared with run 2' }).waitFor()
  await clean('comparison')

  await show(page, 'Tokens')
  const card = page.getByTestId('token-card')
  await card.waitFor()
  await clean('a token')
  await card.getByRole('button', { name: /edit label/ }).click()
  await clean('a label being written')
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Revoke locally' }).click()
  await page.getByRole('dialog').waitFor()
  await clean('asking')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke locally' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await clean('a token that is gone')
  for (const name of ['Refresh', 'Setup'] as const) {
    await show(page, name)
    await page.locator('.auth-body :is(h2, .preflight)').first().waitFor()
    await clean(`${name}, after a token`)
  }
  await page.getByRole('button', { name: /Integration:/ }).click()
  await page.getByRole('menu').waitFor()
  await clean('switcher')
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  await page.getByRole('dialog').waitFor()
  await clean('new integration')
  expect(watched.faults).toEqual([])
})
