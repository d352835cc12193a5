import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { axeFaultsInAll } from '../../support/axe.ts'
import { simulateTunnel } from '../../support/simulated-tunnel.ts'
import * as made from '../../support/sample-tunnels.ts'
import {
  closeBrowser,
  goTo,
  openOwnPage,
  startProduct,
  type Product,
} from '../../support/product.ts'
import { overflows } from './steps.ts'

/** One product for all tests. Its tunnel state is simulated for each page. */
let ui = ''
let product: Product | null = null
beforeAll(async () => {
  product = await startProduct()
  ui = product.ui
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await closeBrowser()
})

const hostile = 'It said \u202egnihton\u0000 <img src=x onerror=alert(1)> ' + 'w'.repeat(500)

function states(now: number): TunnelView[] {
  const online = made.sizedTunnel(now)
  const offline = made.offlineTunnel(now)
  return [
    made.offTunnel(now),
    { ...offline, state: 'opening', nextTryAt: null, failures: 0, probe: null, connections: null },
    online,
    { ...online, state: 'degraded', probe: { at: now, ok: false, ms: 5000, reason: hostile } },
    { ...offline, reason: hostile },
    { ...offline, state: 'reconnecting', nextTryAt: null, temporary: true },
    {
      ...made.warnedTunnel(now),
      url: 'https://a-very-long-name-that-somebody-chose-for-it.and-a-domain.example.com',
      warnings: made
        .warnedTunnel(now)
        .warnings.map((warning) =>
          warning.kind === 'assigned' ? { ...warning, got: hostile } : { ...warning, old: hostile },
        ),
    },
  ]
}

it('has no axe violations and no overflow in any state, wide and narrow, light and dark', async () => {
  await using watched = await openOwnPage('about:blank')
  const { page } = watched
  const fits = async (): Promise<string[]> => {
    const whole = page.locator('.page')
    const over = await whole.evaluate((it) => it.scrollWidth - it.clientWidth)
    return [...(await overflows(page)), ...(over === 0 ? [] : [`the page by ${over}`])]
  }
  const now = Date.now()
  const [off, ...others] = states(now)
  if (!off) throw new Error('no state')
  const drawn = await simulateTunnel(page, {
    view: off,
    history: made.someHistory(now),
    providers: made.someProviders,
  })
  await page.goto(ui)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await goTo(page, 'Tunnel')
  await page
    .locator('.provider')
    .nth(made.someProviders.length - 1)
    .waitFor()
  for (const view of [off, ...others]) {
    drawn.show(view)
    await page.locator(`.tunnel-now[data-state="${view.state}"]`).waitFor()
    if (view.warnings.length > 0) await page.locator('.tunnel-warning').nth(1).waitFor()
    expect(await axeFaultsInAll(page, fits), view.state).toEqual([])
  }
  expect(await page.locator('.tunnel-warning').first().innerText()).toContain('\\u202e')
  await goTo(page, 'Endpoints')
  await page.getByRole('button', { name: /^Copy public URL/ }).waitFor()
  expect(await axeFaultsInAll(page), 'endpoints').toEqual([])
  drawn.show(made.offlineTunnel(now))
  await page.locator('.public-url').getByText('offline').waitFor()
  expect(await axeFaultsInAll(page), 'endpoints, offline').toEqual([])
  await goTo(page, 'Deliveries')
  await page.getByRole('button', { name: /^Copy public URL/ }).waitFor()
  expect(await axeFaultsInAll(page), 'first run').toEqual([])
  expect(watched.faults).toEqual([])
})

it('keeps the bar within its width with long messages, at every width', async () => {
  await using watched = await openOwnPage('about:blank')
  const { page } = watched
  const now = Date.now()
  const views = states(now)
  const drawn = await simulateTunnel(page, {
    view: made.offTunnel(now),
    history: [],
    providers: made.someProviders,
  })
  await page.goto(ui)
  await goTo(page, 'Endpoints')
  await page.getByRole('button', { name: 'Add response rule' }).click()
  await page.getByLabel('Event type').selectOption('ORDER_PLACED')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.locator('.bar-answering').waitFor()
  for (const view of views) {
    drawn.show(view)
    await page.locator(`.bar-tunnel[data-state="${view.state}"]`).waitFor()
    for (const width of [1024, 1100, 1101, 1240, 1241, 1360, 1361, 1500]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await overflows(page), `${view.state} at ${width}`).toEqual([])
    }
  }
})
