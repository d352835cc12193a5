import type { Locator, Page } from 'playwright-core'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { goTo } from '../../support/product.ts'

/** The tunnel in the bar. */
export function tunnelChip(page: Page): Locator {
  return page.getByTestId('tunnel-chip')
}

/** Waits until the bar shows this state. */
export async function waitForTunnelState(page: Page, state: TunnelStateName): Promise<void> {
  await tunnelChip(page)
    .and(page.locator(`[data-state="${state}"]`))
    .waitFor()
}

export function providerOf(page: Page, id: string): Locator {
  return page.locator(`.provider[data-provider="${id}"]`)
}

/** Fills in the setup of localtunnel and opens it. */
export async function openLocaltunnel(page: Page, host: string, subdomain: string): Promise<void> {
  await goTo(page, 'Tunnel')
  const provider = providerOf(page, 'localtunnel')
  await provider.getByLabel(/^Subdomain/).fill(subdomain)
  await provider.getByLabel(/^Server/).fill(host)
  await page.getByRole('button', { name: /^(Open|Reopen) tunnel$/ }).click()
}

/** The text on the clipboard. */
export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Elements that do not fit into the bar, and chips with overflowing text. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.bar, .bar-chip, .bar-tunnel > a')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.className} ${one.scrollWidth} in ${one.clientWidth}`),
  )
}
