import { afterAll, expect, it } from 'vitest'
import { closeBrowser, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { field, waitForRows, order, rows, secret, tab, titles } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

it('is typed with completion by keyboard alone, and is part of the list’s address', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await order(product, 'A-2', 200, 'another')
  await tab(product, 'Okafor')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 3)

  await page.keyboard.press('/')
  expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('verd')
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  const active = await field(page).getAttribute('aria-activedescendant')
  expect(await options.first().getAttribute('id')).toBe(active)
  await page.keyboard.press('Enter')
  expect(await field(page).inputValue()).toBe('verdict:')
  await page.getByRole('option', { name: /^invalid/ }).waitFor()
  await page.keyboard.type('inv')
  await page.keyboard.press('Tab')
  expect(await field(page).inputValue()).toBe('verdict:invalid ')
  await waitForRows(page, 1)
  expect(await titles(page)).toEqual([expect.stringContaining('A-2')])
  expect(new URL(page.url()).hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
  await page.getByRole('status', { name: 'Matching deliveries' }).getByText('1 of 3').waitFor()
  await page.keyboard.press('Enter')

  // Escape first closes only what is open, then returns to the list.
  await page.keyboard.type('ty')
  await options.first().waitFor()
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  expect(await field(page).inputValue()).toBe('verdict:invalid ty')
  await field(page).fill('location:Harbour')
  await waitForRows(page, 1)
  await page.keyboard.press('Enter')
  await page.goBack()
  await page.waitForFunction(() => location.hash.endsWith('verdict%3Ainvalid'))
  expect(await field(page).inputValue()).toBe('verdict:invalid')
  await page.reload()
  await waitForRows(page, 1)
  expect(await titles(page)).toEqual([expect.stringContaining('A-2')])
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await waitForRows(page, 3)
  expect(watched.faults).toEqual([])
})

it('suggests known values, and accepts a suggestion by mouse', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await tab(product, 'Okafor')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 2)
  await field(page).click()
  await page.keyboard.type('location:pi')
  await page.getByRole('option', { name: /^Pier 9/ }).click()
  expect(await field(page).inputValue()).toBe('location:"Pier 9" ')
  await waitForRows(page, 1)
  expect(await titles(page)).toEqual([expect.stringContaining('A-1')])
  expect(watched.faults).toEqual([])
})

it('points at a syntax error, keeps the last valid filter, and refuses Enter', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await tab(product, 'Okafor')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 2)
  await field(page).fill('type:OPEN_TAB')
  await waitForRows(page, 1)
  await field(page).fill('type:OPEN_TAB verdict:wrong since:2h')
  const alert = page.getByRole('alert').filter({ hasText: '"wrong" is not a value of verdict' })
  await alert.waitFor()
  expect(await field(page).getAttribute('aria-invalid')).toBe('true')
  expect(await field(page).getAttribute('aria-errormessage')).toBe(await alert.getAttribute('id'))
  const wrong = page.locator('.filter-paint [data-wrong]')
  expect(await wrong.allTextContents()).toEqual(['wrong'])
  // Its position matches the text: it follows 22 characters of equal width.
  const [input, mark] = [await field(page).boundingBox(), await wrong.boundingBox()]
  const width = (mark?.width ?? 0) / 'wrong'.length
  expect(Math.abs((mark?.x ?? 0) - (input?.x ?? 0) - 22 * width)).toBeLessThan(1)
  await page.keyboard.press('Enter')
  expect(await field(page).inputValue()).toBe('type:OPEN_TAB verdict:wrong since:2h')
  expect(await titles(page)).toEqual([expect.stringContaining('Okafor')])
  expect(new URL(page.url()).hash).toBe('#/deliveries?filter=type%3AOPEN_TAB')
  await field(page).fill('type:ORDER_PLACED verdict:valid since:2h')
  await alert.waitFor({ state: 'detached' })
  await rows(page).filter({ hasText: 'A-1' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('reports an invalid filter in a link, and shows no list for it', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await waitForRows(page, 1)
  await page.evaluate(() => {
    location.hash = '#/deliveries?filter=verdict%3Awrong'
  })
  await page.getByRole('heading', { name: 'The filter in this URL is invalid' }).waitFor()
  expect(await rows(page).count()).toBe(0)
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Show all deliveries' }).click()
  await waitForRows(page, 1)
  expect(watched.faults).toEqual([])
})

it('is highlighted at the exact position of the text, even if it is longer than the field', async () => {
  const product = await fresh()
  await order(product, 'A-1', 10)
  await using watched = await openPage(product.ui, { viewport: { width: 1024, height: 700 } })
  const { page } = watched
  await waitForRows(page, 1)
  await field(page).click()
  await page.keyboard.type(`${'type:ORDER_PLACED -location:"Nowhere at all" '.repeat(5)}end`)
  const places = () =>
    field(page).evaluate((input) => {
      const paint = document.querySelector('.filter-paint')
      return [input.scrollLeft, paint?.scrollLeft, input.scrollWidth > input.clientWidth]
    })
  // It is painted in the next frame.
  const together = async () => {
    const [scrolled, painted, longer] = await places()
    return longer === true && Number(scrolled) > 100 && painted === scrolled
  }
  await expect.poll(together).toBe(true)
  const caret = await page.locator('.filter-paint span').last().boundingBox()
  const frame = await field(page).boundingBox()
  const end = (caret?.x ?? 0) + (caret?.width ?? 0)
  expect(Math.abs(end - (frame?.x ?? 0) - (frame?.width ?? 0))).toBeLessThan(4)
  await page.keyboard.press('Home')
  await expect.poll(places).toEqual([0, 0, true])
  expect(watched.faults).toEqual([])
})
