import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { deliver, openOwnPage, startProduct } from '../support/product.ts'
import { sampleAlerts, sampleOverview } from '../support/sample-health.ts'
import { interceptCalls } from '../support/states/simulated.ts'

const tab = (name: string): string => JSON.stringify({ type: 'OPEN_TAB', data: { name } })

async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => location.assign(to), hash)
}

it('shows an hour, and opens the deliveries of a bucket by keyboard, by mouse and from the table', async () => {
  await using product = await startProduct()
  await deliver(product.endpoint, tab('Miller'))
  await using page = await openOwnPage('about:blank')
  // As in WebKitGTK with `LANG=C`. `Intl` refuses it.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' }),
  )
  const [delivery] = await product.engine.call('deliveries.since', { after: 0, limit: 1 })
  const now = delivery?.receivedAt ?? 0
  const inputs: unknown[] = []
  let end = now
  const wire = await interceptCalls(page, {
    answers: {
      'health.overview': (_, input) => {
        inputs.push(input)
        return sampleOverview('hour', end)
      },
    },
    pushes: {},
  })
  await page.goto(product.ui)
  await open(page, '#/health?range=hour')
  const chart = page.getByRole('slider', { name: 'Deliveries', exact: true })
  await chart.focus()
  await page.keyboard.press('End')
  const value = await chart.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/^\d\d:\d\d: \d+ received, \d+ usual$/)
  // All charts mark the same time.
  await expect
    .poll(() => page.locator('.health-cursor:visible').count())
    .toBe(await page.locator('.health-plot').count())
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toBe(value)
  // A minute later, the same time is marked.
  end = now + 60_000
  wire.push('health.changed', { ...sampleAlerts(now), alerts: [] })
  await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('58')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(`${value?.slice(0, 5)}: `)
  end = now
  await page.keyboard.press('Enter')
  const rows = page.getByTestId('delivery-row')
  await expect.poll(() => rows.count()).toBe(1)
  const filter = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('filter')
  const length = 60_000
  const start = new Date(Math.floor(now / length) * length)
  const times = (from: Date) =>
    `since:${from.toISOString()} before:${new Date(from.getTime() + length).toISOString()}`
  expect(filter()).toBe(times(start))

  await page.goBack()
  await page.getByRole('button', { name: 'Samples' }).click()
  await page.getByRole('button', { name: 'Remove endpoint Samples' }).waitFor()
  await expect.poll(() => inputs.at(-1)).toMatchObject({ range: 'hour', endpointId: 1 })
  const failures = page.getByRole('slider', { name: 'Invalid or missing signatures' })
  const { width = 0, height = 0 } = (await failures.boundingBox()) ?? {}
  await failures.click({ position: { x: width - 46, y: height / 2 } })
  await expect.poll(filter).toBe(`${times(start)} endpoint:1 verdict:invalid,missing`)

  await page.goBack()
  await page.getByRole('button', { name: 'Show as tables' }).click()
  const down = page.getByRole('table', { name: 'Deliveries', exact: true }).getByRole('row')
  await down.filter({ hasText: 'the tunnel was down' }).first().getByRole('link').click()
  await expect.poll(filter).toMatch(/^since:\S+ before:\S+ endpoint:1$/)
})

it.runIf(full)('shows alerts above the list, and snoozes them', async () => {
  await using product = await startProduct()
  await deliver(product.endpoint, tab('Miller'))
  await using page = await openOwnPage('about:blank')
  const now = Date.now()
  const health = sampleAlerts(now)
  const inputs: unknown[] = []
  const wire = await interceptCalls(page, {
    answers: {
      'health.alerts': () => health,
      'health.overview': () => sampleOverview('day', now),
      'health.setRule': (_, input) => {
        inputs.push(input)
        return health.rules[0]
      },
    },
    pushes: {},
  })
  await page.goto(product.ui)
  const strip = page.getByTestId('alert')
  await strip.getByText(/^No delivery at Pier 9 since .+; usually 38 in this hour\./).waitFor()
  await strip.getByText(/^The handler of Samples failed for 41 %/).waitFor()
  await strip.getByRole('button', { name: 'Snooze 1 h' }).first().click()
  await page.getByText(/^Alerts of Samples are snoozed until/).waitFor()
  expect(inputs).toEqual([{ endpointId: 1, snoozedUntil: expect.closeTo(now + 3_600_000, -5) }])
  wire.push('health.changed', { ...health, alerts: [] })
  await expect.poll(() => strip.count()).toBe(0)

  await open(page, '#/health/alerts')
  await page.getByRole('button', { name: 'More for this alert' }).click()
  await page.getByRole('menuitem', { name: 'Alert settings…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alert settings' })
  await dialog.getByLabel('Silence').fill('4')
  await dialog.getByLabel('Delay').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a whole number from 5 to 1440, or nothing.').waitFor()
  await dialog.getByLabel('Silence').fill('90')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(inputs.at(-1)).toEqual({
    endpointId: 1,
    silenceMinutes: 90,
    failurePercent: 20,
    delaySeconds: null,
    newCauses: true,
  })
})
