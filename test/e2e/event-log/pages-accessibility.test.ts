import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { axeFaultsInAll } from '../../support/axe.ts'
import { interceptCalls } from '../../support/intercepted-calls.ts'
import * as made from '../../support/sample-logs.ts'
import {
  closeBrowser,
  deliver,
  goTo,
  openOwnPage,
  startProduct,
  type Product,
} from '../../support/product.ts'
import { exportDialog, stripOf } from './steps.ts'

let product: Product | null = null
beforeAll(async () => {
  product = await startProduct()
  await deliver(product.endpoint, JSON.stringify({ type: 'OPEN_TAB', data: {} }))
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await closeBrowser()
})

const Snapshot = z.looseObject({})
it(
  'has no axe violations and no overflow, wide and narrow, light and dark',
  { timeout: 180_000 },
  async () => {
    await using watched = await openOwnPage('about:blank')
    const { page } = watched
    let view = made.noLogs
    const wire = await interceptCalls(page, {
      answers: {
        'app.snapshot': (given) => ({ ...Snapshot.parse(given), logs: view }),
        'logs.preview': () => made.somePreview,
      },
      pushes: { 'logs.changed': () => view },
    })
    const faultless = async (what: string): Promise<void> => {
      const fits = async (): Promise<string[]> => {
        const wider = await page
          .locator('.page, .export-options, .export-preview, .log-strip')
          .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
        return wider.filter((by) => by > 0).map((by) => `wider by ${by}`)
      }
      expect(await axeFaultsInAll(page, fits), what).toEqual([])
    }
    await page.goto(product?.ui ?? '')
    await goTo(page, 'Event logs')
    await page.getByRole('heading', { name: 'Drop an event log here' }).waitFor()
    await faultless('empty')
    view = made.manyLogs(Date.now())
    wire.push('logs.changed', view)
    await page.locator('.log').nth(4).waitFor()
    await faultless('many')
    expect(await page.locator('.log').nth(4).innerText()).toContain('\\u202e')

    await page.keyboard.press('s')
    const dialog = exportDialog(page)
    await dialog.locator('.removal').nth(5).waitFor()
    await faultless('dialog')
    await dialog.getByRole('switch').click()
    await page.getByRole('button', { name: 'Turn off for this export' }).waitFor()
    await faultless('asked')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await goTo(page, 'Deliveries')
    await stripOf(page).getByText('Importing from-the-pub.ndjson.gz').waitFor()
    await page.getByTestId('delivery-row').first().click()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl', exact: true }).waitFor()
    await faultless('share')
    expect(watched.faults).toEqual([])
  },
)
