import type { Locator, Page } from 'playwright-core'

/** The rows of the list of deliveries, newest first. */
export const rows = (page: Page): Locator => page.getByTestId('delivery-row')

/** The attempts under the delivery that is open, newest first. */
export const attempts = (page: Page): Locator => page.getByTestId('attempt-row')

/** Sends the delivery that is selected to an address, by the keys. */
export async function sendTo(page: Page, address: string): Promise<void> {
  await page.keyboard.press('Shift+R')
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill(address)
  await field.press('Enter')
}

/** What a toast says, once one says it. */
export async function toast(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.toast').filter({ hasText: text }).waitFor()
}
