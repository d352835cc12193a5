import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { full } from '../support/full.ts'
import { deliver, openPage, startProduct } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const secret = 'list-secret-0123456789'
const fresh = sharedProduct({ secret })

const tab = (number: number): string =>
  JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: `tab-${number}`,
    locationName: 'Pier 9',
    createdAt: new Date().toISOString(),
    data: { name: `Guest ${number}`, spotName: 'T4', total: 0, openedFrom: 'SERVER_TAB' },
  })

const rows = (page: Page) => page.getByTestId('delivery-row')
const row = (page: Page, id: number) =>
  page.locator(`[data-testid="delivery-row"][data-id="${id}"]`)
const detail = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const hash = (page: Page) => new URL(page.url()).hash

async function delivered(count: number) {
  const product = await fresh()
  for (let n = 1; n <= count; n += 1) await deliver(product.endpoint, tab(n), { secret })
  const page = await openPage(product.ui)
  await rows(page)
    .nth(count - 1)
    .waitFor()
  return { product, page, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
}

it('moves with j and k, opens with Enter, closes with Escape and Back, and lists its keys', async () => {
  await using opened = await delivered(3)
  const { product, page } = opened
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await detail(page)
    .getByRole('heading', { name: /Guest 3/ })
    .first()
    .waitFor()
  await expect.poll(() => hash(page)).toBe(`#/deliveries/${product.id(3)}?filter=`)
  const tabs = page.getByRole('tablist', { name: 'Parts of the delivery' }).getByRole('tab')
  await expect.poll(() => tabs.count()).toBe(5)
  for (const digit of [5, 4, 3, 2, 1]) {
    await page.keyboard.press(String(digit))
    await tabs
      .nth(digit - 1)
      .and(page.getByRole('tab', { selected: true }))
      .waitFor()
  }
  await page.keyboard.press('2')
  // The body first. The headers are folded only where each is as expected.
  await page.getByRole('tree', { name: 'Body as a tree' }).getByText('"Guest 3"').waitFor()
  const headers = page.getByRole('table', { name: 'Headers' })
  await page.getByText(/^\d+ headers, 3 not as expected$/).click()
  await expect.poll(() => headers.isVisible()).toBe(false)
  await page.goBack()
  await detail(page).waitFor({ state: 'detached' })
  await page.goForward()
  await detail(page).waitFor()
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Pause or resume', { exact: true }).waitFor()
})

it('is sorted by a click on a column, and follows new deliveries again with the newest first', async () => {
  await using opened = await delivered(2)
  const { product, page } = opened
  await deliver(product.endpoint, '{"type":"ORDER_PLACED","data":{"total":9.5}}', { secret })
  await rows(page).nth(2).waitFor()
  const order = async () =>
    (await rows(page).evaluateAll((all) => all.map((each) => Number(each.dataset['id'])))).join()
  const [first, second, third] = [product.id(1), product.id(2), product.id(3)]
  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Type').getByRole('button').click()
  await expect.poll(order).toBe([second, first, third].join())
  await expect.poll(() => head('Type').getAttribute('aria-sort')).toBe('ascending')
  await head('Type').getByRole('button').click()
  await expect.poll(order).toBe([third, second, first].join())
  await head('Received').getByRole('button').press('Enter')
  await expect.poll(order).toBe([first, second, third].join())
  await head('Amount').getByRole('button').click()
  await expect.poll(order).toBe([third, second, first].join())
  await deliver(product.endpoint, tab(4), { secret })
  await page.getByRole('button', { name: '1 new' }).click()
  await expect.poll(order).toBe([product.id(4), third, second, first].join())
})

it('opens the menu of a row, by pointer and by a key', async () => {
  await using opened = await delivered(3)
  const { product, page } = opened
  await row(page, product.id(2)).click({ button: 'right' })
  await page.getByRole('menu', { name: `Delivery #${product.id(2)}` }).waitFor()
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
  // A tab of its own, with the session of this one.
  await row(page, product.id(1)).click({ button: 'right' })
  const popup = page.waitForEvent('popup')
  await item(page, 'Open in a new window').click()
  const second = await popup
  await detail(second)
    .getByText(`#${product.id(1)}`, { exact: true })
    .waitFor()
  await second.close()
  await row(page, product.id(1)).click({ button: 'right' })
  await item(page, 'Show only OPEN_TAB').click()
  await expect.poll(() => hash(page)).toContain('filter=type%3AOPEN_TAB')
  // An action on one selected row applies to the complete selection.
  await page.keyboard.press('x')
  await row(page, product.id(3)).getByRole('checkbox').click()
  await row(page, product.id(3)).click({ button: 'right' })
  await page.getByRole('menu').getByText('2 deliveries selected').waitFor()
  await page.keyboard.press('Escape')
})

it('pins, tags and deletes the selection, and asks before it deletes', async () => {
  await using opened = await delivered(4)
  const { product, page } = opened
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
  await page.keyboard.press('Enter')
  await page.getByText('2 deliveries tagged.').waitFor()
  await expect.poll(() => row(page, product.id(3)).innerText()).toContain('odd one')
  await page.keyboard.press('Delete')
  await dialog.getByRole('heading', { name: 'Delete 2 deliveries?' }).waitFor()
  await page.keyboard.press('Enter')
  // The cancel button has the focus.
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(4)
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
})

it.runIf(full)(
  'says that an open delivery is of an integration that the list does not show',
  async () => {
    await using product = await startProduct()
    const { engine } = product
    const fields = { baseUrl: 'http://127.0.0.1:1', accessId: 'a', redirectUrls: [] }
    const { id } = await engine.call('integrations.create', { name: 'Pier 9', ...fields })
    await deliver(product.endpoint, '{"type":"OPEN_TAB","data":{"name":"Outside"}}')
    await using page = await openPage(product.ui)
    await page.evaluate((current) => {
      localStorage.setItem('tabscope.integration', String(current))
      localStorage.setItem('tabscope.integration.all', 'no')
    }, id)
    await page.reload()
    await page.evaluate(() => location.assign('#/deliveries/1'))
    await page.getByText('The list shows another integration.').waitFor()
    await page.getByRole('button', { name: /^Show in the list of/ }).click()
    await page.getByText('The list shows another integration.').waitFor({ state: 'detached' })
    await page.getByTestId('delivery-row').getByText('Outside').waitFor()
  },
)
