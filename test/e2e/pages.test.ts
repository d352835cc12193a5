import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { show } from './authorization/steps.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { until } from '../support/until.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

const body = JSON.stringify({
  type: 'MENU_UPDATED',
  createdAt: '2026-11-21T09:00:00.000Z',
  data: {},
})

it('creates an endpoint, validates it, rotates and reveals its secret, and deletes it', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Endpoints')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('POS hook')
  expect(await dialog.getByLabel('Slug').inputValue()).toBe('pos-hook')
  await dialog.getByLabel('Slug').fill('sandbox')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/belongs to the endpoint "Sandbox"/).waitFor()
  await dialog.getByLabel('Slug').fill('pos')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })

  const card = page.getByRole('region', { name: 'POS hook' })
  const url = `${product.listener}/hooks/pos`
  await card.getByText(url).waitFor()

  const setSecret = async (secret: string): Promise<void> => {
    await card.getByRole('button', { name: /(Rotate|Set) secret/ }).click()
    await dialog.getByRole('radio', { name: /enter/i }).check()
    await dialog.getByLabel('Secret', { exact: true }).fill(secret)
    await dialog.getByRole('button', { name: 'Save secret' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await setSecret('first-secret-0123456789')
  await setSecret('second-secret-0123456789')
  expect(await deliver(url, body, { secret: 'first-secret-0123456789' })).toBe(200)
  expect(await deliver(url, body, { secret: 'second-secret-0123456789' })).toBe(200)
  expect(await page.locator('body').innerText()).not.toContain('second-secret-0123456789')
  await card.getByRole('button', { name: 'Reveal secret' }).first().click()
  await card.getByText('second-secret-0123456789').waitFor()

  await goTo(page, 'Deliveries')
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).waitFor()
  expect(
    await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-verdict'))),
  ).toEqual(['valid', 'valid'])

  await goTo(page, 'Endpoints')
  await card.getByRole('button', { name: 'Delete POS hook' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  // An open dialog hides everything else from role queries, so the card is queried after it closes.
  await dialog.waitFor({ state: 'detached' })
  await card.waitFor({ state: 'detached' })
  expect(await deliver(url, body)).toBe(404)
  expect(watched.faults).toEqual([])
})

it('sends one sample with one click, and runs an evening at a rate', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  await page.getByRole('button', { name: /ORDER_PLACED/ }).click()
  await page.getByLabel('Deliveries per second').fill('50')
  await page.getByRole('button', { name: 'Start simulated traffic' }).click()
  await page.getByRole('button', { name: /Stop/ }).click()
  await goTo(page, 'Deliveries')
  const rows = page.getByTestId('delivery-row')
  await rows.filter({ hasText: 'ORDER_PLACED' }).first().waitFor()
  expect(await rows.last().getAttribute('data-verdict')).toBe('valid')
  expect(watched.faults).toEqual([])
})

it('announces that the sandbox creates a secret, and confirms it', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  const note = page.getByText('The first delivery that you send from here creates one')
  await note.waitFor()
  await page.getByRole('button', { name: /^Send .* OPEN_TAB$/ }).click()
  await page.getByText('A random one was created, so deliveries are signed.').waitFor()
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show the secret' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).waitFor()
  await page.getByRole('button', { name: 'Clear secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear secret' }).click()
  await goTo(page, 'Sandbox')
  await page.getByText('The secret of this endpoint was cleared').waitFor()
  expect(watched.faults).toEqual([])
})

it('changes the theme and the brand, and keeps them', async () => {
  const product = await fresh()
  const before = await product.engine.call('app.snapshot', {})
  await using watched = await openPage(product.ui, { colorScheme: 'light' })
  const { page } = watched
  await goTo(page, 'Settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  await goTo(page, 'Authorization')
  await show(page, 'Setup')
  await page.getByLabel('Brand').fill('Acme')
  await page.getByLabel('Brand').press('Enter')
  await page.getByText('X-Acme-Signature').waitFor()
  await page.getByLabel('Brand').fill('not a word!')
  await page.getByLabel('Brand').press('Enter')
  await page
    .getByText(/letters and digits/i)
    .first()
    .waitFor()
  await page.reload()
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  await page.getByLabel('Brand').waitFor()
  expect(await page.getByLabel('Brand').inputValue()).toBe('Acme')
  // Restores the state for the following tests.
  await product.engine.call('settings.update', { theme: before.settings.theme })
  const [{ id, brand } = { id: 0 }] = before.integrations
  await product.engine.call('integrations.update', { id, brand })
  expect(watched.faults).toEqual([])
})

it('moves the listener to another port, and names the program that uses a taken one', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = taken.address() as AddressInfo
  try {
    await using product = await startProduct()
    await using watched = await openPage(product.ui)
    const { page } = watched
    await goTo(page, 'Settings')
    await page.getByLabel('Port').fill(String(port))
    await page.getByRole('button', { name: 'Restart listener' }).click()
    await page
      .getByText(new RegExp(`Port ${port} is in use`))
      .first()
      .waitFor()
    // The old listener is still running.
    expect(await deliver(product.endpoint, body)).toBe(200)
    const use = page.getByRole('button', { name: /^Use port \d+$/ })
    const free = (await use.innerText()).replace('Use port ', '')
    await use.click()
    await page.getByTestId('connection-state').filter({ hasText: free }).waitFor()
    await until('the port in its field', async () =>
      (await page.getByLabel('Port').inputValue()) === free ? free : null,
    )
    expect(await deliver(product.endpoint.replace(/:\d+/, `:${free}`), body)).toBe(200)
    await page.getByLabel('Port').fill('0')
    await page.getByRole('button', { name: 'Restart listener' }).click()
    await page.waitForFunction(
      (old) => !document.body.innerText.includes(old),
      new URL(product.listener).host,
    )
    expect(watched.faults).toEqual([])
  } finally {
    taken.close()
  }
})

it('clears all deliveries except pinned ones', async () => {
  const product = await fresh()
  await deliver(product.endpoint, body)
  await deliver(product.endpoint, body)
  await using watched = await openPage(product.ui)
  const { page } = watched
  const rows = page.getByTestId('delivery-row')
  await rows.nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('b')
  await page.getByTestId('delivery-row').first().getByLabel('Unpin').waitFor({ state: 'attached' })
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Clear deliveries' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Clear/ }).click()
  await goTo(page, 'Deliveries')
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid="delivery-row"]').length === 1,
  )
  expect(watched.faults).toEqual([])
})

it('starts the title of every page at the same place', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui, { viewport: { width: 1024, height: 700 } })
  const { page } = watched
  const lefts = new Map<string, number | undefined>()
  for (const name of ['Conformance', 'Authorization', 'Endpoints', 'Tunnel', 'Settings'] as const) {
    await goTo(page, name)
    const title = page.getByRole('heading', { level: 1, name })
    await title.waitFor()
    lefts.set(name, (await title.boundingBox())?.x)
  }
  expect(new Set(lefts.values()).size, JSON.stringify([...lefts])).toBe(1)
  expect(watched.faults).toEqual([])
})

it('reports a lost connection to Tabscope', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await product.stop()
  await page.getByText('Not connected to Tabscope.').first().waitFor()
})
