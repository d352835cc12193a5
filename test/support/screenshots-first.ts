import type { Page } from 'playwright-core'

/** The guided start in progress, reset afterwards; the palette with results. */
export async function shootGuide(
  page: Page,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await page.getByRole('button', { name: 'Try it with the sandbox' }).click()
  const guide = page.getByRole('region', { name: 'Guide', exact: true })
  await guide.getByRole('button', { name: 'Start the sandbox' }).click()
  await guide.locator('[data-testid="guide-state"][data-kind="done"]').waitFor()
  await shoot('guide')
  const service = page.getByRole('region', { name: 'Simulated service' })
  await service.getByRole('button', { name: 'Stop' }).click()
  await guide.getByRole('button', { name: 'Skip the guide' }).click()
  await guide.waitFor({ state: 'detached' })
}

export async function shootPalette(
  page: Page,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.fill('order')
  await page.getByRole('dialog').getByRole('option').nth(3).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('status')
    .getByText('results')
    .waitFor({ state: 'attached' })
  await shoot('palette')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
