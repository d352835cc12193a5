import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  deliver,
  goTo,
  openOwnPage,
  openPage,
  startProduct,
  type Product,
  type OpenedPage,
} from '../support/product.ts'
import { somePreview } from '../support/sample-logs.ts'
import { interceptCalls } from '../support/states/simulated.ts'
import { download, dropFiles, exportDialog, linesOf } from '../support/steps.ts'

const secret = 'pages-secret-0123456789abcdef'
const guest = 'mia.moreau@example.com'

let product: Product
let page: OpenedPage

beforeAll(async () => {
  product = await startProduct({ secret })
  for (const [index, type] of ['ORDER_PLACED', 'GUEST_VERIFIED', 'GUEST_VERIFIED'].entries()) {
    const data = {
      tabUuid: `7c1e6f0a-52cd-4b4c-8a63-2f0d9e3b5a1${index}`,
      handle: guest,
      loyaltyTier: 'gold',
      spotName: 'Terrace seat',
    }
    const event = { type, locationName: 'Pier 9', createdAt: new Date().toISOString(), data }
    await deliver(product.endpoint, JSON.stringify(event), { secret })
  }
  page = await openPage(product.ui)
})
afterAll(async () => {
  await page[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
})

let exported = { name: '', text: '' }

it('previews each field, and exports with a field kept and another masked for all exports', async () => {
  await page.getByTestId('delivery-row').nth(2).waitFor()
  await page.keyboard.press('s')
  const dialog = exportDialog(page)
  await dialog.getByRole('radio', { name: 'All deliveries' }).and(page.locator(':focus')).waitFor()
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByRole('status').getByText('3 deliveries').waitFor()
  const fieldOf = (name: string) => preview.locator(`[data-field="${name}"]`)
  const handle = fieldOf('data.handle')
  await handle.getByText('3 aliases').waitFor()
  await expect
    .poll(() => handle.getByRole('list', { name: 'Examples' }).innerText())
    .toContain(guest)
  await fieldOf('header x-service-signature').getByText('not shown').waitFor()

  const tier = fieldOf('data.loyaltyTier')
  await tier.getByText('3 masked').waitFor()
  await tier.getByRole('button', { name: 'Keep data.loyaltyTier' }).press('Enter')
  await tier.getByText('3 as received').waitFor()
  const forThis = preview.getByRole('list', { name: 'Fields for this export' })
  await forThis.getByText('data.loyaltyTier').waitFor()
  await tier
    .getByRole('button', { name: 'Mask data.loyaltyTier' })
    .and(page.locator(':focus'))
    .waitFor()

  const spot = fieldOf('data.spotName')
  await spot.getByText('1 as received').waitFor()
  await spot.getByRole('list', { name: 'As received' }).getByText('Terrace seat').waitFor()
  await spot.getByRole('button', { name: 'Mask data.spotName' }).click()
  await forThis.getByRole('button', { name: 'Mask data.spotName in all exports' }).click()
  const forAll = preview.getByRole('list', { name: 'Fields for all exports' })
  await forAll.getByText('data.spotName').waitFor()
  await spot.getByText('3 masked').waitFor()

  exported = await download(page)
  expect(exported.name).toMatch(/^tabscope-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/)
  expect(linesOf(exported.text, 'delivery')).toHaveLength(3)
  expect(linesOf(exported.text, 'head')[0]).toMatchObject({
    redaction: { on: true, kept: ['data.loyaltyTier'], masked: ['data.spotName'] },
  })
  expect(linesOf(exported.text, 'end')[0]).toMatchObject({ deliveries: 3 })
  expect(exported.text).toContain('gold')
  for (const absent of [guest, secret, 'Terrace seat']) expect(exported.text).not.toContain(absent)

  await goTo(page, 'Deliveries', 'Event logs')
  const saved = page.getByRole('list', { name: 'Saved fields' })
  await saved.getByText('data.spotName').waitFor()
  await saved.getByRole('button', { name: 'Remove data.spotName' }).click()
  await saved.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Field' }).fill('header X-Shop')
  await page.keyboard.press('Enter')
  await saved.getByText('header x-shop').waitFor()
  await goTo(page, 'Deliveries', 'Live')
})

it('says that none match once it has counted', async () => {
  await using own = await openOwnPage('about:blank')
  let counted = false
  const none = { ...somePreview, deliveries: 0, examined: 0, bytes: 0, totalBytes: 0, fields: [] }
  await interceptCalls(own, {
    answers: { 'logs.preview': () => ({ ...none, complete: counted }) },
    pushes: {},
  })
  await own.goto(product.ui)
  await own.getByTestId('delivery-row').nth(2).waitFor()
  await own.keyboard.press('s')
  const dialog = exportDialog(own)
  await dialog.getByText('Counting deliveries').waitFor()
  const button = dialog.getByRole('button', { name: /^Export/ })
  expect([await button.innerText(), await button.isEnabled()]).toEqual(['Export', true])
  expect(await dialog.getByText('No deliveries match').count()).toBe(0)
  counted = true
  await dialog.getByText('No deliveries match').waitFor()
  await expect.poll(() => button.isEnabled()).toBe(false)
})

it('asks before redaction is turned off, and marks the file', async () => {
  await page.keyboard.press('s')
  const dialog = exportDialog(page)
  const redaction = dialog.getByRole('switch', { name: 'Redact' })
  await redaction.click()
  const asked = page.getByRole('dialog', { name: 'Export without redaction?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  await expect.poll(() => redaction.getAttribute('aria-checked')).toBe('true')
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
  await goTo(page, 'Setup', 'Endpoints')
  await dropFiles(page, [{ name: 'mine.ndjson', text: exported.text }])
  await page.waitForURL(/#\/logs\/1$/)
  await page.getByTestId('delivery-row').nth(2).waitFor()
  await goTo(page, 'Setup', 'Endpoints')
  await dropFiles(page, [{ name: 'again.ndjson', text: exported.text }])
  await page.waitForURL(/#\/logs\/1$/)
  await page.getByText('was already imported', { exact: false }).first().waitFor()
  const cutOff = exported.text.split('\n').slice(0, -2).join('\n')
  await goTo(page, 'Setup', 'Sandbox')
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
