import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { logBytes, logHead } from '../support/event-log.ts'
import { evening, firstLog, importLog } from '../support/event-log/evening-log.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'

const rows = (page: Page) => page.getByTestId('delivery-row')
const frame = (page: Page) => page.getByRole('region', { name: /^Event log/ })
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Tabs of Deliveries' })
const filterField = (page: Page) => page.getByRole('combobox', { name: 'Filter', exact: true })

const live = (name: string): string =>
  JSON.stringify({ type: 'OPEN_TAB', targetUuid: 'tab-live', data: { name } })

it('shows logs beside the live deliveries, read-only', async () => {
  await using product = await startProduct({ secret: 'ours-0123456789' })
  for (const name of ['one', 'two', 'three']) await deliver(product.endpoint, live(name))
  await importLog(product, 'friday.ndjson', firstLog())
  const cut = logBytes([logHead(8), ...evening(8)]).subarray(0, -200)
  await importLog(product, 'cut.ndjson', cut)
  await using page = await openPage(product.ui)
  const shown = (count: number) => expect.poll(() => rows(page).count()).toBe(count)
  const visit = (address: string) => page.evaluate((to) => location.assign(to), address)
  const hash = () => new URL(page.url()).hash

  // The live list has a filter and an open delivery when the user leaves it.
  await filterField(page).fill('type:OPEN_TAB')
  await page.keyboard.press('Enter')
  await shown(3)
  await rows(page).nth(1).click()
  await page.locator('.detail h2').waitFor()

  // A log opened by its address: source, time, and integrity.
  await goTo(page, 'Deliveries', 'Event logs')
  await page.getByRole('link', { name: 'Open friday.ndjson' }).click()
  await frame(page).waitFor()
  expect(hash()).toBe('#/logs/1')
  const said = (await frame(page).innerText()).replaceAll(/\s+/g, ' ')
  for (const part of [
    'friday.ndjson',
    'read-only',
    'redacted',
    'Complete',
    '0.1.0',
    'exported 21 Nov',
    '120 deliveries',
  ]) {
    expect(said, part).toContain(part)
  }
  await rows(page).first().waitFor()
  await expect.poll(() => rows(page).first().innerText()).toContain('number 120')

  // It receives no deliveries, and no key or button changes it.
  await deliver(product.endpoint, live('four'))
  await rows(page).first().click()
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await detail.getByText('Seen by the night shift.').waitFor()
  for (const name of [/^Pin/, /^Re-send/, /^Pause/, /^Tag/, /note/i, /^Remove the tag/]) {
    expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
  }
  for (const key of ['b', 'r', 'R', 'p', 'l', 'n']) await page.keyboard.press(key)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Pages' }).innerText())
    .toMatch(/Deliveries\s*4/)
  await expect.poll(() => rows(page).first().innerText()).toContain('number 120')

  await page.keyboard.press('Escape')

  // Attempts with their bodies, trace, signature as captured.
  await rows(page).first().getByText('number 120').waitFor()
  await rows(page).first().click()
  await page.keyboard.press('5')
  await detail.getByText('their handler').waitFor()
  await detail.getByText('ok', { exact: true }).waitFor()
  expect(await detail.getByText('Edit this request').count()).toBe(0)
  await page.keyboard.press('4')
  const timeline = page.getByRole('region', { name: 'Trace' })
  await timeline.getByText('3 deliveries').waitFor()
  await page.keyboard.press('3')
  await detail.getByText('The verdict is the one at capture.').waitFor()
  const candidate = detail.getByLabel('Try another secret').last()
  await candidate.fill('theirs')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByTestId('candidate').innerText())
    .toMatch(/^This secret produces the received signature\.$/)
  await rows(page).nth(1).click()
  await detail.getByText('The body was redacted when this log was exported.').waitFor()
  expect(await detail.getByLabel('Try another secret').count()).toBe(0)

  // Within the log, and between a log and the live deliveries.
  await rows(page).nth(0).click()
  await page.keyboard.press('c')
  await rows(page).nth(4).click()
  await page.keyboard.press('c')
  await page
    .getByRole('region', { name: 'Differences by path' })
    .getByText('116 becomes 120')
    .waitFor()
  await tabs(page).getByRole('link', { name: 'Live' }).click()
  await expect.poll(hash).toBe('#/deliveries/2?filter=type%3AOPEN_TAB')
  // Unchanged, except for new deliveries.
  await expect.poll(() => filterField(page).inputValue()).toBe('type:OPEN_TAB')
  await expect
    .poll(() => page.locator('.delivery-row[data-current]').getAttribute('data-id'))
    .toBe('2')
  await page.getByText('Comparing with #120').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('region', { name: 'Differences by path' }).getByText('tab-live').waitFor()
  expect((await page.locator('.diff-sides').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /friday\.ndjson.*live/,
  )
  await page.getByRole('button', { name: 'Stop comparing' }).click()
  await page.evaluate(() => location.assign('#/logs/1'))

  await page.getByRole('link', { name: 'Integrations & authorization' }).click()
  const authorization = page.getByRole('region', { name: 'Authorization' })
  for (const text of [
    'Their integration',
    'Their endpoint',
    'Their token',
    'The returned state does not match the one sent.',
  ]) {
    await authorization.getByText(text).first().waitFor()
  }
  expect(
    await authorization.getByRole('button', { name: /Authorization code|Reveal/ }).count(),
  ).toBe(0)
  await page.getByRole('link', { name: 'Deliveries', exact: true }).last().click()
  await rows(page).first().waitFor()

  // A second, truncated log: both are open, and what is missing is reported.
  await visit('#/logs/2')
  await shown(7)
  // The live delivery with the same number is not affected.
  await page.locator('.delivery-row[data-id="2"]').click()
  await page.locator('.detail h2').waitFor()
  for (const key of ['b', 'r', 'l', 'n']) await page.keyboard.press(key)
  await page.getByRole('link', { name: 'What is missing' }).click()
  await page.getByText(/of the 8 deliveries that its head announces/).waitFor()
  await page.goBack()
  await expect
    .poll(() => tabs(page).locator('a > .cut').allInnerTexts())
    .toEqual(['Live', 'Event logs', 'friday.ndjson', 'cut.ndjson'])
  await page.getByRole('button', { name: 'Close cut.ndjson' }).click()
  await expect.poll(hash).toBe('#/deliveries/2?filter=type%3AOPEN_TAB')
  const same = page.locator('.delivery-row[data-id="2"]')
  await same.waitFor()
  expect(await same.getAttribute('data-pinned')).toBe(null)
  expect(await same.innerText()).not.toMatch(/sent|sending/)
  await tabs(page).getByRole('link', { name: 'friday.ndjson' }).click()

  // Edited and sent: a draft with its own copy of the bytes, which outlives the log.
  await rows(page).first().click()
  await page.keyboard.press('e')
  await expect.poll(hash).toBe('#/send/drafts/log/1/120')
  await page.getByRole('link', { name: 'from #120 in friday.ndjson', exact: true }).waitFor()
  await expect
    .poll(() => page.getByLabel('Signature to send').locator('option').allInnerTexts())
    .toContain('As captured')
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('200 OK').first().waitFor()
  await product.engine.call('logs.remove', { id: 1 })
  await expect
    .poll(() => page.getByRole('link', { name: 'from #120 in friday.ndjson', exact: true }).count())
    .toBe(0)
  await page.reload()
  await page.getByText('from #120 in friday.ndjson').first().waitFor()
  await page.getByText(/nothing to compare/).waitFor()
  await page.locator('.cm-content').getByText('"tab-29"').first().waitFor()

  // The page of a removed log reports this, and links back.
  await visit('#/logs/1?filter=type:OPEN_TAB')
  await page.getByRole('heading', { name: 'Event log not found' }).waitFor()
  await page.getByRole('link', { name: 'Back to the live deliveries' }).click()
  await rows(page).first().waitFor()
  // Sent from the draft: received here as a delivery, but not listed as an attempt of one.
  await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(4)
})
