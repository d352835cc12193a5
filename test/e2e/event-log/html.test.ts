import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFaults } from '#test/support/axe.ts'
import { eveningItems, itemOf, writePage } from '#test/support/log-page.ts'
import { openFile } from '#test/support/opened-file.ts'
import { closeBrowser, deliver, startProduct } from '#test/support/product.ts'
import { runCli } from '#test/support/run-cli.ts'
import { sampleRehearsal } from '#test/support/event-log/sample-rehearsal.ts'
import { sampleDelivery } from '#test/support/sample-delivery.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

afterAll(closeBrowser)

const order = (name: string) =>
  JSON.stringify({
    type: 'ORDER_PLACED',
    targetUuid: `order-${name}`,
    locationName: 'Pier 9',
    createdAt: '2026-03-14T21:09:00.000Z',
    data: { orderName: name, total: 42.5, handle: 'guest@example.org' },
  })

const rows = (page: Page) => page.getByTestId('delivery-row')
const field = (page: Page) => page.getByRole('combobox', { name: /filter/i })
const row = (page: Page, id: number) =>
  page.locator(`[data-testid="delivery-row"][data-id="${id}"]`)
const count = (page: Page) => rows(page).count()

it('is exported by the command line, and opens from disk without a request', async () => {
  const secret = 'page-secret-0123456789'
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, order('A-17'), { secret })
  await deliver(product.endpoint, order('B-4'), { secret: 'another' })
  await deliver(product.endpoint, 'not json', { secret })
  const target = path.join(tempFolder(), 'log.html')
  const { code, stderr } = await runCli([
    'export',
    '--format',
    'html',
    '-o',
    target,
    '--data',
    product.dataDir,
  ])
  expect({ code, stderr }).toMatchObject({ code: 0 })

  await using file = await openFile(pathToFileURL(target).href)
  const { page } = file
  await expect.poll(() => count(page)).toBe(3)
  expect(await page.title()).toMatch(/^Event log of /)
  await page.getByRole('button', { name: /^Redacted/ }).waitFor()
  await page.getByRole('radio', { name: 'Authorization' }).check({ force: true })
  await page.getByRole('region', { name: 'Authorization' }).waitFor()
  await page.getByRole('radio', { name: 'Deliveries' }).check({ force: true })
  expect(readFileSync(target, 'utf8')).not.toContain('guest@example.org')

  await row(page, 2).click()
  await page.getByTestId('verdict-banner').getByText('does not match').waitFor()
  await page.getByText('B-4').first().waitFor()
  expect(file.requests.map((request) => new URL(request).protocol)).toEqual(['file:'])
  expect(file.faults).toEqual([])
})

it('searches, filters, charts and shows each tab, by mouse and by keys', async () => {
  await using file = await openFile(writePage(tempFolder(), 'evening', eveningItems(300)))
  const { page } = file
  await rows(page).first().waitFor()
  await page.getByText('300 deliveries').waitFor()
  // Like the footer of the application: the keys have a distance from their words.
  const hint = page.locator('.foot-hint', { hasText: 'open' })
  expect(await hint.evaluate((element) => getComputedStyle(element).columnGap)).toMatch(/px$/)

  await field(page).fill('type:OPEN_TAB')
  await expect.poll(() => rows(page).first().textContent()).toContain('OPEN_TAB')
  const opened = await page.locator('.filter-terms').textContent()
  expect(opened).toMatch(/\d+\s*of 300/)
  await field(page).fill('patio')
  await expect.poll(() => rows(page).first().textContent()).toContain('Patio')
  await field(page).fill('data.total:>30')
  await expect.poll(() => rows(page).first().textContent()).toContain('ORDER_PLACED')
  await field(page).fill('verdict:invalid')
  await page
    .getByText(/No matching deliveries/i)
    .first()
    .waitFor()
  await field(page).fill('verdict:')
  await page.getByRole('option', { name: /unsigned/ }).waitFor()
  await field(page).fill('')
  await page.keyboard.press('Escape')
  await expect.poll(() => rows(page).first().getAttribute('data-id')).toBe('300')

  // Keys: to the list, down, open, and from tab to tab.
  await page.getByRole('grid').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await detail.getByRole('heading', { level: 2 }).waitFor()
  const panel = page.getByRole('tabpanel')
  await page.keyboard.press('2')
  await panel.getByText('X-Acme-Signature').first().waitFor()
  await panel.getByText('no expected value').or(panel.getByText('yes')).first().waitFor()
  await page.keyboard.press('3')
  await panel.getByText('locationName').first().waitFor()
  await page.keyboard.press('4')
  await panel.getByText('Received in').waitFor()
  await page.keyboard.press('5')
  await page.getByRole('region', { name: 'Trace' }).waitFor()
  await page.getByRole('region', { name: 'Trace' }).getByRole('listitem').first().waitFor()
  await page.keyboard.press('6')
  await panel
    .getByText(/Compar|differ|same|before/i)
    .first()
    .waitFor()
  await page.keyboard.press('7')
  await panel.getByText('No attempts', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => detail.count()).toBe(0)

  await page.keyboard.press('v')
  await page
    .getByRole('img', { name: /verdict|deliveries/i })
    .or(page.locator('.charts svg'))
    .first()
    .waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Next delivery').waitFor()
  expect(await keys.getByText(/Re-send|Pin or unpin|Pause/).count()).toBe(0)
  await page.keyboard.press('Escape')

  // There are no controls that change data.
  await rows(page).first().click()
  await detail.getByRole('tab', { name: 'Overview' }).click()
  for (const name of [/re-send/i, /edit and send/i, /^pin/i, /add a tag/i, /export/i, /pause/i]) {
    expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
  }
  // A link to a filter, Back and a reload.
  await page.evaluate(() => location.assign('#/deliveries?filter=type%3ACLOSE_TAB'))
  await expect.poll(() => field(page).inputValue()).toBe('type:CLOSE_TAB')
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toBe('type:CLOSE_TAB')
  await page.goBack()
  await expect.poll(() => field(page).inputValue()).toBe('')

  expect(new Set(file.requests.map((request) => request.split('#')[0])).size).toBe(1)
  expect(file.faults).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  it(`has no axe violations, ${colorScheme}, and can switch its theme`, async () => {
    const runs = [1, 2].flatMap((id) => sampleRehearsal('text', { id }))
    const items = [...runs, ...eveningItems(60)]
    await using file = await openFile(writePage(tempFolder(), 'axe', items), {
      colorScheme,
      viewport:
        colorScheme === 'light' ? { width: 1440, height: 900 } : { width: 1024, height: 700 },
    })
    const { page } = file
    await rows(page).first().waitFor()
    expect(await axeFaults(page), 'list').toEqual([])
    await rows(page).nth(3).click()
    for (const name of colorScheme === 'light' ? ['Overview', 'Trace'] : ['Headers', 'Signature']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').waitFor()
      expect(await axeFaults(page), name).toEqual([])
    }
    await page.getByRole('radio', { name: 'Rehearsals' }).check({ force: true })
    await page.locator('[data-case="S4"]').click()
    const detail = page.getByRole('region', { name: 'Case S4' })
    await detail.getByRole('region', { name: 'Sent' }).first().getByText('X-Text').waitFor()
    await detail.getByText('Stop at the start if the secret is not set or empty').waitFor()
    expect(await axeFaults(page), 'case').toEqual([])
    expect(await page.getByRole('button', { name: /resume|remove|edit and send/i }).count()).toBe(0)
    expect(await page.getByText(/rehearse again|new rehearsal/i).count()).toBe(0)
    await page.getByRole('link', { name: 'Compare runs' }).click()
    await page.getByText('0 cases fixed and 0 regressed').waitFor()
    expect(await axeFaults(page), 'matrix').toEqual([])
    await page.getByTitle('Open S4 of run 1').click()
    await detail.waitFor()

    await page.getByRole('button', { name: 'About this log' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await axeFaults(page), 'about').toEqual([])
    await page.keyboard.press('Escape')

    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await background()
    await page
      .getByRole('radio', { name: colorScheme === 'light' ? 'Dark' : 'Light' })
      .check({ force: true })
    await expect.poll(background).not.toBe(before)
    await page.getByRole('radio', { name: 'System' }).check({ force: true })
    await expect.poll(background).toBe(before)
    expect(file.faults).toEqual([])
  })
}

it('reports what is missing from a damaged file, and never shows an empty page', async () => {
  const folder = tempFolder()
  const url = writePage(folder, 'whole', eveningItems(20))
  const whole = readFileSync(fileURLToPath(url), 'utf8')
  const changed = (name: string, text: string): string => {
    writeFileSync(path.join(folder, `${name}.html`), text)
    return pathToFileURL(path.join(folder, `${name}.html`)).href
  }
  const blocks = whole.split('<script type="application/json" data-log="delivery">')

  await using cutOff = await openFile(
    changed('cut-off', whole.slice(0, whole.lastIndexOf('"receivedAt"') + 3)),
  )
  await expect.poll(() => count(cutOff.page)).toBe(19)
  await cutOff.page.getByRole('alert').getByText('truncated').waitFor()

  const broken = blocks
    .with(20, (blocks[20] ?? '').replace('\n{', '\n{{'))
    .join('<script type="application/json" data-log="delivery">')
  await using damaged = await openFile(changed('damaged', broken))
  await expect.poll(() => count(damaged.page)).toBe(20)
  await row(damaged.page, 20).click()
  await damaged.page.getByText('Could not load this delivery').waitFor()
  await damaged.page.getByText('because the file is damaged').waitFor()
  await field(damaged.page).fill('patio OR closed')
  await expect.poll(() => count(damaged.page)).toBeLessThan(20)

  await using headless = await openFile(
    changed('headless', whole.replace('"format":"tabscope-event-log"', '"format":"other"')),
  )
  await headless.page.getByRole('heading', { name: 'This event log cannot be opened' }).waitFor()

  const tampered = await openFile(changed('tampered', whole.replace('tabscope-event-log', 'other')))
  await expect.poll(() => tampered.page.locator('body').innerText()).toContain('If this stays')
  expect(tampered.faults.length).toBeGreaterThan(0)
  await tampered[Symbol.asyncDispose]()

  await using empty = await openFile(writePage(folder, 'empty', []))
  await empty.page.getByRole('heading', { name: 'No deliveries in this log' }).waitFor()
  expect(await axeFaults(empty.page)).toEqual([])

  const one = writePage(folder, 'one', [itemOf(sampleDelivery('ORDER_PLACED'), 7)])
  await using single = await openFile(one)
  await row(single.page, 7).click()
  await single.page.getByTestId('verdict-banner').waitFor()

  await using still = await openFile(url, { javaScriptEnabled: false })
  await expect.poll(() => still.page.locator('body').innerText()).toContain('needs JavaScript')
  for (const { faults } of [cutOff, damaged, headless, empty, single]) expect(faults).toEqual([])
})
