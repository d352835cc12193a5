import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { axeFaultsInBoth } from '../support/axe.ts'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

const fresh = sharedProduct()
const Made = z.looseObject({ id: z.number() })

const rows = (page: Page) => page.getByTestId('delivery-row')
const row = (page: Page, id: number) =>
  page.locator(`[data-testid="delivery-row"][data-id="${id}"]`)
const detail = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const hash = (page: Page) => new URL(page.url()).hash

const tab = (name: string): string =>
  JSON.stringify({ type: 'OPEN_TAB', locationName: 'Pier 9', data: { name } })

async function delivered(count: number) {
  const product = await fresh()
  for (let n = 1; n <= count; n += 1) await deliver(product.endpoint, tab(`Guest ${n}`))
  const watched = await openPage(product.ui)
  await rows(watched.page)
    .nth(count - 1)
    .waitFor()
  return { product, watched, page: watched.page }
}

it('shows the number of a delivery in its row, in its detail and in its address', async () => {
  const { product, watched, page } = await delivered(2)
  await using _ = watched
  const id = product.id(1)
  expect(await row(page, id).innerText()).toContain(`#${id}`)
  await row(page, id).click()
  await detail(page).getByText(`#${id}`, { exact: true }).waitFor()
  await expect.poll(() => hash(page)).toBe(`#/deliveries/${id}?filter=`)
  // Back closes it, and Forward or a reload opens it.
  await page.goBack()
  await detail(page).waitFor({ state: 'detached' })
  await page.goForward()
  await detail(page).getByText(`#${id}`, { exact: true }).waitFor()
  await page.reload()
  await detail(page).getByText(`#${id}`, { exact: true }).waitFor()
  // Moving from one delivery to the next replaces the history entry, and so does opening another one.
  await page.keyboard.press('k')
  await expect.poll(() => hash(page)).toBe(`#/deliveries/${product.id(2)}?filter=`)
  await page.keyboard.press('Escape')
  await expect.poll(() => hash(page)).toBe('#/deliveries')
  await page
    .getByRole('group', { name: 'Filter' })
    .getByRole('button', { name: 'Unsigned' })
    .click()
  await expect.poll(() => hash(page)).toBe('#/deliveries?filter=verdict%3Aunsigned')
  await row(page, id).click()
  await expect.poll(() => hash(page)).toBe(`#/deliveries/${id}?filter=verdict%3Aunsigned`)
  await page.keyboard.press('Escape')
  await row(page, id).click()
  await expect.poll(() => hash(page)).toBe(`#/deliveries/${id}?filter=verdict%3Aunsigned`)
  await page.goBack()
  await expect.poll(() => hash(page)).toBe('#/deliveries?filter=verdict%3Aunsigned')
  await page.goBack()
  await expect.poll(() => hash(page)).toBe('#/deliveries')
  expect(watched.faults).toEqual([])
})

it('opens the menu of a row, by pointer and by a key', async () => {
  const { product, watched, page } = await delivered(3)
  await using _ = watched
  await row(page, product.id(2)).click({ button: 'right' })
  await page.getByRole('menu', { name: `Delivery #${product.id(2)}` }).waitFor()
  expect(await axeFaultsInBoth(page), 'menu').toEqual([])
  await item(page, 'Pin').click()
  await row(page, product.id(2)).and(page.locator('[data-pinned]')).waitFor()
  // The list has the focus again, and the key opens the menu of the selected row.
  await page.keyboard.press('j')
  await page.keyboard.press('m')
  await page.getByRole('menu', { name: `Delivery #${product.id(1)}` }).waitFor()
  await page.keyboard.press('Enter')
  await detail(page)
    .getByText(`#${product.id(1)}`, { exact: true })
    .waitFor()
  await page.keyboard.press('Escape')
  await row(page, product.id(1)).click({ button: 'right' })
  await item(page, 'Show only OPEN_TAB').click()
  await expect.poll(() => hash(page)).toContain('filter=type%3AOPEN_TAB')
  // An action on one selected row applies to the complete selection.
  await page.keyboard.press('x')
  await row(page, product.id(3)).getByRole('checkbox').click()
  await row(page, product.id(3)).click({ button: 'right' })
  await page.getByRole('menu').getByText('2 deliveries selected').waitFor()
  await page.keyboard.press('Escape')
  expect(watched.faults).toEqual([])
})

it('pins, tags and deletes the selection, and asks before it deletes', async () => {
  const { product, watched, page } = await delivered(4)
  await using _ = watched
  const bar = page.getByRole('region', { name: 'Selection' })
  await row(page, product.id(1)).getByRole('checkbox').click()
  await row(page, product.id(3)).getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Pin' }).click()
  await page.getByText('2 deliveries pinned.').waitFor()
  await expect.poll(() => page.locator('.delivery-row[data-pinned]').count()).toBe(2)
  await bar.getByRole('button', { name: 'Unpin' }).click()
  await expect.poll(() => page.locator('.delivery-row[data-pinned]').count()).toBe(0)
  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Tag 2 deliveries' }).waitFor()
  await dialog.getByLabel('Tag', { exact: true }).fill('odd one')
  expect(await axeFaultsInBoth(page), 'tag').toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('2 deliveries tagged.').waitFor()
  await expect.poll(() => row(page, product.id(3)).innerText()).toContain('odd one')
  await page.keyboard.press('Delete')
  await dialog.getByRole('heading', { name: 'Delete 2 deliveries?' }).waitFor()
  await page.keyboard.press('Enter')
  // The cancel button has the focus.
  await dialog.waitFor({ state: 'detached' })
  expect(await rows(page).count()).toBe(4)
  await page.keyboard.press('Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 deliveries deleted.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(2)
  await bar.waitFor({ state: 'detached' })
  // One by its menu, and all that match a filter.
  await row(page, product.id(4)).click({ button: 'right' })
  await item(page, 'Delete…').click()
  await dialog.getByRole('heading', { name: 'Delete 1 delivery?' }).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await deliver(product.endpoint, '{"type":"MENU_UPDATED"}')
  await rows(page).nth(1).waitFor()
  await page
    .getByRole('textbox', { name: 'Filter' })
    .or(page.getByRole('combobox', { name: 'Filter' }))
    .first()
    .fill('type:MENU_UPDATED')
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+a')
  await bar.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).first().click()
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(watched.faults).toEqual([])
})

it('selects and exports nothing while the filter is invalid', async () => {
  const { watched, page } = await delivered(2)
  await using _ = watched
  const field = page.getByRole('combobox', { name: 'Filter' })
  await field.fill('verdict:wrong')
  await page.keyboard.press('Escape')
  for (const key of ['s', 'Control+a']) {
    await page.keyboard.press(key)
    await page.getByText('Fix the filter error first, or clear the filter.').waitFor()
    expect(await page.getByRole('dialog').count(), key).toBe(0)
    expect(await page.getByRole('region', { name: 'Selection' }).count(), key).toBe(0)
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
  }
  // The same if the filter is from the address.
  await page.evaluate(() => location.assign('#/deliveries?filter=verdict%3Aother'))
  await page.getByRole('heading', { name: 'The filter in this URL is invalid' }).waitFor()
  await page.keyboard.press('s')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await field.fill('verdict:unsigned')
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Filter' }).waitFor()
  expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Filter' }).inputValue()).toBe(
    'verdict:unsigned',
  )
  await page.keyboard.press('Escape')
  expect(watched.faults).toEqual([])
})

it('announces new deliveries only for a time range that is still open', async () => {
  const { watched, page } = await delivered(1)
  await using _ = watched
  const field = page.getByRole('combobox', { name: 'Filter' })
  const empty = page.locator('.empty')
  await field.fill('type:NONE_SUCH')
  await empty.getByText('New matches appear here.').waitFor()
  await field.fill('type:NONE_SUCH before:2020-01-01')
  await empty.getByText('before:2020-01-01').waitFor()
  expect(await empty.innerText()).not.toContain('appear here')
  expect(watched.faults).toEqual([])
})

it('lists the deliveries of the selected integration, and names endpoints where there are several', async () => {
  const { product, watched, page } = await delivered(1)
  await using _ = watched
  const heads = () => page.getByRole('columnheader').allInnerTexts()
  expect(await heads()).not.toContain('Endpoint')
  const made = Made.parse(
    await product.engine.call('integrations.create', { name: 'Harbour', brand: 'Service' }),
  )
  const endpoint = Made.parse(
    await product.engine.call('endpoints.create', {
      integrationId: made.id,
      name: 'Harbour hook',
      slug: 'harbour',
      applicationId: '',
      customHeaders: [],
    }),
  )
  await deliver(`${product.listener}/hooks/harbour`, tab('Guest of the harbour'))
  await deliver(`${product.listener}/elsewhere`, tab('Guest of nowhere'))
  await rows(page).nth(2).waitFor()
  expect(await heads()).toContain('Endpoint')
  expect(await rows(page).nth(1).innerText()).toContain('Harbour hook')
  const sizes = await page
    .locator('.delivery-head > [role="columnheader"]:not(.c-select)')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize))
  expect(new Set(sizes).size).toBe(1)

  const switcher = page.getByRole('button', { name: /^Integration:/ })
  expect(await switcher.innerText()).toContain('All integrations')
  await switcher.click()
  await page.getByRole('menuitemradio', { name: /Harbour/ }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('status', { name: 'Matching deliveries' }).getByText('1 of 3').waitFor()
  // New deliveries of this integration are shown, and charts and selections are limited to it.
  await deliver(`${product.listener}/hooks/harbour`, tab('Second guest'))
  await deliver(product.endpoint, tab('Guest of the sandbox'))
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.keyboard.press('v')
  await page.locator('.charts-readout', { hasText: '2 deliveries' }).waitFor()
  await page.keyboard.press('v')
  await page.keyboard.press('Control+a')
  await page.getByRole('region', { name: 'Selection' }).getByText('All 2').waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect.poll(() => rows(page).count()).toBe(2)
  const field = page.getByRole('combobox', { name: 'Filter' })
  await field.fill('"nowhere" or "Second"')
  await expect.poll(() => rows(page).count()).toBe(1)
  await field.fill('')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show all integrations' }).click()
  await expect.poll(() => rows(page).count()).toBe(5)
  await field.fill('integration:har')
  await page.getByRole('option', { name: /Harbour/ }).waitFor()
  await field.fill('integration:harbour')
  await expect.poll(() => rows(page).count()).toBe(2)
  await product.engine.call('endpoints.remove', { id: endpoint.id })
  await product.engine.call('integrations.remove', { id: made.id })
  expect(watched.faults).toEqual([])
})
