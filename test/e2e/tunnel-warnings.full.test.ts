import { afterAll, expect, it } from 'vitest'
import { closeBrowser, goTo, openPage, startProduct } from '../support/product.ts'
import { tunnelServer } from '../support/tunnel-server.ts'
import {
  waitForTunnelState,
  tunnelChip,
  clipboard,
  clipboardOf,
  openLocaltunnel,
} from '../support/steps.ts'

afterAll(closeBrowser)

it('keeps warning about a lost name and an outdated address until resolved', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer({ graceMs: 60_000 })
  await using watched = await openPage(product.ui, clipboard)
  const { page } = watched
  const chip = tunnelChip(page)
  await openLocaltunnel(page, server.host, 'pier9')
  await waitForTunnelState(page, 'online')
  await chip.getByRole('button', { name: 'Copy public webhook URL' }).click()
  await expect.poll(() => clipboardOf(page)).toContain('//pier9.localhost')

  // Another client takes the name while the server is unreachable.
  await server.restart()
  await fetch(`${server.host}/pier9`)
  await chip.getByText('with a warning').waitFor({ state: 'attached' })
  await waitForTunnelState(page, 'online')
  const assigned = page.getByRole('region', {
    name: 'Requested name not assigned',
  })
  const outdated = page.getByRole('region', { name: 'The dashboard may have the old address' })
  await assigned.getByText('pier9', { exact: true }).waitFor()
  await outdated.getByText(`http://pier9.localhost:${server.port}`).waitFor()

  // Neither disappears automatically or on another page.
  await page.reload()
  await assigned.waitFor()
  await outdated.waitFor()
  const name = await assigned.locator('code').innerText()
  expect(name).not.toBe('pier9')
  await outdated.getByRole('button', { name: 'Copy new URL' }).click()
  await outdated.waitFor({ state: 'detached' })
  expect(await clipboardOf(page)).toBe(`http://${name}.localhost:${server.port}/hooks/sandbox`)
  await assigned.getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await assigned.waitFor({ state: 'detached' })
  // The focused warning is gone, and the focus is on the state.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  await chip.getByText('with a warning').waitFor({ state: 'detached' })
  await goTo(page, 'Endpoints')
  await page.getByText(`http://${name}.localhost:${server.port}/hooks/sandbox`).waitFor()
  expect(watched.faults).toEqual([])
})
