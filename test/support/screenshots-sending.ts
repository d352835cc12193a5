import type { Page } from 'playwright-core'
import { loopbackService } from './loopback-service.ts'
import { goTo } from './product.ts'

/** A target server with a configurable response, which rejects every ninth request. */
export interface App extends AsyncDisposable {
  status: number
  readonly address: string
}

export async function startApp(): Promise<App> {
  const service = await loopbackService((_, response) => {
    const status = service.arrived.length % 9 === 0 ? 503 : app.status
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(status === 200 ? '{"ok":true,"order":"A-17"}' : '{"error":"no such table"}')
  })
  const app: App = {
    status: 200,
    address: `${service.baseUrl}/webhooks`,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
  return app
}

/** Re-sends the open delivery, which fails and then succeeds, and shows its attempts. */
export async function sendTwice(page: Page, app: App): Promise<void> {
  await page.keyboard.press('7')
  for (const [index, status] of [500, 200].entries()) {
    app.status = status
    await page.keyboard.press('Shift+R')
    const address = page.getByRole('dialog').getByRole('textbox', { name: 'Address' })
    await address.fill(app.address)
    await address.press('Enter')
    await page.getByRole('tab', { name: `Attempts ${index + 1}` }).waitFor()
  }
  await page.getByRole('tabpanel').getByText('"A-17"').waitFor()
}

/** Re-sends all listed deliveries at a rate. Ends in the list. */
export async function sendMany(
  page: Page,
  app: App,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Re-send…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(app.address)
  await dialog.getByRole('radio', { name: 'At a rate' }).check()
  await dialog.getByLabel('Deliveries per second').fill('25')
  await dialog.getByText('On this machine.').waitFor()
  await shoot('resend-many')
  await dialog.getByRole('button', { name: /^Re-send/ }).click()
  const strip = page.getByRole('region', { name: 'Job progress' })
  await strip.getByText('failed').waitFor()
  await strip.getByRole('link', { name: 'Show' }).click()
  await page.getByText('Done, with failures').first().waitFor()
  await page.getByTestId('job-item').nth(2).waitFor()
  await shoot('job')
  await goTo(page, 'Deliveries')
  await strip.getByRole('button', { name: 'Dismiss' }).click()
}
