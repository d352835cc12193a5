import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll, axeFaultsInBoth, narrow } from '../../support/axe.ts'
import { sharedConsole } from '../../support/console-page.ts'
import { startConsoleService } from '../../support/console-service.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'

afterAll(closeBrowser)

const openConsole = sharedConsole()

it(
  'has no axe violations in the console, wide and narrow, light and dark',
  { timeout: 180_000 },
  async () => {
    await using console = await openConsole()
    await using other = await startConsoleService()
    const { page, answer, path, send, watched } = console
    const expectNone = async (where: string): Promise<void> => {
      expect(await axeFaultsInAll(page), where).toEqual([])
    }
    await expectNone('nothing sent')
    await send('locations')
    await answer.getByText('"Pier 9"').waitFor()
    for (const view of ['Pretty', 'Raw', 'Bytes'] as const) {
      await answer.getByRole('radio', { name: view }).check()
      await expectNone(view)
    }
    for (const tab of [/Headers/, /Hops/] as const) {
      await answer.getByRole('tab', { name: tab }).click()
      await expectNone(String(tab))
    }
    for (const unwell of ['revoked', 'forbidden', 'moved', 'echo']) {
      await send(unwell)
      await expectNone(unwell)
    }
    const parts = page.getByRole('tablist', { name: 'Parts of the request' })
    await page.getByRole('button', { name: 'Add parameter' }).click()
    await page.getByLabel('Send parameter 1').uncheck()
    await expectNone('query')
    await parts.getByRole('tab', { name: /Body/ }).click()
    await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"a": nope}')
    await expectNone('body')
    for (const button of ['Copy as cURL', 'Save'] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await expectNone(button)
      await page.keyboard.press('Escape')
    }
    await path.fill(`${other.origin}/v1/locations`)
    await path.press('Control+Enter')
    await page.getByRole('dialog').waitFor()
    await expectNone('another origin')
    await page.keyboard.press('Escape')
    await path.fill('never')
    await path.press('Enter')
    await answer.getByText('Waiting for the response').waitFor()
    await expectNone('waiting')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await answer.getByText('The request was cancelled.').waitFor()
    await expectNone('no response')
    await page.getByRole('radio', { name: 'Saved' }).check()
    await expectNone('saved')
    await page.getByRole('radio', { name: 'History' }).check()

    // In a narrow window the history covers the response.
    await page.setViewportSize(narrow)
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('list', { name: 'History' }).waitFor()
    expect(await axeFaultsInBoth(page), 'history over it').toEqual([])
    await page.getByRole('radio', { name: 'Saved' }).check()
    expect(await axeFaultsInBoth(page), 'saved over it').toEqual([])
    expect(watched.faults).toEqual([])
  },
)

it(
  'has no axe violations on the sandbox page, wide and narrow, light and dark',
  { timeout: 180_000 },
  async () => {
    await using product = await startProduct()
    await using watched = await openPage(product.ui)
    const { page } = watched
    await goTo(page, 'API console')
    await page.getByRole('heading', { name: 'No service to call yet' }).waitFor()
    expect(await axeFaultsInAll(page), 'nothing to call').toEqual([])
    await goTo(page, 'Sandbox')
    const card = page.getByRole('region', { name: 'Simulated service' })
    await card.getByRole('button', { name: 'Start' }).waitFor()
    expect(await axeFaultsInAll(page), 'stopped').toEqual([])
    await card.getByRole('button', { name: 'Start' }).click()
    await card.getByText('Running').waitFor()
    await card.getByText('Faults').click()
    await card.getByRole('switch', { name: /server_error/ }).press(' ')
    await card.getByText('1 active', { exact: true }).waitFor()
    expect(await axeFaultsInAll(page), 'running').toEqual([])
    expect(watched.faults).toEqual([])
  },
)
