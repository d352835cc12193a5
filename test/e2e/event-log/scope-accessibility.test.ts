import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../../support/axe.ts'
import { logBytes, logHead } from '../../support/event-log.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../../support/product.ts'
import { evening, firstLog, importLog, rows } from './scope-logs.ts'

afterAll(closeBrowser)

it(
  'has no axe violations in any state of a log, light and dark, wide and narrow',
  { timeout: 180_000 },
  async () => {
    await using product = await startProduct()
    await deliver(product.endpoint, '{"type":"OPEN_TAB"}')
    await importLog(product, 'friday.ndjson', firstLog())
    await importLog(product, 'cut.ndjson', logBytes([logHead(8), ...evening(8)]).subarray(0, -200))
    await using watched = await openPage(product.ui)
    const { page } = watched
    const faults = async (state: string) =>
      expect(await axeFaultsInAll(page, fits), state).toEqual([])
    // Nothing overflows the window.
    const fits = async ({ width }: { width: number }): Promise<string[]> => {
      const whole = await page.evaluate(() => document.documentElement.scrollWidth)
      return whole === width ? [] : [`it is ${whole} wide`]
    }
    const visit = (address: string) => page.evaluate((to) => location.assign(to), address)
    await rows(page).first().waitFor()
    await visit('#/logs/2')
    await rows(page).nth(6).waitFor()
    await page.getByRole('button', { name: /What is missing/ }).click()
    await page.getByRole('dialog').waitFor()
    await faults('what is missing')
    await page.keyboard.press('Escape')
    await visit('#/logs/1')
    await rows(page).nth(9).waitFor()
    await faults('list')
    await rows(page).nth(1).click()
    await page.keyboard.press('4')
    await page.getByText('The body was redacted when this log was exported.').waitFor()
    await faults('signature')
    await page.keyboard.press('Escape')
    await rows(page).first().click()
    await page.keyboard.press('7')
    await page.getByText('their handler').waitFor()
    await faults('attempts')
    await visit('#/logs/1/authorization')
    await page.getByRole('region', { name: 'Authorization' }).waitFor()
    await faults('authorization')
    await page.getByRole('link', { name: 'Rehearsals' }).click()
    await page.locator('[data-case="S4"]').click()
    await page.getByRole('region', { name: 'Case S4' }).getByText('X-Text').first().waitFor()
    await faults('rehearsal')
    await visit('#/logs/9')
    await page.getByRole('heading', { name: 'Event log not found' }).waitFor()
    await faults('removed')
    expect(watched.faults).toEqual([])
  },
)
