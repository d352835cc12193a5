import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { UpdateState } from '#contract/desktop.ts'
import { capabilityNames } from '#contract/host.ts'
import { axeFaultsInBoth } from '../support/axe.ts'
import { interceptCalls } from '../support/intercepted-calls.ts'
import type { Product, Watched } from '../support/product.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'

const secret = 'palette-secret-0123456789'
const uuid = '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2'

let product: Product
let watched: Watched
let page: Page

beforeAll(async () => {
  product = await startProduct({ secret })
  for (let id = 1; id <= 12; id++) {
    const body = {
      type: 'ORDER_PLACED',
      targetUuid:
        id === 3 ? uuid : `00000000-0000-4000-8000-0000000000${String(id).padStart(2, '0')}`,
      locationName: id === 12 ? `\u202Eevil <img src=x> ${'long '.repeat(40)}` : 'Pier 9',
      createdAt: '2026-11-21T09:00:00.000Z',
      data: { orderName: `A-${id}`, total: id },
    }
    await deliver(product.endpoint, JSON.stringify(body), { secret: id === 5 ? 'other' : secret })
  }
  watched = await openPage(product.ui, {
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  ;({ page } = watched)
  await page.getByTestId('delivery-row').nth(11).waitFor()
})

afterAll(async () => {
  await closeBrowser()
  await product[Symbol.asyncDispose]()
})

const field = () => page.getByRole('combobox', { name: 'Find a command, delivery or setting' })
const active = () => page.locator('.palette [role="option"][aria-selected="true"]')
const hash = () => page.evaluate(() => location.hash)

async function find(text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await page.keyboard.type(text)
}

it('shows recent items and every command, and works by keyboard alone', async () => {
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await expect.poll(() => active().innerText()).toContain('#12')
  expect(await field().getAttribute('aria-activedescendant')).toBe(
    await active().getAttribute('id'),
  )
  expect(
    await page.getByRole('group', { name: 'Newest deliveries' }).getByRole('option').count(),
  ).toBe(5)
  const commands = page.getByRole('group', { name: 'Commands' }).getByRole('option')
  expect(await commands.count()).toBeGreaterThan(50)
  expect(await commands.filter({ hasText: 'Go to the tunnel' }).innerText()).toContain('Shift T')
  expect(await axeFaultsInBoth(page), 'palette').toEqual([])
  await page.keyboard.press('ArrowUp')
  expect(await active().evaluate((option) => option.nextElementSibling)).toBeNull()
  await page.keyboard.press('ArrowDown')
  expect(await active().innerText()).toContain('#12')
  await page.keyboard.press('End')
  expect(await active().evaluate((option) => option.nextElementSibling)).toBeNull()
  expect(
    await active().evaluate((option) => option.closest('[role="listbox"]')?.scrollTop),
  ).not.toBe(0)
  await page.keyboard.press('Home')
  expect(await active().innerText()).toContain('#12')
  // With a query, they first move within the text.
  await page.keyboard.type('go to')
  const beginning = await active().innerText()
  await page.keyboard.press('Home')
  expect(await field().evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(0)
  await page.keyboard.press('End')
  expect(await active().innerText()).toBe(beginning)
  await page.keyboard.press('End')
  expect(await active().innerText()).not.toBe(beginning)
  await field().fill('')
  // The same key closes it again, and so does Escape.
  await page.keyboard.press('Control+k')
  await field().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await field().waitFor()
  await page.keyboard.press('Escape')
  await field().waitFor({ state: 'detached' })
})

it('opens while you type, restores the focus, and runs the command on the page beneath', async () => {
  const filter = page.getByRole('combobox').first()
  await filter.focus()
  await find('choose it')
  await page.keyboard.press('Escape')
  await expect.poll(() => filter.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByRole('grid').focus()
  await page.keyboard.press('g')
  await find('pin or')
  expect(await active().innerText()).toContain('Pin or unpin')
  await page.keyboard.press('Enter')
  await page.locator('[data-testid="delivery-row"][data-id="12"][data-pinned]').waitFor()
  // The most recently used entry is first.
  await page.keyboard.press('Control+k')
  await expect.poll(() => active().innerText()).toContain('Pin or unpin')
  await page.keyboard.press('Escape')
})

it('opens a page, and runs a command that exists only there', async () => {
  await find('go to set')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await find('edit the filter')
  await page.keyboard.press('Enter')
  await page.getByRole('grid').waitFor()
  const filter = page.getByRole('combobox').first()
  await expect.poll(() => filter.evaluate((one) => one === document.activeElement)).toBe(true)
  await find('create an end')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /endpoint/i })
  await dialog.waitFor()
  // The palette does not open over a dialog.
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Find…' }).click()
  await field().waitFor()
  await page.keyboard.type('use the dark')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  await find('the system theme')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === undefined)
})

it('finds deliveries by number, ID, verdict and title, and passes the rest to the filter', async () => {
  await find('#3')
  await expect.poll(() => active().innerText()).toContain('#3')
  await field().fill(uuid)
  await expect.poll(() => page.locator('.palette .palette-number').allInnerTexts()).toEqual(['#3'])
  await field().fill('invalid')
  await expect.poll(() => page.locator('.palette .palette-number').allInnerTexts()).toEqual(['#5'])
  await field().fill('A-7 placed')
  await expect.poll(() => page.locator('.palette .palette-number').allInnerTexts()).toEqual(['#7'])
  expect(await active().locator('mark').allInnerTexts()).toEqual(['PLACED', 'A-7', 'placed'])
  // Hostile names are shown as text.
  await field().fill('evil')
  const evil = page.locator('.palette [role="option"]', { hasText: '#12' })
  await evil.waitFor()
  expect(await evil.innerText()).toContain('\\u202e')
  expect(await page.locator('.palette').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(
    true,
  )
  await field().fill('no such thing anywhere')
  await expect.poll(() => active().innerText()).toContain('Filter deliveries for')
  await page.locator('.palette-nothing').getByText('No results').waitFor()
  expect(await axeFaultsInBoth(page), 'nothing found').toEqual([])
  await field().fill('#999')
  await page.locator('.palette').getByRole('status').getByText('Delivery not found.').waitFor()
  expect(await page.locator('.palette [role="option"]').count()).toBe(0)
  // A number is a delivery first.
  await field().fill('12')
  await expect.poll(() => active().innerText()).toContain('#12')
  await field().fill('invalid')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
  await expect.poll(() => page.getByTestId('delivery-row').count()).toBe(1)
})

it('opens a delivery by its address, whatever the list shows, and reports a missing one', async () => {
  await find('#3')
  await expect.poll(() => active().innerText()).toContain('#3')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Delivery', exact: true })
  await detail.getByRole('heading', { name: /Order A-3 placed/ }).waitFor()
  expect(await hash()).toBe('#/deliveries/3')
  expect(await page.getByTestId('delivery-row').count()).toBe(1)
  // Back returns to the previous page. The URL of a deleted delivery is replaced.
  await page.goBack()
  await expect.poll(hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
  await page.evaluate(() => location.assign('#/deliveries/4'))
  await detail.getByRole('heading', { name: /Order A-4 placed/ }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(hash).toBe('#/deliveries?filter=verdict%3Ainvalid')
  await page.evaluate(() => location.assign('#/deliveries/4'))
  await detail.getByRole('heading', { name: /Order A-4 placed/ }).waitFor()
  await find('copy link')
  await page.keyboard.press('Enter')
  await page.getByText('Link copied').waitFor()
  const link = await page.evaluate(async () => navigator.clipboard.readText())
  expect(link).toBe(`${new URL(product.ui).origin}/#/deliveries/4`)
  await page.evaluate(() => location.assign('#/deliveries/999'))
  await detail.getByRole('heading', { name: 'Could not load this delivery' }).waitFor()
  await page.evaluate(() => location.assign('#/logs/7/deliveries/1'))
  await page.getByRole('heading', { name: 'Event log not found' }).waitFor()
})

it('finds settings on their page, highlights them, and opens one from the palette', async () => {
  await goTo(page, 'Settings')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.keyboard.press('/')
  const search = page.getByRole('textbox', { name: 'Find a setting' })
  expect(await search.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type('limit')
  await page.getByText('1 setting found').waitFor()
  expect(await page.locator('.settings mark').first().innerText()).toBe('limit')
  expect(await page.getByLabel('Port').isVisible()).toBe(false)
  expect(await axeFaultsInBoth(page), 'settings found').toEqual([])
  await search.fill('redaction')
  expect(await page.getByRole('link', { name: /Redaction rules/ }).getAttribute('href')).toBe(
    '#/logs',
  )
  await search.fill('tray')
  await page.getByText('is only available in the desktop app').waitFor()
  await search.fill('zzz')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  expect(await axeFaultsInBoth(page), 'no setting').toEqual([])
  await page.keyboard.press('Escape')
  expect(await search.inputValue()).toBe('')
  for (let turn = 0; turn < 2; turn++) {
    await find('body limit')
    await page.keyboard.press('Enter')
    const limit = page.getByLabel('Body limit')
    await expect.poll(() => limit.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await page.locator('[data-highlighted]').getAttribute('data-setting')).toBe('body-limit')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).click()
  }
  await page.evaluate(() => location.assign('#/settings?find=listener'))
  await page.getByText(/settings found/).waitFor()
})

it('shows the details of this installation, ready to copy, and the licenses', async () => {
  await find('about')
  await page.keyboard.press('Enter')
  const about = page.getByRole('dialog', { name: 'About Tabscope' })
  await about.getByText('SQLite').waitFor()
  expect(await axeFaultsInBoth(page), 'about').toEqual([])
  await about.getByRole('button', { name: 'Copy versions' }).click()
  await about.getByText('Copied').first().waitFor()
  const text = await page.evaluate(async () => navigator.clipboard.readText())
  expect(text).toMatch(/^Tabscope \d+\.\d+\.\d+\nNode \d+/)
  expect(text).toMatch(/\nSQLite 3\.\d+/)
  expect(text).not.toContain(product.dataDir)
  await about.getByRole('button', { name: 'Show licenses' }).click()
  const licences = page.getByRole('dialog', { name: 'Licenses' })
  await licences.getByText(/MIT/).first().waitFor()
  expect(await axeFaultsInBoth(page), 'licences').toEqual([])
  await page.keyboard.press('Escape')
  await licences.waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('shows desktop-only features and update progress, and asks before it stops a capture', async () => {
  await page.goto('about:blank')
  const installs: unknown[] = []
  const wire = await interceptCalls(page, {
    answers: {
      'app.snapshot': (given) => ({
        ...z.looseObject({}).parse(given),
        capabilities: Object.fromEntries(capabilityNames.map((name) => [name, true])),
        updates: { state: 'idle', checkedAt: null },
      }),
      'updates.install': (_given, input) => {
        installs.push(input)
        // The first attempt is rejected.
        return installs.length === 1 ? undefined : {}
      },
    },
    pushes: {},
  })
  const show = (state: UpdateState): void => wire.push('updates.changed', state)
  await page.goto(product.ui)
  await page.getByTestId('delivery-row').first().waitFor()
  await page.evaluate(() => location.assign('#/settings/updates'))
  await page.getByText('Not checked since Tabscope started').waitFor()
  const background = page.getByRole('switch', { name: 'Keep capturing in the background' })
  expect(await background.getAttribute('aria-checked')).toBe('false')
  await background.click()
  await expect.poll(() => background.getAttribute('aria-checked')).toBe('true')
  await page.getByRole('switch', { name: 'Tunnel lost' }).click()
  await page.getByRole('radio', { name: 'Download' }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Download' }).isChecked()).toBe(true)

  show({ state: 'available', version: '9.0.0', page: 'https://example.test/9', why: null })
  await page.getByRole('button', { name: 'Download' }).waitFor()
  // Shown on every page.
  const newer = page.getByRole('contentinfo').getByRole('link', { name: '9.0.0 is available' })
  expect(await newer.getAttribute('href')).toBe('#/settings/updates')
  show({ state: 'downloading', version: '9.0.0', share: 0.42 })
  await page.getByRole('progressbar').waitFor()
  show({ state: 'ready', version: '9.0.0', waitsFor: 'An evening is running.' })
  await page.getByRole('button', { name: 'Restart to update' }).click()
  const asks = page.getByRole('dialog', { name: 'Restart now?' })
  await asks.getByText('An evening is running.').waitFor()
  expect(installs).toEqual([])
  await asks.getByRole('button', { name: 'Restart' }).click()
  const refused = page.getByText('Update it where you installed it from.')
  await asks.waitFor({ state: 'detached' })
  await refused.waitFor()
  // The next state contains the same message, which is announced once.
  show({ state: 'failed', version: '9.0.0', message: 'It was refused.' })
  await page.getByText('It was refused.').waitFor()
  expect(await refused.count()).toBe(0)
  show({ state: 'ready', version: '9.0.0', waitsFor: 'An evening is running.' })
  await page.getByRole('button', { name: 'Restart to update' }).click()
  await asks.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => installs).toEqual([{ now: true }, { now: true }])
  await asks.waitFor({ state: 'detached' })
  show({ state: 'failed', version: null, message: 'The release server cannot be reached.' })
  await page.getByText('The release server cannot be reached.').waitFor()
  expect(await axeFaultsInBoth(page), 'desktop settings').toEqual([])
  expect(watched.faults).toEqual([])
})
