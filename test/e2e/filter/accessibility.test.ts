import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../../support/axe.ts'
import { closeBrowser, openPage, startProduct } from '../../support/product.ts'
import { field, waitForRows, order, rows, secret, tab } from './steps.ts'

afterAll(closeBrowser)

it(
  'has no axe violations in any state of the filter, wide and narrow, light and dark',
  { timeout: 180_000 },
  async () => {
    await using product = await startProduct({ secret })
    await order(product, 'A-1', 10)
    await tab(product, 'Okafor')
    await using watched = await openPage(product.ui)
    const { page } = watched
    await waitForRows(page, 2)
    const faults = async (name: string) => expect(await axeFaultsInAll(page), name).toEqual([])

    await field(page).click()
    await page.getByRole('listbox', { name: 'Completions' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await faults('completion')
    await field(page).fill('verdict:wrong -type:ORDER_PLACED ("free text" or lag:>5s)')
    await page.getByRole('alert').waitFor()
    await faults('error')
    await field(page).fill('since:1h type:OPEN_TAB verdict:valid size:>1 status:200 lag:<1h')
    await waitForRows(page, 1)
    await page.keyboard.press('Enter')
    await faults('filtered')
    for (const name of ['Types', 'Findings', 'Time', 'Marks', 'Saved', '3 more']) {
      const opener = page.getByRole('button', { name }).first()
      await opener.click()
      await page.getByRole('dialog').waitFor()
      await faults(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // The previous focus, so that the next key works as expected.
      await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
    }
    await page.keyboard.press('f')
    await page.getByRole('dialog').waitFor()
    await faults('language')
    await page.keyboard.press('Escape')

    await rows(page).first().click()
    await page.keyboard.press('l')
    await page.getByRole('combobox', { name: 'New tag' }).fill('bug')
    await page.keyboard.press('Enter')
    await faults('tag')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('a note')
    await faults('note being written')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('note').waitFor()
    await faults('noted')
    await page.keyboard.press('Escape')
    await field(page).fill('type:QR_SCANNED')
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
    await faults('nothing')
    expect(watched.faults).toEqual([])
  },
)
