import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../../support/axe.ts'
import { loopbackService } from '../../support/loopback-service.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../../support/product.ts'
import { attempts, rows, sendTo } from './steps.ts'

afterAll(closeBrowser)

it('has no axe violations in attempts and jobs, wide in light and narrow in dark', async () => {
  await using service = await loopbackService((request, response) => {
    const ok = !request.body.includes('CLOSE_TAB')
    response.writeHead(ok ? 200 : 500, { 'Content-Type': 'application/json' }).end('{"a":1}')
  })
  await using product = await startProduct()
  for (const type of ['OPEN_TAB', 'CLOSE_TAB', 'OPEN_TAB', 'ORDER_PLACED']) {
    await deliver(product.endpoint, `{"type":"${type}","data":{}}`)
  }
  await using watched = await openPage(product.ui)
  const { page } = watched
  const expectNone = async (where: string): Promise<void> => {
    const fits = async (): Promise<string[]> =>
      (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
        ? ['something is wider than the window']
        : []
    expect(await axeFaultsInAll(page, fits), where).toEqual([])
  }
  await rows(page).first().click()
  await page.keyboard.press('7')
  await page.getByRole('heading', { name: 'No attempts yet' }).waitFor()
  await expectNone('no attempt')
  await page.keyboard.press('Shift+R')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Tabscope listener/ })
    .click()
  await page.getByRole('dialog').getByText('the request arrives here as a delivery').waitFor()
  await expectNone('where to')
  await page.keyboard.press('Escape')
  for (const address of [service.baseUrl, 'http://127.0.0.1:1']) {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const before = await attempts(page).count()
    await sendTo(page, address)
    await expect.poll(() => attempts(page).count()).toBe(before + 1)
  }
  await expectNone('no response')
  await attempts(page).nth(1).click()
  await page.getByRole('radio', { name: 'Request as sent' }).check()
  await page.getByRole('table', { name: 'Headers sent' }).waitFor()
  await page.getByLabel('Compare with another attempt').selectOption({ index: 1 })
  await page.getByRole('region', { name: 'Differences by line' }).first().waitFor()
  await expectNone('compared')
  await page.keyboard.press('Escape')

  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Re-send…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(service.baseUrl)
  await dialog.getByRole('radio', { name: 'Original timing' }).check()
  await expectNone('how fast')
  await dialog.getByRole('radio', { name: 'One by one' }).check()
  await dialog.getByLabel(/^Stop at the first/).check()
  await dialog.getByRole('button', { name: 'Re-send 4' }).click()
  const strip = page.getByRole('region', { name: 'Job progress' })
  await strip.getByText('Paused').waitFor()
  await expectNone('paused')
  await strip.getByRole('link', { name: 'Show' }).click()
  const job = page.getByRole('region', { name: 'Job 1' })
  await job.getByRole('button', { name: 'failed 1' }).click()
  await page.getByTestId('job-item').first().waitFor()
  await page.keyboard.press('p')
  await job.getByText('Done, with failures').waitFor()
  await expectNone('a job that is over')
  expect(watched.faults).toEqual([])
})
