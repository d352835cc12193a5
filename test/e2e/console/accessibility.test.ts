import { afterAll, expect, it } from 'vitest'
import { axeFaultsInBoth } from '../../support/axe.ts'
import { openConsole } from '../../support/console-page.ts'
import { startConsoleService } from '../../support/console-service.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'

afterAll(closeBrowser)

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const

for (const viewport of sizes) {
  const look = { viewport, colorScheme: 'light' } as const

  it(`has no fault that axe knows in the console, ${viewport.width} wide`, async () => {
    await using console = await openConsole(undefined, look)
    await using other = await startConsoleService()
    const { page, answer, path, send, watched } = console
    const expectNone = async (where: string): Promise<void> => {
      expect(await axeFaultsInBoth(page), where).toEqual([])
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
    await answer.getByText('Waiting for the answer').waitFor()
    await expectNone('waiting')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await answer.getByText('The request was cancelled.').waitFor()
    await expectNone('no answer')
    if (viewport.width < 1100) {
      await page.getByRole('button', { name: 'History', exact: true }).click()
      await page.getByRole('list', { name: 'History' }).waitFor()
      await expectNone('history over it')
    }
    await page.getByRole('radio', { name: 'Saved' }).check()
    await expectNone('saved')
    expect(watched.faults).toEqual([])
  })

  it(`has none on the sandbox's page, ${viewport.width} wide`, async () => {
    await using product = await startProduct()
    await using watched = await openPage(product.ui, look)
    const { page } = watched
    await goTo(page, 'API console')
    await page.getByRole('heading', { name: 'No service to call yet' }).waitFor()
    expect(await axeFaultsInBoth(page), 'nothing to call').toEqual([])
    await goTo(page, 'Sandbox')
    const card = page.getByRole('region', { name: 'The service in miniature' })
    await card.getByRole('button', { name: 'Start' }).waitFor()
    expect(await axeFaultsInBoth(page), 'stopped').toEqual([])
    await card.getByRole('button', { name: 'Start' }).click()
    await card.getByText('Running').waitFor()
    await card.getByText('Faults').click()
    await card.getByRole('switch', { name: /server_error/ }).press(' ')
    await card.getByText('1 on').waitFor()
    expect(await axeFaultsInBoth(page), 'running').toEqual([])
    expect(watched.faults).toEqual([])
  })
}
