import type { Page } from 'playwright-core'
import { waitForTunnelState, tunnelChip, openLocaltunnel } from './steps.ts'
import { goTo } from './product.ts'
import { tunnelServer } from './tunnel-server.ts'

/**
 * Screenshots of the tunnel page in different states: the product's client with a server on loopback, which limits bodies to 1 MiB, gives
 * the name to another client, and stops.
 */
export async function shootTunnel(
  page: Page,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await using server = await tunnelServer({ interstitial: true, graceMs: 60_000 })
  server.limitBody({ bytes: 1024 * 1024, how: '413' })
  await goTo(page, 'Tunnel')
  await page.getByTestId('tunnel-state').waitFor()
  await page.getByLabel('Subdomain').waitFor()
  await shoot('tunnel-off')

  await openLocaltunnel(page, server.host, 'pier9')
  await waitForTunnelState(page, 'online')
  await page.getByText('OAuth redirects do not').waitFor()
  await page.getByRole('button', { name: 'Test sizes' }).click()
  await page.getByRole('button', { name: 'Test again' }).waitFor({ timeout: 30_000 })
  await page.getByRole('table', { name: 'Tested sizes' }).scrollIntoViewIfNeeded()
  await shoot('tunnel-sizes')
  await page.getByTestId('tunnel-state').scrollIntoViewIfNeeded()
  await shoot('tunnel')

  await tunnelChip(page).getByRole('button', { name: 'Copy public webhook URL' }).click()
  await server.restart()
  // While the server is stopped, another client takes the name.
  await fetch(`${server.host}/pier9`)
  const warning = tunnelChip(page).getByText('with a warning')
  await warning.waitFor({ state: 'attached', timeout: 20_000 })
  await waitForTunnelState(page, 'online')
  await page.getByRole('region', { name: 'The dashboard may have the old address' }).waitFor()
  await shoot('tunnel-warning')

  await server.kill()
  await waitForTunnelState(page, 'offline')
  // Each failure makes the pause longer, in which the state does not change.
  await page.getByText(/[3-9] consecutive attempts/).waitFor({ timeout: 20_000 })
  await waitForTunnelState(page, 'offline')
  await shoot('tunnel-offline')
}
