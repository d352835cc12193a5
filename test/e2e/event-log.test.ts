import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import {
  closeBrowser,
  deliver,
  goTo,
  openPage,
  startProduct,
  type Product,
  type Watched,
} from '../support/product.ts'
import { download, dropFiles, exportDialog, linesOf } from '../support/steps.ts'

const secret = 'pages-secret-0123456789abcdef'
const guest = 'mia.moreau@example.com'

let product: Product
let watched: Watched
let page: Page

beforeAll(async () => {
  product = await startProduct({ secret })
  for (const [index, type] of ['OPEN_TAB', 'GUEST_VERIFIED', 'GUEST_VERIFIED'].entries()) {
    const data = { tabUuid: `7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a1${index}`, handle: guest }
    const event = { type, locationName: 'Pier 9', createdAt: new Date().toISOString(), data }
    await deliver(product.endpoint, JSON.stringify(event), { secret })
  }
  watched = await openPage(product.ui)
  ;({ page } = watched)
})
afterAll(async () => {
  await watched[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
  await closeBrowser()
})

let exported = { name: '', text: '' }

it('previews what is redacted, and exports a file without it', async () => {
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

it('asks before redaction is turned off, and marks the file', async () => {
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

it('imports dropped files, recognizes duplicates, and keeps errors until dismissed', async () => {
  await goTo(page, 'Endpoints')
  await dropFiles(page, [{ name: 'mine.ndjson', text: exported.text }])
  await page.waitForURL(/#\/logs\/1$/)
  await page.getByTestId('delivery-row').nth(2).waitFor()
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
  expect(watched.faults).toEqual([])
})
