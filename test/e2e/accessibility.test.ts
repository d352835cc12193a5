import { afterAll, expect, it } from 'vitest'
import { axeFaultsInBoth } from '../support/axe.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const

for (const viewport of sizes) {
  it(`has no fault that axe knows, ${viewport.width} wide`, async () => {
    await using product = await startProduct('--secret', 'axe-secret-0123456789')
    await using watched = await openPage(product.ui, { viewport, colorScheme: 'light' })
    const { page } = watched
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    expect(await axeFaultsInBoth(page), 'empty list').toEqual([])

    await page.getByRole('button', { name: 'Send samples' }).click()
    await deliver(product.endpoint, 'not json', { secret: 'another' })
    await deliver(`${product.listener}/nowhere`, '{}', {
      headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
    })
    await page.getByTestId('delivery-row').nth(14).waitFor()
    expect(await axeFaultsInBoth(page), 'list').toEqual([])

    for (const index of [0, 4]) {
      await page.getByTestId('delivery-row').nth(index).click()
      for (const name of ['Overview', 'Headers', 'Body', 'Signature']) {
        await page.getByRole('tab', { name }).click()
        await page.getByRole('tabpanel').waitFor()
        expect(await axeFaultsInBoth(page), `${name} of row ${index}`).toEqual([])
      }
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    expect(await axeFaultsInBoth(page), 'keys').toEqual([])
    await page.keyboard.press('Escape')

    for (const name of ['Endpoints', 'Sandbox', 'Settings'] as const) {
      await goTo(page, name)
      await page.getByRole('heading', { name, exact: true }).first().waitFor()
      expect(await axeFaultsInBoth(page), name).toEqual([])
    }
    await goTo(page, 'Endpoints')
    await page.getByRole('button', { name: 'New endpoint' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await axeFaultsInBoth(page), 'new endpoint').toEqual([])
  })
}
