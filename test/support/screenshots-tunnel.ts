import type { Page } from 'playwright-core'
import { drawTunnel, type DrawnTunnel } from './drawn-tunnel.ts'
import * as made from './made-up-tunnel.ts'
import { goTo } from './product.ts'

/** A week of a tunnel, and servers that fail, cannot be had for a picture: what it tells is made up. Before the page is opened. */
export function drawSomeTunnel(page: Page, now: number): Promise<DrawnTunnel> {
  return drawTunnel(page, {
    view: made.offTunnel(now),
    history: made.someHistory(now),
    providers: made.someProviders,
  })
}

/** The tunnel's page in the states that are worth a picture; ends online. */
export async function shootTunnel(
  page: Page,
  drawn: DrawnTunnel,
  /** As above. */
  now: number,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await goTo(page, 'Tunnel')
  await page.getByTestId('tunnel-state').waitFor()
  const views = [
    ['tunnel-off', made.offTunnel(now)],
    ['tunnel-offline', made.offlineTunnel(now)],
    ['tunnel-warning', made.warnedTunnel(now)],
    ['tunnel', made.sizedTunnel(now)],
  ] as const
  for (const [name, view] of views) {
    drawn.show(view)
    await page.locator(`.tunnel-now[data-state="${view.state}"]`).waitFor()
    await page
      .locator('.tunnel-warning')
      .nth(Math.max(0, view.warnings.length - 1))
      .waitFor({
        state: view.warnings.length > 0 ? 'visible' : 'detached',
      })
    await shoot(name)
  }
  const end = page.getByRole('table', { name: 'Sizes that were tried' })
  await end.scrollIntoViewIfNeeded()
  await shoot('tunnel-sizes')
}
