import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { full } from '../support/full.ts'
import { loopbackService, type Arrived } from '../support/loopback-service.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'

const secret = 'resend-secret-0123456789'
const tab = '{"type":"OPEN_TAB","targetUuid":"tab-1","data":{"name":"Guest 1"}}'

const rows = (page: Page): Locator => page.getByTestId('delivery-row')

const attempts = (page: Page): Locator => page.getByTestId('attempt-row')

async function sendTo(page: Page, address: string): Promise<void> {
  await page.keyboard.press('Shift+R')
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill(address)
  await field.press('Enter')
}

async function toast(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.toast').filter({ hasText: text }).waitFor()
}

it('re-sends with one key, shows the change since the last attempt, and compares the two', async () => {
  let status = 500
  await using service = await loopbackService((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Mended': 'no' })
    response.end(status === 200 ? '{"ok":true}' : '{"error":"\u202e<b>no table"}')
  })
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, tab, { secret })
  await using page = await openPage(product.ui)
  await rows(page).first().waitFor()
  await page.keyboard.press('j')
  await sendTo(page, `${service.baseUrl}/pos?from=tab`)
  const { host } = new URL(service.baseUrl)
  await toast(page, `#1 re-sent to ${host}: 500 Internal Server Error.`)
  // No dialog opens automatically; the row shows the result.
  expect(await page.getByRole('region', { name: 'Delivery', exact: true }).count()).toBe(0)
  await rows(page).first().getByText('Your handler: 500').waitFor()

  status = 200
  await page.keyboard.press('r')
  await toast(page, `#1 re-sent to ${host}: 200 OK, fixed.`)
  await rows(page).first().getByText('Your handler: 500').waitFor({ state: 'detached' })
  expect(service.arrived.map(({ url, body }) => [url, body.toString()])).toEqual([
    ['/pos?from=tab', tab],
    ['/pos?from=tab', tab],
  ])

  await page.locator('.toast').getByRole('button', { name: 'Show' }).last().click()
  await page.getByRole('tab', { name: 'Attempts 2', selected: true }).waitFor()
  await expect.poll(() => attempts(page).count()).toBe(2)
  await expect.poll(() => attempts(page).first().innerText()).toMatch(/200 OK\s+fixed/)
  await expect.poll(() => attempts(page).nth(1).innerText()).toContain('500 Internal Server Error')
  const shown = page.getByRole('region', { name: 'Attempt 2', exact: true })
  await shown.getByRole('tree').getByText('ok').waitFor()
  await shown.getByText('Waiting for the first byte').waitFor()
  await shown.getByText('The signature is as captured.').waitFor()
  await shown.getByRole('radio', { name: 'Request as sent' }).check()
  const sent = shown.getByRole('table', { name: 'Headers sent' })
  await sent.getByText('X-Service-Signature').waitFor()
  await shown.getByText('POST /pos?from=tab').waitFor()

  const compare = page.getByLabel('Compare with another attempt')
  const previous = compare.locator('option').filter({ hasText: '(previous)' })
  await compare.selectOption({ label: await previous.innerText() })
  const differs = page.getByRole('region', { name: / compared with / })
  await differs.getByText('500 Internal Server Error', { exact: true }).waitFor()
  await differs.getByText('200 OK', { exact: true }).waitFor()
  const tree = page.getByRole('region', { name: 'Differences by path' })
  await tree.getByText(String.raw`"\u202e<b>no table"`).waitFor()
  await page.getByRole('radio', { name: 'Requests as sent' }).check()
  await page.getByText('The bodies are identical, byte for byte.').waitFor()
  await page.getByText(/^The headers are the same/).waitFor()

  // Attempts of another client appear immediately; keys move from one attempt to the next.
  status = 404
  await product.engine.call('deliveries.resend', { id: 1 })
  await page.getByRole('tab', { name: 'Attempts 3' }).waitFor()
  await attempts(page).first().getByText('regressed').waitFor()
  await compare.selectOption('')
  await page.keyboard.press(']')
  await page.keyboard.press(']')
  await page.getByRole('region', { name: 'Attempt 1', exact: true }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('region', { name: 'Attempt 2', exact: true }).waitFor()
})

const numbered = (number: number): string =>
  JSON.stringify({ type: number % 2 === 0 ? 'OPEN_TAB' : 'CLOSE_TAB', targetUuid: `tab-${number}` })
const numberOf = ({ body }: Arrived): number => Number(/tab-(\d+)/.exec(body.toString())?.[1])
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const strip = (page: Page) => page.getByRole('region', { name: 'Job progress' })
const items = (page: Page) => page.getByTestId('job-item')

async function ask(page: Page, address: string) {
  await bar(page).getByRole('button', { name: 'Re-send…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address)
  return dialog
}

it('re-sends the selection at a rate, paused and resumed, and summarizes it', async () => {
  // Deliveries with a number divisible by 4 are rejected.
  await using service = await loopbackService((request, response: ServerResponse) => {
    response.writeHead(numberOf(request) % 4 === 0 ? 503 : 200).end()
  })
  await using product = await startProduct()
  for (let number = 1; number <= 12; number += 1) await deliver(product.endpoint, numbered(number))
  await using page = await openPage(product.ui)
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

  // The notice of a failure is above the list.
  const list = page.getByRole('region', { name: 'Notices' }).or(page.getByRole('grid')).first()
  const topOfList = async () => (await list.boundingBox())?.y
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

  // On a busy machine, one that is sent later can be accepted first.
  const arrived = (from: number): number[] =>
    service.arrived
      .slice(from)
      .map(numberOf)
      .toSorted((a, b) => a - b)
  expect(arrived(0)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
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
  expect(arrived(9)).toEqual([4, 8])
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
  await goTo(page, 'Deliveries', 'Live')
  await rows(page).first().waitFor()
  await expect.poll(() => strip(page).count()).toBe(0)
})

it.runIf(full)(
  'applies a response rule while it is active, and shows it in the connection bar',
  async () => {
    await using product = await startProduct()
    await using page = await openPage(product.ui)
    await goTo(page, 'Setup', 'Endpoints')
    const chip = page.locator('.bar-rules')
    await page.getByRole('button', { name: 'Add response rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Event type').selectOption('OPEN_TAB')
    await dialog.getByRole('textbox', { name: 'Status' }).fill('99')
    await dialog.getByRole('radio', { name: 'For the first deliveries' }).check()
    await dialog.getByLabel('How many').fill('2')
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.getByText('Enter a whole number from 200 to 599.').waitFor()
    await dialog.getByRole('textbox', { name: 'Status' }).fill('503')
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => chip.innerText()).toContain('Response rule: 503 for OPEN_TAB')

    expect(await deliver(product.endpoint, tab)).toBe(503)
    await expect.poll(() => chip.innerText()).toContain('1 of 2')
    expect(await deliver(product.endpoint, '{"type":"CLOSE_TAB"}')).toBe(200)
    expect(await deliver(product.endpoint, tab)).toBe(503)
    await chip.waitFor({ state: 'hidden' })
    await page.getByText('2 of 2: 200 again').waitFor()
    expect(await deliver(product.endpoint, tab)).toBe(200)

    // A delivery received three times is recognized, whatever the responses were.
    await goTo(page, 'Deliveries', 'Live')
    await expect.poll(() => rows(page).first().innerText()).toMatch(/again|duplicate|repeat|same/i)

    await goTo(page, 'Setup', 'Endpoints')
    await page.getByRole('button', { name: 'Edit response rule 503 for OPEN_TAB' }).click()
    await dialog.getByRole('radio', { name: 'Always' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await chip.getByRole('button', { name: 'Turn off response rules' }).click()
    await chip.waitFor({ state: 'hidden' })
    expect(await deliver(product.endpoint, tab)).toBe(200)
  },
)
