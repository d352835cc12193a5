import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../../support/axe.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { tunnelServer } from '../../support/tunnel-server.ts'
import { waitForTunnelState, openLocaltunnel } from './steps.ts'

afterAll(closeBrowser)

const KiB = 1024

it('measures which sizes pass, distinguishes the tunnel’s limit from its own, and shows what a browser receives', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer({ interstitial: true })
  server.limitBody({ bytes: 300 * KiB, how: '413' })
  await using watched = await openPage(product.ui)
  const { page } = watched
  const summary = page.getByTestId('sizes-summary')
  await goTo(page, 'Tunnel')
  expect(await page.getByRole('button', { name: 'Test sizes' }).isDisabled()).toBe(true)
  await openLocaltunnel(page, server.host, 'pier9')
  await waitForTunnelState(page, 'online')
  await page.getByText('OAuth redirects do not').waitFor()

  await page.getByRole('button', { name: 'Test sizes' }).click()
  await page.getByTestId('size-step').first().waitFor()
  await page.getByRole('button', { name: 'Test again' }).waitFor({ timeout: 30_000 })
  expect(await summary.innerText()).toMatch(
    /^Accepts bodies up to 2\d\d KiB\. 3\d\d KiB was rejected with 413\.$/,
  )
  const refused = page
    .getByTestId('size-step')
    .and(page.locator('[data-outcome="refused"]'))
    .first()
  expect(await refused.innerText()).toMatch(/rejected\s+413/)
  expect(await axeFaults(page)).toEqual([])

  // The bodies are not shown as deliveries, and Tabscope’s body limit is reported separately.
  await goTo(page, 'Deliveries')
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await goTo(page, 'Settings')
  await page.getByLabel('Body limit').fill('0.1')
  await page.getByLabel('Body limit').press('Enter')
  await page.getByText('Saved', { exact: true }).first().waitFor()
  await goTo(page, 'Tunnel')
  await page.getByRole('button', { name: 'Test again' }).click()
  await expect.poll(() => summary.innerText(), { timeout: 30_000 }).toContain('its body limit')
  await page.getByText('body limit', { exact: true }).first().waitFor()
  // The limit is shown before the last size is tested, and a frozen tunnel goes offline.
  await page.getByRole('button', { name: 'Test again' }).waitFor({ timeout: 30_000 })

  // The test can be stopped while there is no response.
  server.freeze()
  await page.getByRole('button', { name: 'Test again' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Test again' }).waitFor()
  expect(await summary.innerText()).toBe('Stopped before the first size.')
  expect(watched.faults).toEqual([])
})
