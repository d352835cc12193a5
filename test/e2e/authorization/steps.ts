import type { Page } from 'playwright-core'
import { goTo } from '../../support/product.ts'

/** Presses "Authorize" and opens the authorization page in a separate page, as a user would. */
export async function openAuthorization(page: Page): Promise<Page> {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const link = page.getByRole('link', { name: 'Open authorization page' })
  const opened = page.context().waitForEvent('page')
  await link.click()
  const theirs = await opened
  await theirs.getByRole('button', { name: 'Approve' }).waitFor()
  return theirs
}

/** A complete run with the sandbox: the first user approves. Ends on the record. */
export async function authorize(page: Page): Promise<void> {
  await goTo(page, 'Authorization')
  const theirs = await openAuthorization(page)
  await theirs.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Token received').waitFor()
  await theirs.close()
}

/** One of the views of the page. */
export async function show(page: Page, name: 'Authorize' | 'Tokens' | 'Refresh' | 'Setup') {
  await page.getByRole('navigation', { name: 'Authorization' }).getByRole('link', { name }).click()
}
