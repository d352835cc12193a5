import type { Locator, Page } from 'playwright-core'

/** The rows of the list of deliveries, newest first. */
export const rows = (page: Page): Locator => page.getByTestId('delivery-row')

/** The attempts of the open delivery, newest first. */
export const attempts = (page: Page): Locator => page.getByTestId('attempt-row')

/** Sends the selected delivery to an address with the keyboard. */
export async function sendTo(page: Page, address: string): Promise<void> {
  await page.keyboard.press('Shift+R')
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill(address)
  await field.press('Enter')
}

/** Waits for a toast with this text. */
export async function toast(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.toast').filter({ hasText: text }).waitFor()
}
