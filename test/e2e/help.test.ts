import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll, runsOver } from '../support/axe.ts'
import { goTo, closeBrowser, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

it('shows the guide, searches it by keyboard, and follows its links', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.keyboard.press('F1')
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()
  expect.soft(await axeFaultsInAll(page, runsOver(page))).toEqual([])

  // A page, and a link in it to a heading of another.
  await page
    .getByRole('navigation', { name: 'Guide contents' })
    .getByText('Settings and assumptions')
    .click()
  await page.getByRole('heading', { name: 'Settings and assumptions', level: 1 }).waitFor()
  await page.getByRole('article').getByRole('link', { name: 'response rules' }).click()
  const heading = page.getByRole('heading', { name: /^Control the response/ })
  await heading.waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.id))
    .toBe('guide-control-the-response')
  expect(new URL(page.url()).hash).toBe('#/help/sending/control-the-response')
  expect.soft(await axeFaultsInAll(page, runsOver(page))).toEqual([])

  // A search: opens the second result with the keyboard.
  await page.keyboard.press('/')
  await page.keyboard.type('rotate secret')
  const results = page.getByRole('list', { name: 'Search results' }).getByRole('link')
  await results.first().waitFor()
  expect(await results.first().textContent()).toContain('Set the secret of an endpoint')
  expect(await results.first().locator('mark').count()).toBeGreaterThan(0)
  expect.soft(await axeFaultsInAll(page, runsOver(page))).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await results.first().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Signatures', level: 1 }).waitFor()
  expect(await page.getByRole('article').locator('mark').count()).toBeGreaterThan(0)

  // Shows that there are no results, and Escape clears the search.
  await page.getByLabel('Search the guide').fill('xylophone')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Guide contents' }).waitFor()

  // Back moves through the visited pages.
  await page.goBack()
  await heading.waitFor()
  expect(watched.faults).toEqual([])
})

it('is found by the palette, and linked from where it explains something', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a command, delivery or setting' }).waitFor()
  await page.keyboard.type('causes of an invalid')
  await page.getByRole('option', { name: /Causes of an invalid signature/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Causes of an invalid signature', level: 1 }).waitFor()

  await goTo(page, 'Tunnel')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Learn more/ })
    .click()
  await page.getByRole('heading', { name: 'Tunnels', level: 1 }).waitFor()

  // A dialog closes, and its link is followed.
  await goTo(page, 'Event logs')
  await page
    .getByRole('button', { name: /^Export…/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: /^Learn more/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: /^Export deliveries/ }).waitFor()
  expect(watched.faults).toEqual([])
})
