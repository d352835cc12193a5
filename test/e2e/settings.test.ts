import { expect, it } from 'vitest'
import { deliver, goTo, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const fresh = sharedProduct()

const body = JSON.stringify({
  type: 'MENU_UPDATED',
  createdAt: '2026-11-21T09:00:00.000Z',
  data: {},
})

it('creates an endpoint, validates it, rotates and reveals its secret, and deletes it', async () => {
  const product = await fresh()
  await using page = await openPage(product.ui)
  await goTo(page, 'Setup', 'Endpoints')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('POS hook')
  await expect.poll(() => dialog.getByLabel('Last part of the URL').inputValue()).toBe('pos-hook')
  await dialog.getByLabel('Last part of the URL').fill('sandbox')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/belongs to the endpoint "Samples"/).waitFor()
  await dialog.getByLabel('Last part of the URL').fill('pos')
  await dialog.getByLabel('Brand').fill('1 brand')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Use letters and digits, starting with a letter.').waitFor()
  await dialog.getByLabel('Brand').fill('Bistropay')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })

  const card = page.getByRole('region', { name: 'POS hook' })
  await card.getByText('Sandbox service, brand Bistropay').waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Brand').fill('Service')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Sandbox service, brand Service').waitFor()
  const url = `${product.listener}/hooks/pos`
  await card.getByText(url).waitFor()

  const setSecret = async (secret: string): Promise<void> => {
    await card.getByRole('button', { name: /(Change|Set) secret/ }).click()
    await dialog.getByRole('radio', { name: /enter/i }).check()
    await dialog.getByLabel('Secret', { exact: true }).fill(secret)
    await dialog.getByRole('button', { name: /(Save|Rotate) secret/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await setSecret('first-secret-0123456789')
  await setSecret('second-secret-0123456789')
  expect(await deliver(url, body, { secret: 'first-secret-0123456789' })).toBe(200)
  expect(await deliver(url, body, { secret: 'second-secret-0123456789' })).toBe(200)
  expect(await page.locator('body').innerText()).not.toContain('second-secret-0123456789')
  await card.getByRole('button', { name: 'Reveal secret' }).first().click()
  await card.getByText('second-secret-0123456789').waitFor()

  // A correction keeps the previous one, and can be undone.
  await card.getByRole('button', { name: 'Change secret' }).click()
  await dialog.getByRole('radio', { name: 'Correct' }).check()
  const field = dialog.getByLabel('Secret', { exact: true })
  await field.fill('third-secret-0123456789 ')
  await dialog.getByText('starts or ends with white space').waitFor()
  await dialog.getByRole('button', { name: 'Show what you entered' }).click()
  await expect.poll(() => field.getAttribute('type')).toBe('text')
  await dialog.getByRole('button', { name: 'Trim' }).click()
  await dialog.getByRole('button', { name: 'Correct secret' }).click()
  await page.getByText('Secret corrected.').waitFor()
  const usable = async (secrets: string[]) => {
    const endpoints = await product.engine.call('app.snapshot', {})
    const { id = 0 } = endpoints.endpoints.find(({ slug }) => url.endsWith(slug)) ?? {}
    const which = ['current', 'previous'] as const
    const revealed = which.map((each) =>
      product.engine.call('endpoints.revealSecret', { id, which: each }),
    )
    expect((await Promise.all(revealed)).map(({ secret }) => secret)).toEqual(secrets)
  }
  await usable(['third-secret-0123456789', 'first-secret-0123456789'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await usable(['second-secret-0123456789', 'first-secret-0123456789'])

  await goTo(page, 'Deliveries', 'Live')
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).waitFor()
  expect(
    await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-verdict'))),
  ).toEqual(['valid', 'valid'])

  await goTo(page, 'Setup', 'Endpoints')
  await expect.poll(() => card.innerText()).toContain('In 10 min\n2\n')
  await card.getByText('Working').waitFor()
  await expect.poll(() => card.getByText('Valid', { exact: true }).count()).toBe(1)
  await deliver(url, body)
  await expect.poll(() => card.innerText()).toContain('In 10 min\n3\n')
  await card.getByText('Signature missing').waitFor()
  await card.getByRole('button', { name: 'Delete POS hook' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  // An open dialog hides everything else from role queries, so the card is queried after it closes.
  await dialog.waitFor({ state: 'detached' })
  await card.waitFor({ state: 'detached' })
  expect(await deliver(url, body)).toBe(404)
})

it('backs up, and clears all deliveries except pinned ones', async () => {
  const product = await fresh()
  await deliver(product.endpoint, body)
  await deliver(product.endpoint, body)
  await using page = await openPage(product.ui)
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('b')
  await page.getByTestId('delivery-row').first().getByText('pinned').waitFor({ state: 'attached' })
  await goTo(page, 'Settings')
  const days = page.getByLabel('Delete after')
  await days.fill('30')
  await days.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await days.fill('1,5')
  await days.press('Enter')
  await page.getByText('Enter a whole number from 1 to 3,650, with digits only.').waitFor()
  expect(await page.getByText('Saved', { exact: true }).count()).toBe(0)
  await days.press('Escape')
  await expect.poll(() => days.inputValue()).toBe('30')
  await page.getByLabel('Body limit').fill('1,5')
  await page.getByLabel('Body limit').press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Body limit').inputValue()).toBe('1.5')
  await page.getByRole('button', { name: 'Back up' }).click()
  await page.getByText(/Saved as .*backups/).waitFor()
  await page.getByRole('button', { name: 'Clear deliveries' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Clear/ }).click()
  await goTo(page, 'Deliveries', 'Live')
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid="delivery-row"]').length === 1,
  )
})
