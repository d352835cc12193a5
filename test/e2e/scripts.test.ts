import { expect, it } from 'vitest'
import { loopbackService } from '../support/loopback-service.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { until } from '../support/until.ts'

it('writes a script with completion, runs it, saves it, forwards by it, and opens a file that replaces it', async () => {
  await using handler = await loopbackService((_, response) => void response.writeHead(200).end())
  await using product = await startProduct()
  const order = JSON.stringify({ type: 'ORDER_PLACED', data: { spotName: 'T4', total: 3 } })
  await deliver(product.endpoint, order)
  await using page = await openPage(product.ui)
  await goTo(page, 'Setup', 'Scripts')
  await page.getByRole('button', { name: 'Start empty' }).click()
  const editor = page.getByRole('textbox', { name: 'Script', exact: true })
  const run = page.getByRole('region', { name: 'Run' })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(
    'export default (delivery, { log }) => {\nconst at = delivery.body.data.spotN',
  )
  await page.getByRole('option', { name: 'spotName' }).click()
  await page.keyboard.type(
    "\nlog('at', at)\nreturn { headers: { 'X-At': at }, body: { table: at } }",
  )
  await run.getByText('ORDER_PLACED').or(run.getByText('T4')).first().waitFor()
  await page.keyboard.press('Control+Enter')
  await run.getByRole('region', { name: 'Differences by path' }).getByText('table').waitFor()
  await run.getByRole('table', { name: 'Differing headers' }).getByText('X-At').waitFor()
  await run.getByRole('region', { name: 'Log' }).getByText('at T4').waitFor()

  // An error, at its line.
  const toSecondLine = async (): Promise<void> => {
    await editor.focus()
    for (const key of ['Control+Home', 'ArrowDown', 'Home']) await page.keyboard.press(key)
  }
  await toSecondLine()
  await page.keyboard.type('missing();')
  await run.getByRole('button', { name: 'Run' }).click()
  await run.getByText('Line 2, column 3: ').waitFor()
  await expect
    .poll(() => page.locator('.cm-line').nth(1).locator('.cm-lintRange-error').innerText())
    .toBe('missing')
  await toSecondLine()
  for (const _ of 'missing();') await page.keyboard.press('Delete')

  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('table')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'table' }).waitFor()
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/setup/scripts/table')

  await goTo(page, 'Setup', 'Endpoints')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add target' }).first().click()
  await dialog.getByLabel('To').fill(handler.baseUrl)
  await dialog.getByText('Advanced').click()
  await dialog.getByLabel('Script').selectOption('table')
  await dialog.getByRole('radio', { name: 'If it fails, hold' }).check()
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await page.getByText('changed by script table').waitFor()
  await deliver(product.endpoint, order)
  await until('the changed request', () => handler.arrived.length === 1)
  expect(handler.arrived[0]?.headers['x-at']).toBe('T4')
  expect(handler.arrived[0]?.body.toString()).toBe('{"table":"T4"}')

  // What is used cannot be deleted, and is replaced only after a question.
  await goTo(page, 'Setup', 'Scripts')
  await expect.poll(() => page.getByRole('button', { name: 'Delete…' }).isDisabled()).toBe(true)
  await page.getByText(`Used by the forward target ${handler.baseUrl}`).first().waitFor()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open file…' }).click()
  await (
    await chooser
  ).setFiles({
    name: 'table.ts',
    mimeType: 'text/plain',
    buffer: Buffer.from('export default () => ({ body: "imported" })\n'),
  })
  await expect.poll(() => name.inputValue()).toBe('table')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText(`It is used by the forward target ${handler.baseUrl}`).waitFor()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'table' }).waitFor()
  await deliver(product.endpoint, order)
  await until('the request of the new script', () => handler.arrived.length === 2)
  expect(handler.arrived[1]?.body.toString()).toBe('imported')
  // Where it fails, it is seen where it is used, with the line and the delivery.
  const broken = 'export default () => {\n  return missing\n}\n'
  await product.engine.call('scripts.save', { name: 'table', source: broken, replace: true })
  await deliver(product.endpoint, order)
  const failed = page.getByText(
    /The script failed for 1 delivery, last for #\d+: Line 2, column \d+/,
  )
  await failed.waitFor()
  await page.getByRole('navigation', { name: 'Saved scripts' }).getByText('failed').waitFor()
  // Its target holds it then.
  await product.engine.call('hold.release', {})
  await until('the request as captured', () => handler.arrived.length === 3)
  await goTo(page, 'Setup', 'Endpoints')
  await failed.getByRole('link', { name: /^#\d+$/ }).click()
  await page.getByRole('tab', { name: 'Attempts' }).click()
  await page.getByTestId('attempt-row').getByText('script failed').waitFor()
})
