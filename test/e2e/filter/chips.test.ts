import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, goTo, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { field, waitForRows, order, secret, tab, titles } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

it('is edited by chips and menus, term by term', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 20, 'another')
  await tab(product, 'Okafor')
  await using watched = await openPage(product.ui, { viewport: { width: 1024, height: 700 } })
  const { page } = watched
  await waitForRows(page, 3)
  const chips = page.getByRole('group', { name: 'Filter', exact: true })
  const written = (text: string) => expect.poll(() => field(page).inputValue()).toBe(text)

  await chips.getByRole('button', { name: 'Invalid' }).click()
  await written('verdict:invalid')
  await waitForRows(page, 1)
  await chips.getByRole('button', { name: 'Valid', exact: true }).click()
  await written('verdict:invalid,valid')
  await waitForRows(page, 3)

  await chips.getByRole('button', { name: 'Types' }).click()
  await page.getByRole('group', { name: 'Types' }).getByText('ORDER_PLACED').click()
  await page.keyboard.press('Escape')
  await written('verdict:invalid,valid type:ORDER_PLACED')
  await waitForRows(page, 2)

  await chips.getByRole('button', { name: 'Time' }).click()
  const since = await page.getByLabel('Since').boundingBox()
  const show = await page.getByRole('button', { name: 'Show', exact: true }).boundingBox()
  // The button is not over the field.
  expect((since?.x ?? Infinity) + (since?.width ?? 0)).toBeLessThanOrEqual(show?.x ?? 0)
  await page.getByRole('button', { name: 'Last 15 minutes' }).click()
  await written('verdict:invalid,valid type:ORDER_PLACED since:15m')
  await waitForRows(page, 2)

  await chips.getByRole('button', { name: 'Marks' }).click()
  await page.getByRole('group', { name: 'Marks' }).getByText('pinned', { exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
  await page.getByRole('button', { name: 'Remove is:pinned' }).click()
  await waitForRows(page, 2)

  await chips.getByRole('button', { name: 'Invalid' }).click()
  await waitForRows(page, 1)
  expect(await titles(page)).toEqual([expect.stringContaining('A-1')])
  for (const term of ['verdict:valid', 'since:15m', 'type:ORDER_PLACED']) {
    await page.getByRole('button', { name: `Remove ${term}` }).click()
  }
  await written('')
  await waitForRows(page, 3)

  // When the user returns from another page, the list is unchanged.
  await chips.getByRole('button', { name: 'Invalid' }).click()
  await waitForRows(page, 1)
  await goTo(page, 'Settings')
  await goTo(page, 'Deliveries')
  await written('verdict:invalid')
  await waitForRows(page, 1)
  expect(watched.faults).toEqual([])
})

it('is saved under a name, and is kept over a reload', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 20, 'another')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 2)
  const open = () => page.getByRole('button', { name: 'Saved' }).click()
  const saved = page.getByRole('list', { name: 'Saved' })

  await field(page).fill('verdict:invalid')
  await page.keyboard.press('Enter')
  await open()
  await page.getByLabel('Filter name').fill('Broken <b>orders</b>')
  await page.keyboard.press('Enter')
  await saved.getByText('Broken <b>orders</b>').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await waitForRows(page, 2)

  await page.reload()
  await waitForRows(page, 2)
  await open()
  await saved.getByRole('button', { name: /verdict:invalid/ }).click()
  await waitForRows(page, 1)
  expect(await field(page).inputValue()).toBe('verdict:invalid')
  await open()
  await page.getByRole('list', { name: 'Recent' }).getByText('verdict:invalid').waitFor()
  await page.getByRole('button', { name: 'Rename Broken <b>orders</b>' }).click()
  await page.getByLabel('New name for Broken <b>orders</b>').fill('To fix')
  await page.keyboard.press('Enter')
  await saved.getByText('To fix').waitFor()
  await page.keyboard.press('Escape')
  await saved.waitFor({ state: 'detached' })
  // The menu restores the focus a moment after it closes.
  await page
    .getByRole('button', { name: /^Saved/ })
    .and(page.locator(':focus'))
    .waitFor()
  // Also by its name in the field.
  await field(page).fill('to fi')
  await page.getByRole('option', { name: /To fix/ }).click()
  expect(await field(page).inputValue()).toBe('verdict:invalid')
  await open()
  await page.getByRole('button', { name: 'Remove To fix' }).click()
  await saved.waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('explains its language on one page, by a key', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 1)
  await page.keyboard.press('f')
  const help = page.getByRole('dialog', { name: 'Filter language' })
  await help.getByText('data.total:>100').waitFor()
  await help.getByText('location:"Pier 9"').waitFor()
  await page.setViewportSize({ width: 1024, height: 700 })
  // It scrolls instead of ending outside of the window.
  const bottom = async () => {
    const box = await help.boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(bottom).toBeLessThanOrEqual(700)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Show filter help').waitFor()
  expect(watched.faults).toEqual([])
})

it('counts each finding in its menu', async () => {
  const product = await fresh()
  for (const name of ['A-1', 'A-2']) {
    const body = JSON.stringify({ type: 'OPEN_TAB', targetUuid: name, createdAt: 'now' })
    await deliver(product.endpoint, body, { secret })
  }
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 2)
  const chips = page.getByRole('group', { name: 'Filter', exact: true })
  await chips.getByRole('button', { name: 'Findings' }).click()
  const option = page
    .getByRole('group', { name: 'Findings', exact: true })
    .locator('label')
    .filter({ hasText: 'payload.created_at' })
  await expect.poll(() => option.locator('.check-count').innerText()).toBe('2')
  expect(watched.faults).toEqual([])
})
