import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { closeBrowser, deliver, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)

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

it('shows each verdict with icon and word, and filters by verdict and type', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await deliver(product.endpoint, tab(1), { secret })
  await deliver(product.endpoint, tab(2), { secret: 'another' })
  await deliver(product.endpoint, tab(3))
  await deliver(`${product.listener}/elsewhere`, tab(4))
  await deliver(product.endpoint, '{"type":"MENU_UPDATED"}', { secret })
  await rows(page).nth(4).waitFor()
  const verdicts = await rows(page).evaluateAll((all) =>
    all.map((row) => row.getAttribute('data-verdict')),
  )
  expect(verdicts).toEqual(['valid', 'unsigned', 'missing', 'invalid', 'valid'])
  for (const word of ['Valid', 'Unsigned', 'Missing', 'Invalid']) {
    expect(await rows(page).filter({ hasText: word }).count(), word).toBeGreaterThan(0)
  }

  const filter = page.getByRole('group', { name: 'Filter', exact: true })
  await filter.getByRole('button', { name: 'Invalid' }).click()
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid="delivery-row"]').length === 1,
  )
  expect(await rows(page).first().textContent()).toContain('Guest 2')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await rows(page).nth(4).waitFor()

  await filter.getByRole('button', { name: 'Types' }).click()
  await page.getByRole('group', { name: 'Types' }).getByText('MENU_UPDATED').click()
  await page.keyboard.press('Escape')
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid="delivery-row"]').length === 1,
  )
  expect(watched.faults).toEqual([])
})

it('moves with j and k, opens with Enter, closes with Escape, and lists its keys', async () => {
  const product = await fresh()
  for (const number of [1, 2, 3]) await deliver(product.endpoint, tab(number), { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(2).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await detail
    .getByRole('heading', { name: /Guest 3/ })
    .first()
    .waitFor()
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Body', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Pause or resume', { exact: true }).waitFor()
  expect(watched.faults).toEqual([])
})

it('pauses, counts waiting deliveries, and resumes', async () => {
  const product = await fresh()
  await deliver(product.endpoint, tab(1), { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().waitFor()
  await page.keyboard.press('p')
  await deliver(product.endpoint, tab(2), { secret })
  await page.getByRole('button', { name: 'Paused, 1 waiting' }).waitFor()
  expect(await rows(page).count()).toBe(1)
  await page.keyboard.press('p')
  await rows(page).nth(1).waitFor()
  expect(watched.faults).toEqual([])
})

it('keeps its position when scrolled away, and shows how many are new', async () => {
  const product = await fresh()
  for (let number = 1; number <= 120; number += 1) {
    await deliver(product.endpoint, tab(number), { secret })
  }
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(10).waitFor()
  await rows(page).first().hover()
  await page.mouse.wheel(0, 1500)
  await rows(page).filter({ hasText: 'Guest 50' }).first().waitFor()
  const place = await rows(page).filter({ hasText: 'Guest 60' }).first().boundingBox()
  await deliver(product.endpoint, tab(121), { secret })
  const button = page.getByRole('button', { name: /1 new/ })
  await button.waitFor()
  const after = await rows(page).filter({ hasText: 'Guest 60' }).first().boundingBox()
  expect(after?.y).toBe(place?.y)
  await button.click()
  await rows(page).filter({ hasText: 'Guest 121' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('restores its position, even when the page is left right after scrolling', async () => {
  const product = await fresh()
  for (let number = 1; number <= 120; number += 1) {
    await deliver(product.endpoint, tab(number), { secret })
  }
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(10).waitFor()
  await page.getByRole('grid').evaluate((list) => {
    // As if the page is left before the scroll event, which is emitted in the next frame.
    const left = new AbortController()
    window.addEventListener('scroll', (event) => event.stopImmediatePropagation(), {
      capture: true,
      signal: left.signal,
    })
    list.scrollTo({ top: 600 })
    location.assign('#/settings')
    window.addEventListener('hashchange', () => left.abort(), { once: true })
  })
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('grid').evaluate((list) => list.scrollTop)).toBe(600)
  expect(watched.faults).toEqual([])
})

it('handles a flood, and shows the newest deliveries', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  const each = 250
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let i = 0; i < each; i += 1) {
        await deliver(product.endpoint, tab(lane * each + i), { secret })
      }
    }),
  )
  await page.locator(`[data-testid="delivery-row"][data-id="${product.id(4 * each)}"]`).waitFor()
  const ids = await rows(page).evaluateAll((all) =>
    all.map((row) => Number(row.getAttribute('data-id'))),
  )
  expect(ids.slice(0, 5)).toEqual([1000, 999, 998, 997, 996].map(product.id))
  await page.keyboard.press('End')
  await page.locator(`[data-testid="delivery-row"][data-id="${product.id(1)}"]`).waitFor()
  expect(watched.faults).toEqual([])
})
