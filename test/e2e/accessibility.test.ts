import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../support/axe.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

/** One product and one page, because reaching a state takes much longer than checking it. */
it('has no axe violations, wide and narrow, light and dark', async () => {
  await using product = await startProduct({ secret: 'axe-secret-0123456789' })
  await using watched = await openPage(product.ui)
  const { page } = watched
  const clean = async (what: string): Promise<void> => {
    expect.soft(await axeFaultsInAll(page), what).toEqual([])
  }
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await clean('empty list')

  await page.getByRole('button', { name: 'Send samples' }).click()
  await deliver(product.endpoint, 'not json', { secret: 'another' })
  await deliver(`${product.listener}/nowhere`, '{}', {
    headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
  })
  await page.getByTestId('delivery-row').nth(14).waitFor()
  await clean('list')
  await walkTabs(page, clean)

  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await clean('keys')
  await page.keyboard.press('Escape')

  for (const name of ['Endpoints', 'Sandbox', 'Settings'] as const) {
    await goTo(page, name)
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
    await clean(name)
  }
  await goTo(page, 'Endpoints')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  await page.getByRole('dialog').waitFor()
  await clean('new endpoint')
  expect(watched.faults).toEqual([])
})

async function walkTabs(page: Page, clean: (what: string) => Promise<void>): Promise<void> {
  for (const index of [0, 4]) {
    await page.getByTestId('delivery-row').nth(index).click()
    for (const name of ['Overview', 'Headers', 'Body', 'Signature']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').waitFor()
      await clean(`${name} of row ${index}`)
    }
    await page.keyboard.press('Escape')
  }
}
