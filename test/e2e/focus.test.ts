import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { closeBrowser, deliver, goTo, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const fresh = sharedProduct()

const rows = (page: Page) => page.getByTestId('delivery-row')
const detail = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Authorization' }).getByRole('link', { name })
const hash = (page: Page) => new URL(page.url()).hash

const tab = (name: string): string => JSON.stringify({ type: 'OPEN_TAB', data: { name } })

it.each([
  ['a page of the navigation', (page: Page) => goTo(page, 'Deliveries')],
  [
    'a filter chip',
    async (page: Page) => {
      const chip = page.getByRole('group', { name: 'Filter' }).getByRole('button', {
        name: 'Unsigned',
      })
      await chip.click()
      expect(await chip.getAttribute('aria-pressed')).toBe('true')
    },
  ],
  [
    'a menu of the filter',
    async (page: Page) => {
      const time = page.getByRole('button', { name: 'Time' })
      await time.click()
      await page.getByRole('dialog', { name: 'Filter by time received' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // The focus returns a moment after the menu is closed.
      await expect
        .poll(() => time.evaluate((button) => button === document.activeElement))
        .toBe(true)
    },
  ],
])('opens the delivery with J and Enter after a click on %s', async (_what, click) => {
  const product = await fresh()
  for (const name of ['one', 'two']) await deliver(product.endpoint, tab(name))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(1).waitFor()
  await click(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await detail(page).getByRole('heading', { name: /two/ }).first().waitFor()
  // The focus moves to the list when the delivery is closed. After a click next to the list, Enter still works.
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
    .toBe('grid')
  const pause = page.locator('.pause')
  await pause.click()
  await pause.and(page.locator('[aria-pressed="true"]')).waitFor()
  await page.keyboard.press('Enter')
  await detail(page).getByRole('heading', { name: /two/ }).first().waitFor()
  expect(await pause.getAttribute('aria-pressed')).toBe('true')
  expect(watched.faults).toEqual([])
})

it('authorizes with A from every view of Authorization', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Authorization')
  for (const name of ['Tokens', 'Refresh', 'Setup']) {
    await view(page, name).click()
    await page
      .getByRole('link', { name, exact: false })
      .and(page.locator('[aria-current]'))
      .waitFor()
    await page.keyboard.press('a')
    await page.getByRole('link', { name: 'Open authorization page' }).waitFor()
    expect(hash(page), name).toMatch(/^#\/authorization(\/runs\/\d+)?$/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Authorize', exact: true }).waitFor()
  }
  expect(watched.faults).toEqual([])
})

it('opens every page by a key, and shows the keys of each in the footer', async () => {
  const product = await fresh()
  await deliver(product.endpoint, tab('one'))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().waitFor()
  const hints = () => page.locator('.foot-hint').allInnerTexts()
  for (const [key, address, hint] of [
    ['C', '#/compose', /new draft/],
    ['J', '#/jobs', null],
    ['F', '#/conformance', /compute again/],
    ['A', '#/authorization', /authorize/],
    ['P', '#/console', /send/],
    ['E', '#/endpoints', /new endpoint/],
    ['T', '#/tunnel', /open/],
    ['S', '#/sandbox', /send samples/],
    ['L', '#/logs', /import/],
    ['Control+,', '#/settings', /find a setting/],
    ['D', '#/deliveries', /filter/],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => hash(page)).toMatch(new RegExp(`^${address}`))
    if (hint !== null) await expect.poll(async () => (await hints()).join(' ')).toMatch(hint)
  }
  // Unavailable keys are not shown: no delivery is selected.
  expect((await hints()).join(' ')).not.toMatch(/open|re-send|select/)
  await page.keyboard.press('j')
  await expect.poll(async () => (await hints()).join(' ')).toMatch(/open[^]*select[^]*re-send/)
  expect(watched.faults).toEqual([])
})
