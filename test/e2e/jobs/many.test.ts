import type { ServerResponse } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { loopbackService } from '../../support/loopback-service.ts'
import type { Arrived } from '../../support/loopback-service.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../../support/product.ts'
import { attempts, rows } from '../attempts/steps.ts'

afterAll(closeBrowser)

const tab = (number: number): string =>
  JSON.stringify({ type: number % 2 === 0 ? 'OPEN_TAB' : 'CLOSE_TAB', targetUuid: `tab-${number}` })
const numberOf = ({ body }: Arrived): number => Number(/tab-(\d+)/.exec(body.toString())?.[1])
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const strip = (page: Page) => page.getByRole('region', { name: 'Job progress' })
const items = (page: Page) => page.getByTestId('job-item')

/** Opens the dialog to re-send the selection, and fills in the address. */
async function ask(page: Page, address: string) {
  await bar(page).getByRole('button', { name: 'Re-send…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address)
  return dialog
}

it('re-sends the selection in order, at a rate, paused and resumed, and summarizes it', async () => {
  // Deliveries with a number divisible by 4 are rejected.
  await using service = await loopbackService((request, response: ServerResponse) => {
    response.writeHead(numberOf(request) % 4 === 0 ? 503 : 200).end()
  })
  await using product = await startProduct()
  for (let number = 1; number <= 12; number += 1) await deliver(product.endpoint, tab(number))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(11).waitFor()
  // Selects three with the keyboard and the rest with the pointer.
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await bar(page).getByText('3 selected').waitFor()
  await rows(page)
    .nth(9)
    .click({ modifiers: ['Shift'] })
  await bar(page).getByText('10 selected').waitFor()
  expect(await page.getByRole('region', { name: 'Delivery', exact: true }).count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Select #12' }).click()
  await bar(page).getByText('9 selected').waitFor()

  const topOfList = async () => (await page.getByRole('grid').boundingBox())?.y
  const top = await topOfList()
  const dialog = await ask(page, `${service.baseUrl}/pos`)
  await dialog.getByRole('heading', { name: 'Re-send 9 deliveries' }).waitFor()
  await dialog.getByRole('radio', { name: 'At a rate' }).check()
  await dialog.getByLabel('Deliveries per second').fill('5000')
  await dialog.getByRole('button', { name: 'Re-send 9' }).click()
  await dialog.getByText('Enter a number from 0.1 to 1,000.').waitFor()
  await dialog.getByLabel('Deliveries per second').fill('4')
  await dialog.getByRole('button', { name: 'Re-send 9' }).click()
  await strip(page)
    .getByText(/^Re-sending/)
    .waitFor()
  await bar(page).waitFor({ state: 'detached' })
  // The progress is shown below the list, which does not scroll.
  expect(await topOfList()).toBe(top)
  await strip(page).getByRole('button', { name: 'Pause' }).click()
  await strip(page).getByText('Paused').waitFor()
  const before = service.arrived.length
  expect(before).toBeLessThan(9)
  await strip(page).getByRole('link', { name: 'Show' }).click()
  const job = page.getByRole('region', { name: 'Job 1' })
  await job.getByText('Paused').waitFor()
  await page.keyboard.press('p')
  await job.getByText('Done, with failures').waitFor()

  // In the order received, not in the order selected.
  expect(service.arrived.map(numberOf)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
  await job.getByText('7 of 9 got a 2xx response, 2 failed.').waitFor()
  const outcomes = await job.getByRole('table', { name: 'Results' }).innerText()
  expect(outcomes.replaceAll(/\s+/g, ' ')).toContain('200 OK 7 503 Service Unavailable 2')
  await job.getByRole('button', { name: 'failed 2' }).click()
  await expect.poll(() => items(page).count()).toBe(2)
  await expect.poll(() => items(page).first().innerText()).toContain('#4')
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Jobs' }).innerText())
    .toContain('2 × 503 Service Unavailable')
  await job.getByRole('button', { name: 'Re-send 2 failed' }).click()
  const second = page.getByRole('region', { name: 'Job 2' })
  await second.getByText('0 of 2 got a 2xx response, 2 failed.').waitFor()
  expect(service.arrived.slice(9).map(numberOf)).toEqual([4, 8])
  expect(service.arrived.at(-1)?.url).toBe('/pos')
  await second.getByText('Done, with failures').waitFor()
  await second.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await second.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Jobs' }).getByRole('link').click()
  await expect.poll(() => items(page).count()).toBe(2)
  await items(page).nth(1).getByRole('button', { name: 'attempt' }).click()
  await attempts(page).nth(1).getByText('503 Service Unavailable').waitFor()
  await attempts(page).nth(1).getByText('job 1').waitFor()
  await page.getByRole('link', { name: 'in job 1' }).click()

  await job.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  await goTo(page, 'Deliveries')
  await rows(page).first().waitFor()
  expect(await strip(page).count()).toBe(0)
  expect(watched.faults).toEqual([])
})

it('re-sends all deliveries of a filter but one, stops at the first failure, and is canceled', async () => {
  await using service = await loopbackService((request, response) => {
    response.writeHead(numberOf(request) === 6 ? 500 : 200).end()
  })
  await using product = await startProduct()
  for (let number = 1; number <= 12; number += 1) await deliver(product.endpoint, tab(number))
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).nth(11).waitFor()
  const filter = page.getByRole('combobox').first()
  await filter.fill('type:OPEN_TAB')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows(page).count()).toBe(6)
  // In a text field, Mod+A selects the text.
  await page.keyboard.press('Control+a')
  expect(await bar(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+a')
  await bar(page).getByText('All 6 matching this filter').waitFor()
  // Deliveries that arrive from now on are not included.
  await deliver(product.endpoint, tab(14))
  await expect.poll(() => rows(page).count()).toBe(7)
  await bar(page).getByText('All 6 matching this filter').waitFor()
  await page.getByRole('checkbox', { name: 'Select #2' }).click()
  await bar(page).getByText('5 selected').waitFor()
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select all results' }).click()
  await bar(page).getByText('All 7 matching this filter').waitFor()

  const dialog = await ask(page, service.baseUrl)
  await dialog.getByLabel(/^Stop at the first/).check()
  await dialog.getByRole('button', { name: 'Re-send 7' }).click()
  await strip(page).getByText('Paused').waitFor()
  expect(service.arrived.map(numberOf)).toEqual([2, 4, 6])
  await strip(page).getByRole('link', { name: 'Show' }).click()
  const job = page.getByRole('region', { name: 'Job 1' })
  await job.getByRole('link', { name: 'type:OPEN_TAB' }).waitFor()
  await job.getByText('2 of 7 got a 2xx response, 1 failed, 4 not sent.').waitFor()
  await job.getByRole('button', { name: 'Cancel' }).click()
  await job.getByText('Cancelled').waitFor()
  expect(service.arrived.length).toBe(3)
  expect(watched.faults).toEqual([])
})
