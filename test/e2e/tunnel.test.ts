import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { goTo, openPage, startProduct } from '../support/product.ts'
import { publicRequest } from '../support/public-request.ts'
import { tunnelServer } from '../support/tunnel-server.ts'
import { clipboard, clipboardOf, tunnelChip, waitForTunnelState } from '../support/steps.ts'

const delivery = {
  body: '{"type":"OPEN_TAB","data":{}}',
  headers: { 'Content-Type': 'application/json' },
}

it('opens from the bar, is copied, is lost, reconnects, and is closed', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer({ graceMs: 200 })
  await using page = await openPage(product.ui, clipboard)
  const chip = tunnelChip(page)
  const origin = `http://pier9.localhost:${server.port}`
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await waitForTunnelState(page, 'off')
  await expect.poll(() => chip.innerText()).toContain('from this machine only')

  // The page configures what the bar's button opens. Saving does not open the tunnel.
  await goTo(page, 'Setup', 'Reachability')
  await expect.poll(() => page.getByTestId('tunnel-state').innerText()).toBe('Off')
  await page.getByLabel(/^Subdomain/).fill('pier9')
  await page.getByLabel(/^Server/).fill(server.host)
  await page.getByText('Not saved').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(server.asked).toEqual([])
  await goTo(page, 'Deliveries', 'Live')

  await chip.getByRole('button', { name: 'Open the tunnel' }).focus()
  await page.keyboard.press('Enter')
  await waitForTunnelState(page, 'online')
  await expect.poll(() => chip.innerText()).toContain(`pier9.localhost:${server.port}`)
  // The button is gone, and the focus is still in the bar.
  expect(await chip.getByRole('button', { name: 'Open the tunnel' }).count()).toBe(0)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')))
    .toBe('#/setup/reach')

  await chip.getByRole('button', { name: 'Copy public webhook URL' }).click()
  await expect.poll(() => clipboardOf(page)).toBe(`${origin}/hooks/sandbox`)
  await page.getByText(`${origin}/hooks/sandbox`).waitFor()
  expect((await publicRequest(`${origin}/hooks/sandbox`, delivery)).status).toBe(200)
  await page.getByTestId('delivery-row').first().waitFor()

  const said = page.getByTestId('tunnel-status')
  await server.kill()
  await page.waitForFunction(
    () =>
      document.querySelector('[data-testid="reach-chip"]')?.getAttribute('data-state') !== 'online',
  )
  await expect.poll(() => said.innerText()).toMatch(/^Tunnel (degraded|reconnecting|offline): ./)
  await waitForTunnelState(page, 'offline')
  await expect.poll(() => chip.innerText()).toContain(`pier9.localhost:${server.port}`)
  await chip.getByRole('link').click()
  await expect
    .poll(() => page.getByTestId('tunnel-state').innerText())
    .toMatch(/Offline|Reconnecting/)
  expect(await page.getByTestId('tunnel-reason').innerText()).not.toBe('')
  await page.getByText(/consecutive attempts?/).waitFor()

  await server.restart()
  await waitForTunnelState(page, 'online')
  await expect.poll(() => said.innerText()).toBe(`Tunnel online: pier9.localhost:${server.port}.`)

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
})

it.runIf(full)(
  'asks before it opens a tunnel by a public server, from the bar and from the setup, and opens none without consent',
  async () => {
    await using product = await startProduct()
    await using page = await openPage(product.ui)
    const dialog = page.getByRole('dialog', { name: 'Use a public tunnel server?' })
    await tunnelChip(page).getByRole('button', { name: 'Open the tunnel' }).click()
    await dialog.getByText('https://localtunnel.me').waitFor()
    await dialog.getByText('Volunteers run this server.').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await waitForTunnelState(page, 'off')

    await goTo(page, 'Setup', 'Reachability')
    await page.getByRole('button', { name: 'Open tunnel' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await waitForTunnelState(page, 'off')
  },
)
