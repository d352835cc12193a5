import { expect, it } from 'vitest'
import { loopbackService } from '../support/loopback-service.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'

const secret = 'scenario-secret-0123456789'

it('saves the selection as a scenario, runs it twice, shows what changed, and stops a run', async () => {
  let status = 200
  let held: Promise<void> = Promise.resolve()
  await using handler = await loopbackService(async ({ body }, response) => {
    await held
    response.writeHead(body.includes('ORDER_PLACED') ? status : 200).end()
  })
  await using product = await startProduct({ secret })
  for (const type of ['OPEN_TAB', 'ORDER_PLACED']) {
    await deliver(product.endpoint, `{"type":"${type}","targetUuid":"${type}-1"}`, { secret })
  }
  await using page = await openPage(product.ui)
  await page.getByTestId('delivery-row').nth(1).waitFor()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Save as scenario…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('An evening')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Scenario An evening' }).waitFor()
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/send/scenarios/An%20evening')
  await page.getByRole('button', { name: 'Delete…' }).waitFor()

  const rows = page.getByTestId('scenario-row')
  const run = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Run…' }).click()
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Run…' }).click()
  await dialog.getByLabel('Address').fill(handler.baseUrl)
  await dialog.getByText(/^Takes \d/).waitFor()
  await dialog.getByRole('radio', { name: 'At once' }).check()
  await dialog.getByRole('button', { name: 'Run' }).click()
  await page.getByText('2 of 2 succeeded').first().waitFor()
  await rows.nth(1).getByText('200').waitFor()

  status = 500
  await run()
  await page.getByText('1 response changed since run 1.').waitFor()
  await rows.nth(1).getByText('500, was 200').waitFor()
  await page.getByLabel('Only failed or changed in the last run').check()
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([expect.stringMatching(/^2\t200\t.*500, was 200/s)])

  await rows.getByRole('button', { name: '500, was 200' }).click()
  await dialog.getByRole('group', { name: 'Response' }).getByText('500').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const hold = Promise.withResolvers<void>()
  held = hold.promise
  await run()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Interrupted', { exact: true }).waitFor()
  hold.resolve()

  await page.getByRole('button', { name: 'Export…' }).click()
  await dialog.getByRole('radio', { name: 'All deliveries in this log', checked: true }).waitFor()
  await dialog.getByText('2 deliveries').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await goTo(page, 'Send', 'Scenarios')
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No scenarios yet').waitFor()
})
