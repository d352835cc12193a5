import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../../support/axe.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { publicRequest } from '../../support/public-request.ts'
import { tunnelServer } from '../../support/tunnel-server.ts'
import { waitForTunnelState, tunnelChip, clipboard, clipboardOf, openLocaltunnel } from './steps.ts'

afterAll(closeBrowser)

const delivery = {
  body: '{"type":"OPEN_TAB","data":{}}',
  headers: { 'Content-Type': 'application/json' },
}

it('opens from the bar, is copied, is lost, reconnects, and records all of it in the strip', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer({ graceMs: 200 })
  await using watched = await openPage(product.ui, clipboard)
  const { page } = watched
  const chip = tunnelChip(page)
  const origin = `http://pier9.localhost:${server.port}`
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await waitForTunnelState(page, 'off')
  expect(await chip.innerText()).toContain('Tunnel off')

  // The page configures what the bar's button opens. Saving does not open the tunnel.
  await goTo(page, 'Tunnel')
  expect(await page.getByTestId('tunnel-state').innerText()).toBe('Off')
  await page.getByText('No tunnel was open in the last hour.').waitFor()
  await page.getByLabel(/^Subdomain/).fill('pier9')
  await page.getByLabel(/^Server/).fill(server.host)
  await page.getByText('Not saved').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(server.asked).toEqual([])
  await goTo(page, 'Deliveries')

  await chip.getByRole('button', { name: 'Open the tunnel' }).focus()
  await page.keyboard.press('Enter')
  await waitForTunnelState(page, 'online')
  expect(await chip.innerText()).toContain(`pier9.localhost:${server.port}`)
  // The button is gone, and the focus is still in the bar.
  expect(await chip.getByRole('button', { name: 'Open the tunnel' }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#/tunnel')

  await chip.getByRole('button', { name: 'Copy public webhook URL' }).click()
  await expect.poll(() => clipboardOf(page)).toBe(`${origin}/hooks/sandbox`)
  await page.getByText(`${origin}/hooks/sandbox`).waitFor()
  expect((await publicRequest(`${origin}/hooks/sandbox`, delivery)).status).toBe(200)
  await page.getByTestId('delivery-row').first().waitFor()

  const said = page.getByTestId('tunnel-status')
  await server.kill()
  await page.waitForFunction(
    () =>
      document.querySelector('[data-testid="tunnel-chip"]')?.getAttribute('data-state') !==
      'online',
  )
  await expect.poll(() => said.innerText()).toMatch(/^Tunnel (degraded|reconnecting|offline): ./)
  await waitForTunnelState(page, 'offline')
  expect(await chip.innerText()).toContain(`pier9.localhost:${server.port}`)
  await chip.getByRole('link').click()
  await expect
    .poll(() => page.getByTestId('tunnel-state').innerText())
    .toMatch(/Offline|Reconnecting/)
  expect(await page.getByTestId('tunnel-reason').innerText()).not.toBe('')
  await page.getByText(/consecutive attempts?/).waitFor()

  await server.restart()
  await waitForTunnelState(page, 'online')
  await expect.poll(() => said.innerText()).toBe(`Tunnel online: pier9.localhost:${server.port}.`)
  const changes = page.getByTestId('tunnel-change')
  await expect
    .poll(() => changes.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state'))))
    .toEqual(expect.arrayContaining(['online', 'offline', 'reconnecting']))
  // The complete history is only two pixels wide, so the worst state is shown.
  await page.locator('.strip rect[data-state="offline"]').first().waitFor()
  const strip = page.getByRole('slider', { name: 'Tunnel state over time' })
  await strip.focus()
  // The strip is updated a moment after the text.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return page.getByTestId('strip-readout').innerText()
    })
    .toMatch(/^Online for .+ to now: ./)
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByTestId('strip-readout').innerText()).not.toContain('to now')
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByTestId('strip-readout').waitFor({ state: 'detached' })

  // A self-probe on demand, then closing the tunnel.
  const probe = page.locator('.tunnel-facts > div').filter({ hasText: 'passed' }).locator('time')
  const probed = await probe.first().getAttribute('datetime')
  await page.keyboard.press('c')
  await expect.poll(() => probe.first().getAttribute('datetime')).not.toBe(probed)
  await page.keyboard.press('y')
  await page.getByText('Public webhook URL copied.').waitFor()
  const close = page.getByRole('button', { name: 'Close', exact: true })
  await close.focus()
  await page.keyboard.press('Enter')
  await waitForTunnelState(page, 'off')
  // It is the same button and keeps the focus.
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Open'))
  await expect.poll(() => server.clients.length).toBe(0)
  await expect.poll(() => changes.first().getAttribute('data-state')).toBe('off')
  expect(watched.faults).toEqual([])
})

it('is reopened with the same name when Tabscope restarts', async () => {
  await using server = await tunnelServer({ graceMs: 200 })
  await using product = await startProduct()
  {
    await using watched = await openPage(product.ui)
    await openLocaltunnel(watched.page, server.host, 'pier9')
    await waitForTunnelState(watched.page, 'online')
  }
  await product.stop()
  await using again = await startProduct({ dataDir: product.dataDir })
  await using watched = await openPage(again.ui)
  await waitForTunnelState(watched.page, 'online')
  expect(await tunnelChip(watched.page).innerText()).toContain('pier9.localhost')
  await goTo(watched.page, 'Tunnel')
  // There is a gap between the two, and both are listed.
  await expect.poll(() => watched.page.getByTestId('tunnel-change').count()).toBeGreaterThan(2)
  expect(watched.faults).toEqual([])
})
