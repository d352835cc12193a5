import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults } from '../support/axe.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

const secret = 'charts-secret-0123456789'

async function send(endpoint: string): Promise<void> {
  for (let n = 0; n < 12; n++) {
    const type = n % 3 === 0 ? 'OPEN_TAB' : 'QR_SCANNED'
    const createdAt = new Date(Date.now() - (n % 4) * 2000).toISOString()
    const body = JSON.stringify({ type, createdAt, data: { n, text: 'x'.repeat(n * 300) } })
    await deliver(endpoint, body, { secret: n % 4 === 0 ? 'another secret' : secret })
  }
}

/** The entries of the legend, as name and number. */
async function legend(page: Page): Promise<string[]> {
  const buttons = await page.getByRole('list', { name: 'Legend' }).getByRole('button').all()
  return Promise.all(
    buttons.map(async (button) => (await button.innerText()).replaceAll(/\s+/g, ' ')),
  )
}

it('shows deliveries over time by verdict, type, lag and size, and filters by a click, a brush and the keys', async () => {
  await using product = await startProduct({ secret })
  await send(product.endpoint)
  await using watched = await openPage(product.ui)
  const { page } = watched
  const rows = page.getByTestId('delivery-row')
  await rows.nth(11).waitFor()
  const chart = page.getByRole('slider', { name: 'Deliveries over time' })
  await chart.locator('svg rect[fill]').first().waitFor()

  await page.keyboard.press('v')
  await expect.poll(() => legend(page)).toEqual(['Valid 9', 'Invalid 3'])
  await page.getByRole('radio', { name: 'Type' }).check()
  await expect.poll(() => legend(page)).toEqual(['QR_SCANNED 8', 'OPEN_TAB 4'])
  await page.getByRole('radio', { name: 'Lag' }).check()
  await expect.poll(async () => (await legend(page)).join()).toContain('1 s to 5 s')
  await page.getByRole('radio', { name: 'Size' }).check()
  await expect.poll(async () => (await legend(page)).join()).toContain('1 kB to 10 kB')
  expect(await axeFaults(page)).toEqual([])

  await page.getByRole('radio', { name: 'Verdict' }).check()
  await page.getByRole('button', { name: 'Invalid 3' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Invalid 3', pressed: true }).click()
  await expect.poll(() => rows.count()).toBe(12)

  // With the keyboard: the newest bar and the previous one are announced, then applied as a filter.
  await chart.focus()
  await page.keyboard.press('End')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/\d+ deliver(y|ies)/)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/selected\. Press Enter to filter/)
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: /filter/i }).first()
  await expect.poll(() => field.inputValue()).toMatch(/^since:\S+Z before:\S+Z$/)
  await page.getByRole('button', { name: 'All times' }).click()
  await expect.poll(() => field.inputValue()).toBe('')

  // With the pointer across the complete chart: everything is included.
  await expect.poll(() => rows.count()).toBe(12)
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + 1, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 20)
  await page.mouse.move(box.x + box.width - 1, box.y + 20)
  await page.mouse.up()
  await expect.poll(() => field.inputValue()).toMatch(/^since:\S+Z before:\S+Z$/)
  await expect.poll(() => rows.count()).toBe(12)

  await page.getByRole('button', { name: 'Show as table' }).click()
  const table = page.getByRole('table', { name: /newest first/ })
  expect(await table.innerText()).toMatch(/Valid\s+Invalid\s+All/)
  expect(await axeFaults(page)).toEqual([])
  expect(watched.faults).toEqual([])
})

it('updates as deliveries arrive', async () => {
  await using product = await startProduct()
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}')
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().waitFor()
  await page.keyboard.press('v')
  await expect.poll(() => legend(page)).toEqual(['Unsigned 1'])
  for (let n = 0; n < 4; n++) await deliver(product.endpoint, '{"type":"OPEN_TAB"}')
  await expect.poll(() => legend(page)).toEqual(['Unsigned 5'])
  expect(watched.faults).toEqual([])
})
