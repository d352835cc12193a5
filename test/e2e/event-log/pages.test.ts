import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  closeBrowser,
  deliver,
  goTo,
  openOwnPage,
  startProduct,
  type Product,
  type Watched,
} from '../../support/product.ts'
import { clipboard, clipboardOf } from '../tunnel/steps.ts'
import { download, dropFiles, exportDialog, focused, linesOf, stripOf } from './steps.ts'

const secret = 'pages-secret-0123456789abcdef'
const guest = 'mia.moreau@example.com'

let product: Product | null = null
let watched: Watched | null = null
/** The exported files, to import again. */
let exported = { name: '', text: '' }

beforeAll(async () => {
  product = await startProduct({ secret })
  for (const [index, type] of ['OPEN_TAB', 'GUEST_VERIFIED', 'GUEST_VERIFIED'].entries()) {
    const data = { tabUuid: `7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a1${index}`, handle: guest }
    const event = { type, locationName: 'Pier 9', createdAt: new Date().toISOString(), data }
    await deliver(product.endpoint, JSON.stringify(event), {
      secret,
      headers: { 'X-Venue-Pin': 'pin-4711' },
    })
  }
  watched = await openOwnPage(product.ui, clipboard)
  // Registered early, because it takes the browser a moment to intercept file choosers.
  watched.page.on('filechooser', () => undefined)
})
afterAll(async () => {
  await watched?.[Symbol.asyncDispose]()
  await product?.[Symbol.asyncDispose]()
  await closeBrowser()
})

/** One page for all tests. */
function walk(): Watched {
  if (!watched) throw new Error('no page')
  return watched
}

function walkedEndpoint(): string {
  if (!product) throw new Error('no product')
  return product.endpoint
}

it('previews what is redacted, and exports a file without it', async () => {
  const { page } = walk()
  await page.getByTestId('delivery-row').nth(2).waitFor()
  await page.keyboard.press('s')
  const dialog = exportDialog(page)
  await dialog.getByRole('radio', { name: 'All deliveries' }).and(page.locator(':focus')).waitFor()
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByRole('status').getByText('3 deliveries').waitFor()
  const handle = preview.locator('.removal').filter({ hasText: 'data.handle' })
  await handle.getByText('3 values in 3 deliveries').waitFor()
  const example = await handle.locator('.removal-examples li').first().innerText()
  expect(example).toContain(guest)
  expect(example).toMatch(/redacted-[a-z]+-[a-z2-7]{12}/)
  const signature = preview.locator('.removal[data-kind="signature"]').first()
  await signature.getByText('not shown').first().waitFor()

  const contacts = preview.locator('.removal-class[data-class="contacts"]')
  const choice = dialog.getByRole('checkbox', { name: /^Contact details/ })
  await choice.click()
  await contacts.waitFor({ state: 'detached' })
  await preview.getByText('Not replaced, as selected: contact details.').waitFor()
  await choice.click()
  await contacts.getByText('data.handle').waitFor()
  expect(await dialog.getByRole('checkbox', { name: /^Secrets/ }).isDisabled()).toBe(true)

  exported = await download(page)
  expect(exported.name).toMatch(/^tabscope-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/)
  expect(linesOf(exported.text, 'delivery')).toHaveLength(3)
  expect(linesOf(exported.text, 'head')[0]).toMatchObject({ redaction: { on: true } })
  expect(linesOf(exported.text, 'end')[0]).toMatchObject({ deliveries: 3 })
  expect(exported.text).not.toContain(guest)
  expect(exported.text).not.toContain(secret)
})

it('shows export progress on every page until dismissed, and the file at the end', async () => {
  const { page } = walk()
  await stripOf(page).getByText(`Exported ${exported.name}`).waitFor()
  await goTo(page, 'Endpoints')
  await stripOf(page).getByText('3 deliveries').waitFor()
  await page.keyboard.press('L')
  await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
  expect(await stripOf(page).count()).toBe(0)
  await page.getByText('Saved to your Downloads folder.').waitFor()
  await page.getByRole('button', { name: `Dismiss ${exported.name}` }).click()
  expect(await focused(page)).toContain('Import')
  await page.getByRole('region', { name: 'Exports and imports' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
  expect(await page.getByRole('region', { name: 'Exports and imports' }).count()).toBe(0)
})

it('asks before redaction is turned off, and marks the file', async () => {
  const { page } = walk()
  await page.keyboard.press('s')
  const dialog = exportDialog(page)
  const redaction = dialog.getByRole('switch', { name: 'Redact' })
  await redaction.click()
  const asked = page.getByRole('dialog', { name: 'Export without redaction?' })
  await asked.getByRole('button', { name: 'Keep redaction on' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(await redaction.getAttribute('aria-checked')).toBe('true')
  await redaction.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Space')
  await asked.getByRole('button', { name: 'Turn off for this export' }).click()
  await dialog.getByText('Nothing is redacted.').waitFor()
  await dialog.getByRole('button', { name: 'Export 3, not redacted' }).waitFor()
  const { name, text } = await download(page)
  expect(name).toContain('-not-redacted.ndjson')
  expect(linesOf(text, 'head')[0]).toMatchObject({ redaction: { on: false } })
  expect(text).toContain(guest)
  await page.getByText(/, not redacted/).waitFor()
})

it('exports the filtered list, or the selection, in another format', async () => {
  const { page } = walk()
  await goTo(page, 'Deliveries')
  await page.getByRole('combobox').first().fill('type:OPEN_TAB')
  await page.keyboard.press('Enter')
  await page.getByTestId('delivery-row').nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = exportDialog(page)
  expect(await dialog.getByRole('textbox', { name: 'Filter' }).inputValue()).toBe('type:OPEN_TAB')
  await dialog.getByRole('status').getByText('1 delivery').waitFor()
  await dialog.getByRole('textbox', { name: 'Filter' }).fill('since:')
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByText('Fix the errors to see a preview.').waitFor()
  await dialog.getByRole('textbox', { name: 'Filter' }).fill('type:GUEST_VERIFIED')
  await dialog.getByRole('button', { name: 'Export 2' }).waitFor()
  await dialog.getByRole('combobox', { name: 'Received' }).selectOption('Between two times')
  await dialog.getByLabel('Until', { exact: true }).fill('2020-01-01T00:00')
  await dialog.getByText('No deliveries match.').waitFor()
  expect(await dialog.getByRole('button', { name: /^Export 0/ }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear the filter' }).click()

  await page.getByTestId('delivery-row').nth(2).waitFor()
  await page
    .getByTestId('delivery-row')
    .nth(0)
    .click({ modifiers: ['Control'] })
  await page
    .getByTestId('delivery-row')
    .nth(2)
    .click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Export…' }).click()
  await dialog.getByRole('radio', { name: '2 selected deliveries', checked: true }).waitFor()
  await dialog.locator('.format-card[data-format="curl"]').click()
  const target = dialog.getByRole('textbox', { name: 'Target URL' })
  await target.fill('nowhere')
  await target.and(page.locator('[aria-invalid="true"]')).waitFor()
  expect(await dialog.getByRole('button', { name: /^Export/ }).isDisabled()).toBe(true)
  await dialog.locator('.format-card[data-format="csv"]').click()
  await dialog.getByRole('button', { name: 'Export 2' }).waitFor()
  const { name, text } = await download(page)
  expect(name).toMatch(/\.csv$/)
  expect(text.trimEnd().split('\n')).toHaveLength(3)
  await page.keyboard.press('Escape')
})

it('applies custom rules, and shows at the field which one is invalid', async () => {
  const { page } = walk()
  await page.keyboard.press('L')
  const rules = page.getByRole('group', { name: 'Rules for every export' })
  await rules.getByRole('textbox', { name: 'Header name' }).fill('X-Venue-Pin')
  await page.keyboard.press('Enter')
  await rules.getByRole('listitem').filter({ hasText: 'X-Venue-Pin' }).waitFor()
  await rules.getByRole('radio', { name: 'JSON path' }).check()
  await rules.getByRole('textbox', { name: 'JSON path' }).fill('$.data[')
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await rules.getByRole('alert').waitFor()
  expect(await rules.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  expect(await rules.getByRole('listitem').count()).toBe(1)

  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = exportDialog(page)
  await dialog.locator('.format-card[data-format="ndjson"]').click()
  await dialog.getByText('1 for every export').click()
  const own = dialog.getByRole('group', { name: 'Rules for this export' })
  await own.getByRole('radio', { name: 'JSON path' }).check()
  await own.getByRole('textbox', { name: 'JSON path' }).fill('$.locationName')
  await page.keyboard.press('Enter')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.locator('.removal[data-kind="rule"]').filter({ hasText: 'locationName' }).waitFor()
  await preview.locator('.removal').filter({ hasText: 'x-venue-pin' }).waitFor()
  const { text } = await download(page)
  expect(text).not.toContain('pin-4711')
  expect(text).not.toContain('Pier 9')
  await rules.getByRole('button', { name: 'Remove rule X-Venue-Pin' }).click()
  await rules.getByRole('listitem').waitFor({ state: 'detached' })
  await rules.getByRole('textbox').and(page.locator(':focus')).waitFor()
})

it('cancels a running export, and reports nothing more about it', async () => {
  const { page } = walk()
  // More data than is buffered, for a browser that does not read it.
  const large = JSON.stringify({ type: 'MENU_UPDATED', data: { note: 'x'.repeat(4 << 20) } })
  await deliver(walkedEndpoint(), large, { secret })
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = () => undefined
  })
  await page.getByRole('button', { name: 'Export…' }).click()
  await exportDialog(page).getByRole('button', { name: 'Export 4' }).click()
  const going = page.locator('.transfer[data-state="running"]')
  await going.getByRole('progressbar').waitFor()
  await goTo(page, 'Deliveries')
  await stripOf(page).getByText('Exporting tabscope-').waitFor()
  await page.keyboard.press('L')
  await going.getByRole('button', { name: /^Cancel / }).click()
  await going.waitFor({ state: 'detached' })
  expect(await page.locator('.transfer').filter({ hasText: 'Cancelled' }).count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
})

it('imports a selected file, and opens it', async () => {
  const { page } = walk()
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('i')
  const buffer = Buffer.from(exported.text)
  await (await chooser).setFiles([{ name: 'mine.ndjson', mimeType: '', buffer }])
  await page.waitForURL(/#\/logs\/1$/)
  await page.getByTestId('delivery-row').nth(2).waitFor()
  await page.keyboard.press('L')
  const log = page.getByRole('region', { name: 'Imported logs' }).getByRole('listitem')
  await log.filter({ hasText: 'mine.ndjson' }).waitFor()
  await expect
    .poll(() => log.first().innerText())
    .toMatch(/3 deliveries[\s\S]*redacted[\s\S]*Complete/)
})

it('imports dropped files, recognizes duplicates, and keeps errors until dismissed', async () => {
  const { page } = walk()
  await goTo(page, 'Endpoints')
  await dropFiles(page, [{ name: 'again.ndjson', text: exported.text }])
  await page.waitForURL(/#\/logs\/1$/)
  await page.getByText('was already imported', { exact: false }).first().waitFor()
  const cutOff = exported.text.split('\n').slice(0, -2).join('\n')
  await goTo(page, 'Sandbox')
  await dropFiles(page, [
    { name: 'no-log.ndjson', text: '<html>not a log</html>' },
    { name: 'cut-off.ndjson', text: cutOff },
  ])
  await page.waitForURL(/#\/logs\/2$/)
  await page.getByTestId('delivery-row').nth(1).waitFor()
  await page.keyboard.press('L')
  const failed = page.locator('.transfer[data-state="failed"]')
  await failed.filter({ hasText: 'no-log.ndjson could not be imported' }).waitFor()
  expect((await failed.locator('.transfer-words').innerText()).length).toBeGreaterThan(20)
  const log = page.locator('.log[data-state="cut_off"]')
  await log.getByText('The end of the file is missing.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Dismiss no-log.ndjson' }).click()
  await failed.waitFor({ state: 'detached' })
})

it('exports a log again, and removes it without its source file', async () => {
  const { page } = walk()
  await page.getByRole('button', { name: 'Export mine.ndjson' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export from “mine.ndjson”' })
  await dialog.getByRole('radio', { name: 'All deliveries in this log', checked: true }).waitFor()
  await dialog.getByRole('button', { name: 'Export 3' }).waitFor()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: 'Export mine.ndjson' })
    .and(page.locator(':focus'))
    .waitFor()
  await page.getByRole('button', { name: 'Remove mine.ndjson' }).click()
  const asked = page.getByRole('dialog', { name: 'Remove “mine.ndjson”?' })
  await asked.getByText('The original file is not changed', { exact: false }).waitFor()
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.locator('.log').filter({ hasText: 'mine.ndjson' }).waitFor({ state: 'detached' })
  await page
    .getByRole('link', { name: 'cut-off.ndjson', exact: true })
    .and(page.locator(':focus'))
    .waitFor()
})

it('copies a delivery for a chat by a key, and as a command with all values only on request', async () => {
  const { page, faults } = walk()
  await goTo(page, 'Deliveries')
  await page.getByTestId('delivery-row').filter({ hasText: 'GUEST_VERIFIED' }).first().click()
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
  await page.keyboard.press('y')
  await page.getByText(/^Copied for a chat, \d+ values? redacted\.$/).waitFor()
  const chat = await clipboardOf(page)
  expect(chat).toContain('GUEST_VERIFIED')
  expect(chat).not.toContain(guest)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('menuitem', { name: 'Copy as curl', exact: true }).click()
  await page.getByText(/^Copied as curl, \d+ values? redacted\.$/).waitFor()
  expect(await clipboardOf(page)).not.toContain(guest)
  await page.getByRole('button', { name: 'Share' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  const contacts = page.getByRole('menuitemcheckbox', { name: 'Contact details', checked: true })
  await contacts.click()
  await page.getByRole('menuitem', { name: 'Copy as curl', exact: true }).click()
  await page.getByText(/^Copied as curl, .*, kept: Contact details\.$/).waitFor()
  expect(await clipboardOf(page)).toContain(guest)
  expect(await clipboardOf(page)).not.toContain(secret)
  await page.getByRole('button', { name: 'Share' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Copy as curl, with all values' }).click()
  await page.getByText('Copied as curl, not redacted: it contains all values.').waitFor()
  expect(await clipboardOf(page)).toContain(guest)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('menuitem', { name: 'Export its trace…' }).click()
  await exportDialog(page)
    .getByRole('radio', { name: /^The trace of/, checked: true })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const words of ['Copy redacted text for chat', 'Import an event log', 'Go to event logs']) {
    await keys.getByText(words).waitFor()
  }
  await page.keyboard.press('Escape')
  expect(faults).toEqual([])
})
