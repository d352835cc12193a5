import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { deliver, goTo, openPage, type Product } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

const secret = 'filter-secret-0123456789'
const fresh = sharedProduct({ secret })

const field = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true })
const rows = (page: Page) => page.getByTestId('delivery-row')

const waitForRows = (page: Page, count: number) => expect.poll(() => rows(page).count()).toBe(count)

const titles = (page: Page): Promise<string[]> => rows(page).locator('.c-event').allTextContents()

/** Sends an order with this total. Correctly signed unless another secret is given. */
async function order(product: Product, name: string, total: number, using = secret): Promise<void> {
  const body = JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: `order-${name}`,
    locationName: 'Pier 9',
    createdAt: new Date().toISOString(),
    data: { orderName: name, spotName: 'T4', zoneName: 'Patio', total },
  })
  await deliver(product.endpoint, body, { secret: using })
}

async function tab(product: Product, name: string): Promise<void> {
  const body = JSON.stringify({
    type: 'OPEN_TAB',
    targetUuid: `tab-${name}`,
    locationName: 'Harbour',
    createdAt: new Date().toISOString(),
    data: { name, spotName: 'T1', total: 0, openedFrom: 'SERVER_TAB' },
  })
  await deliver(product.endpoint, body, { secret })
}

it('is typed with completion by keyboard alone, and is part of the list’s address', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 200, 'another')
  await tab(product, 'Okafor')
  await using page = await openPage(product.ui)
  await waitForRows(page, 3)

  await page.keyboard.press('/')
  await expect
    .poll(() => field(page).evaluate((input) => input === document.activeElement))
    .toBe(true)
  await page.keyboard.type('verd')
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  const active = await field(page).getAttribute('aria-activedescendant')
  await expect.poll(() => options.first().getAttribute('id')).toBe(active)
  await page.keyboard.press('Enter')
  await expect.poll(() => field(page).inputValue()).toBe('verdict:')
  await page.getByRole('option', { name: /^invalid/ }).waitFor()
  await page.keyboard.type('inv')
  await page.keyboard.press('Tab')
  await expect.poll(() => field(page).inputValue()).toBe('verdict:invalid ')
  await waitForRows(page, 1)
  await expect.poll(() => titles(page)).toEqual([expect.stringContaining('A-2')])
  expect(new URL(page.url()).hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
  await page.getByRole('status', { name: 'Matching deliveries' }).getByText('1 of 3').waitFor()
  await page.keyboard.press('Enter')

  // Escape first closes only what is open, then returns to the list.
  await page.keyboard.type('ty')
  await options.first().waitFor()
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await expect.poll(() => field(page).inputValue()).toBe('verdict:invalid ty')
  await field(page).fill('location:Harbour')
  await waitForRows(page, 1)
  await page.keyboard.press('Enter')
  await page.goBack()
  await page.waitForFunction(() => location.hash.endsWith('verdict%3Ainvalid'))
  await expect.poll(() => field(page).inputValue()).toBe('verdict:invalid')
  await page.reload()
  await waitForRows(page, 1)
  await expect.poll(() => titles(page)).toEqual([expect.stringContaining('A-2')])
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await waitForRows(page, 3)
})

it('is edited by chips and menus, term by term, and saved under a name', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 20, 'another')
  await tab(product, 'Okafor')
  await using page = await openPage(product.ui, { viewport: { width: 1024, height: 700 } })
  await waitForRows(page, 3)
  const chips = page.getByRole('group', { name: 'Filter', exact: true })
  const written = (text: string) => expect.poll(() => field(page).inputValue()).toBe(text)

  const check = async (menu: string, option: RegExp) => {
    await chips.getByRole('button', { name: menu }).click()
    await page.getByRole('checkbox', { name: option }).first().click()
    await page.keyboard.press('Escape')
  }
  // Each option says how many deliveries it has, and none has zero.
  await chips.getByRole('button', { name: 'Outcome' }).click()
  const outcomes = page.getByRole('group', { name: 'Outcome', exact: true })
  await outcomes.getByText('The signature does not match the secret').waitFor()
  await expect.poll(() => outcomes.getByRole('checkbox').count()).toBe(2)
  await expect
    .poll(() => outcomes.locator('label').first().innerText())
    .toMatch(/Nothing is wrong\s+2/)
  await page.keyboard.press('Escape')
  await check('Outcome', /^The signature does not match/)
  await written('outcome:invalid')
  await waitForRows(page, 1)
  await check('Outcome', /^Nothing is wrong/)
  await written('outcome:invalid,ok')
  await waitForRows(page, 3)

  await check('Types', /^ORDER_PLACED/)
  await written('outcome:invalid,ok type:ORDER_PLACED')
  await waitForRows(page, 2)

  await chips.getByRole('button', { name: 'Time' }).click()
  const since = await page.getByLabel('Between').boundingBox()
  const show = await page.getByRole('button', { name: 'Show', exact: true }).first().boundingBox()
  // The button is not over the field.
  expect((since?.x ?? Infinity) + (since?.width ?? 0)).toBeLessThanOrEqual(show?.x ?? 0)
  await page.getByRole('button', { name: 'Last 15 minutes' }).click()
  await written('outcome:invalid,ok type:ORDER_PLACED since:15m')
  await waitForRows(page, 2)

  await check('Marks', /^Pinned/)
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
  await page.getByRole('button', { name: 'Remove is:pinned' }).click()
  await waitForRows(page, 2)

  await check('Outcome', /^The signature does not match/)
  await waitForRows(page, 1)
  await expect.poll(() => titles(page)).toEqual([expect.stringContaining('A-1')])
  for (const term of ['outcome:ok', 'since:15m', 'type:ORDER_PLACED']) {
    await page.getByRole('button', { name: `Remove ${term}` }).click()
  }
  await written('')
  await waitForRows(page, 3)

  // It is kept while another page is shown, and under a name.
  await check('Outcome', /^The signature does not match/)
  await waitForRows(page, 1)
  await goTo(page, 'Settings')
  await goTo(page, 'Deliveries', 'Live')
  await written('outcome:invalid')
  await waitForRows(page, 1)
  await page.getByRole('button', { name: 'Saved' }).click()
  await page.getByLabel('Filter name').fill('Broken <b>orders</b>')
  await page.keyboard.press('Enter')
  const saved = page.getByRole('list', { name: 'Saved' })
  await saved.getByText('Broken <b>orders</b>').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.reload()
  await waitForRows(page, 3)
  await page.getByRole('button', { name: 'Saved' }).click()
  await saved.getByRole('button', { name: /outcome:invalid/ }).click()
  await waitForRows(page, 1)
})

const hostile = 'ask <img src=x onerror=alert(1)> \u202eneht\nsecond line'

it.runIf(full)(
  'adds notes and tags to a delivery, pins it, and finds it by them after a reload',
  async () => {
    const product = await fresh()
    await order(product, 'A-1', 10)
    await order(product, 'A-2', 20)
    await using page = await openPage(product.ui)
    await waitForRows(page, 2)
    await rows(page).filter({ hasText: 'A-1' }).click()
    const words = page.getByRole('region', { name: 'Delivery', exact: true })
    const menu = words.getByRole('button', { name: 'More actions' })
    // The key works once the delivery is loaded.
    await words.getByRole('tab', { name: 'Request' }).waitFor()

    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill(hostile)
    await page.keyboard.press('Control+Enter')
    const note = words.getByRole('note')
    await note.waitFor()
    await expect
      .poll(() => note.locator('p').allTextContents())
      .toEqual([String.raw`ask <img src=x onerror=alert(1)> \u202eneht`, 'second line'])

    await page.keyboard.press('l')
    const tag = page.getByRole('combobox', { name: 'Tag' })
    await tag.fill('bug')
    await page.keyboard.press('Enter')
    await words.getByRole('button', { name: 'Remove the tag bug' }).waitFor()
    await page.keyboard.press('l')
    await tag.fill('ask the service')
    await page.keyboard.press('Enter')
    await words.getByRole('button', { name: 'Remove the tag ask the service' }).waitFor()
    await words.getByText('pinned', { exact: true }).waitFor()
    const row = rows(page).filter({ hasText: 'A-1' })
    await expect.poll(() => row.locator('.own-marks').textContent()).toContain('bug')
    await row.getByText('noted').waitFor({ state: 'attached' })

    await page.reload()
    await waitForRows(page, 2)
    await field(page).fill('tag:bug is:noted')
    await page.keyboard.press('Enter')
    await waitForRows(page, 1)
    await expect.poll(() => titles(page)).toEqual([expect.stringContaining('A-1')])
    await field(page).fill('note:"second line"')
    await page.keyboard.press('Enter')
    await waitForRows(page, 1)

    await field(page).fill('')
    await page.keyboard.press('Enter')
    await waitForRows(page, 2)
    await rows(page).filter({ hasText: 'A-2' }).click()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Add a tag' }).click()
    await tag.waitFor()
    await page.keyboard.type('bu')
    // The browser draws the suggestions itself.
    await page.locator('datalist option', { hasText: 'bug' }).waitFor({ state: 'attached' })
    await page.keyboard.type('g')
    await page.keyboard.press('Enter')
    await words.getByRole('button', { name: 'Remove the tag bug' }).waitFor()

    // A list filtered by tag updates immediately when a tag is removed.
    await field(page).fill('tag:bug')
    await page.keyboard.press('Enter')
    await waitForRows(page, 2)
    await words.getByRole('button', { name: 'Remove the tag bug' }).click()
    await waitForRows(page, 1)
  },
)
