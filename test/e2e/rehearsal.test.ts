import { expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import type { Page } from 'playwright-core'
import {
  clipboard,
  clipboardOf,
  download,
  dropFiles,
  exportDialog,
  linesOf,
} from '../support/steps.ts'
import { goTo, openPage } from '../support/product.ts'
import { startCountingHandler } from '../support/rehearsal/counting-handler.ts'
import { faultyClients } from '../support/rehearsal/faulty-oauth-clients.ts'
import { startClient, type RunningClient } from '../support/rehearsal/oauth-client.ts'
import { sharedProduct } from '../support/shared-product.ts'

const secret = 'rehearsal-secret-0123456789'
const fresh = sharedProduct({ secret })

const startHandler = () => startCountingHandler(secret)

const cases = (page: Page) => page.getByTestId('case-row')
const caseRow = (page: Page, id: string) => page.locator(`[data-case="${id}"]`)
const head = (page: Page) => page.locator('.rehearsal-head')

async function select(page: Page, ids: readonly string[]): Promise<void> {
  for (const group of ['Events', 'Signature', 'Body', 'Effects', 'Transport']) {
    const summary = page.locator('summary').filter({ hasText: new RegExp(`^${group}`) })
    const fold = page.locator('details').filter({ has: summary })
    await summary.click()
    await fold.getByLabel(`All of ${group}`).uncheck()
    for (const id of ids) {
      const box = fold.getByRole('checkbox', { name: new RegExp(`^${id} `) })
      if ((await box.count()) > 0) await box.check()
    }
  }
}

async function selectOAuth(page: Page, ids: readonly string[]): Promise<void> {
  await page
    .locator('summary')
    .filter({ hasText: /^OAuth client/ })
    .click()
  const all = page.getByLabel('All of OAuth client')
  await all.check()
  await all.uncheck()
  for (const id of ids) await page.getByRole('checkbox', { name: new RegExp(`^${id} `) }).check()
}

/** Fills in the form and starts it. Ends at the run. */
async function start(page: Page, url: string, ids: readonly string[]): Promise<void> {
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await select(page, ids)
  await page.getByRole('button', { name: 'Start rehearsal' }).click()
  await head(page).waitFor()
}

it('starts a rehearsal, shows a failure with what was sent, and compares it with the run after the fix', async () => {
  await using handler = await startHandler()
  handler.acceptsEmptyKey = true
  const product = await fresh()
  await using page = await openPage(product.ui, clipboard)
  await goTo(page, 'Handler', 'Rehearsals')
  await page.getByText('No rehearsals yet').waitFor()

  await page.getByRole('button', { name: 'Start rehearsal' }).click()
  await page.getByText('Enter the URL of your handler.').waitFor()
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('Seed').fill('7')
  await start(page, handler.url, ['S1', 'S4', 'B1'])

  await head(page).getByText('Done, with failures').waitFor()
  await head(page).getByText('3 of 4 cases passed, 1 failed.').waitFor()
  await head(page).getByText('No grade: only selected cases ran.').waitFor()
  expect(
    await cases(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-result'))),
  ).toEqual(['fail', 'pass', 'pass', 'pass'])
  // What failed comes first, by root cause, with the fix above the cases.
  const cause = page.getByRole('region', {
    name: '1 case fails because the secret or the signature header is not required',
  })
  await cause.getByText('Stop at the start if the secret is not set or empty').waitFor()
  await cause.getByTestId('case-row').getByText('S4').waitFor()

  for (const key of ['j', 'ArrowDown', 'k', 'k']) await page.keyboard.press(key)
  const detail = page.getByRole('region', { name: 'Case S4' })
  await detail.getByText('It accepted the request with 204.').waitFor()
  await page.keyboard.press('Enter')
  await detail.getByRole('button', { name: /an empty key/ }).waitFor()
  const sent = detail.getByRole('region', { name: 'Sent' }).first()
  await sent.getByText('POST').waitFor()
  await expect
    .poll(() => sent.locator('ins').allInnerTexts())
    .toEqual([expect.stringMatching(/^X-Service-Signature: [0-9a-f]{64}$/)])
  await sent.getByText(/1 header differs/).waitFor()
  await detail.getByRole('region', { name: 'Received' }).first().getByText('204').waitFor()
  await detail.getByText('Compute HMAC-SHA256 of the body').waitFor()
  await detail.getByText('Stop at the start if the secret is not set or empty').waitFor()
  await detail.getByLabel('Framework').selectOption('express')
  await detail
    .getByRole('region', { name: 'Fix for Express' })
    .getByText('Set WEBHOOK_SECRET.')
    .waitFor()
  await page.keyboard.press('y')
  await page.getByText('Command copied.').waitFor()
  await expect
    .poll(() => clipboardOf(page))
    .toBe(`tabscope rehearse --to ${handler.url} --only S4 --seed 7 --endpoint sandbox`)

  await page.getByRole('button', { name: /^Failed 1/ }).click()
  await expect.poll(() => cases(page).count()).toBe(1)

  // As a draft, with the bytes of the case.
  await sent.getByRole('button', { name: 'Edit and send' }).click()
  await page.locator('.cm-content').getByText('Tabscope rehearsal').waitFor()
  await page.goBack()
  await detail.waitFor()

  // After the fix, the same again.
  handler.acceptsEmptyKey = false
  await head(page).getByRole('link', { name: 'Rehearse again' }).click()
  // A handler that cannot be judged: the fix is shown for the likely cause.
  const endpoint = page.getByRole('combobox', { name: 'Endpoint' })
  await endpoint.selectOption('No endpoint, no secret')
  await page.getByText('Without a secret, the signature cases are skipped').waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill(`${handler.url}?`)
  await page.getByRole('button', { name: 'Start rehearsal' }).click()
  await head(page).getByText('A valid delivery got 401').waitFor()
  await page
    .getByRole('region', { name: 'How to fix it' })
    .getByText(/^Compute the/)
    .waitFor()

  // A suggested target brings its endpoint, and with it the secret.
  await head(page).getByRole('link', { name: 'Rehearse again' }).click()
  await endpoint.selectOption('No endpoint, no secret')
  await page.getByRole('button', { name: /earlier target of/ }).click()
  await page.getByText('Its secret, brand and custom headers are used.').waitFor()
  await start(page, handler.url, ['S1', 'S4'])
  await head(page).getByText('3 of 3 cases passed.').waitFor()
  await head(page).getByRole('link', { name: 'Compare runs' }).click()
  const matrix = page.getByRole('table', { name: 'Cases by run' })
  await page.getByText('Fixed: S4.').waitFor()
  const row = matrix.getByRole('row').filter({ hasText: 'S4' })
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Failed Passed Fixed/)
  await page.getByLabel('Only changed cases').check()
  await expect.poll(() => matrix.locator('tbody tr').count()).toBe(1)
  await row.getByRole('link', { name: /Failed/ }).click()
  await detail.getByText('It accepted the request with 204.').waitFor()
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })

  // Both runs in a file, and the file in Tabscope again: the same, but read-only.
  await head(page).getByRole('button', { name: 'Export…' }).click()
  const dialog = exportDialog(page)
  await dialog.getByLabel('Rehearsals').selectOption('The 2 runs of this target')
  await dialog.getByRole('region', { name: 'Preview' }).getByText('2 rehearsals').waitFor()
  const { name, text } = await download(page)
  expect(linesOf(text, 'rehearsal')).toHaveLength(2)
  await dropFiles(page, [{ name, text }])
  await page.evaluate(() => location.assign('#/logs/1/rehearsals'))
  await head(page).getByText('read-only, from an event log').waitFor()
  await head(page).getByRole('link', { name: 'Compare runs' }).click()
  await page.getByText('Fixed: S4.').waitFor()
  await row.getByRole('link', { name: /Failed/ }).click()
  await detail.getByText('It accepted the request with 204.').waitFor()
  await sent.getByText(/1 header differs/).waitFor()
  expect(await page.getByRole('button', { name: 'Edit and send' }).count()).toBe(0)
  expect(await page.getByText(/Rehearse again|New rehearsal/).count()).toBe(0)
  await page.evaluate(() => location.assign('#/handler/rehearsals/1'))

  await head(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Start rehearsal' }).waitFor()
  await expect.poll(() => page.getByTestId('rehearsal-row').count()).toBe(2)
})

/** Configures an app with what the page shows for a run, as a user does. */
async function configure(page: Page, app: RunningClient): Promise<void> {
  const copied = async (label: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${label}` }).click()
    return clipboardOf(page)
  }
  app.configure({
    baseUrl: await copied('base URL'),
    accessId: await copied('access ID'),
    accessSecret: await copied('access secret'),
  })
}

it.runIf(full)(
  'leads through the rehearsal of an OAuth client, and shows what it gets wrong',
  async () => {
    await using app = await startClient()
    const product = await fresh()
    await using page = await openPage(product.ui, clipboard)
    await goTo(page, 'Handler', 'Rehearsals')
    await page.getByRole('radio', { name: 'OAuth client' }).press('ArrowRight')
    await page.getByRole('radio', { name: 'Webhook handler' }).press('ArrowRight')
    await page.getByRole('heading', { name: 'Rehearse your OAuth client' }).waitFor()
    const begin = page.getByRole('button', { name: 'Start rehearsal' })
    const port = page.getByLabel('Port')
    await port.fill(new URL(product.listener).port)
    await begin.click()
    await page.getByText('is in use. Choose another port').waitFor()
    await port.fill('')
    await page.getByLabel('URL that begins a flow').fill('http://192.0.2.1:9/login')
    await begin.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('http://192.0.2.1:9').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    // The user begins each flow.
    await page.getByLabel('URL that begins a flow').fill('')
    await page.getByLabel('Configured redirect URL').fill(app.redirectUrl)
    await begin.click()
    const step = page.getByRole('region', { name: 'Current step' })
    await step.getByText('Start the authorization in your app now.').waitFor()
    await step.getByText('Received: nothing yet').waitFor()
    await expect
      .poll(() => step.getByRole('link', { name: 'Open your app' }).getAttribute('href'))
      .toBe(new URL(app.redirectUrl).origin)
    await configure(page, app)
    const user = await page.context().newPage()
    await user.goto(app.startUrl)
    await user.getByText('Connected.').waitFor()
    await step.getByText('Let your app call the API once now.').waitFor()
    await step.getByText('Received: 1 authorization request, 1 token request').waitFor()
    // The made-up secret is still there after a reload.
    await page.reload()
    await configure(page, app)
    await user.goto(app.callUrl)
    await user.close()
    await step.getByText('O1', { exact: true }).waitFor()
    await head(page).getByRole('button', { name: 'Cancel' }).click()
    await head(page).getByText('Cancelled', { exact: true }).waitFor()

    // Tabscope begins each flow. The earlier port is kept.
    await head(page).getByRole('link', { name: 'Rehearse again' }).click()
    await expect
      .poll(() => page.getByLabel('Configured redirect URL').inputValue())
      .toBe(app.redirectUrl)
    expect(await port.inputValue()).not.toBe('')
    await page.getByLabel('URL that begins a flow').fill(app.startUrl)
    await page.getByLabel('URL that calls the API').fill(app.callUrl)
    await selectOAuth(page, ['O1', 'O2'])
    await begin.click()
    await configure(page, app)
    await head(page).getByText('2 of 2 cases passed.').waitFor()
    await head(page).getByText('No grade: only selected cases ran.').waitFor()
    expect(await page.getByRole('region', { name: 'Current step' }).count()).toBe(0)

    // An app with a fault, and only the case that finds it.
    const fault = faultyClients.find(({ name }) => name === 'ignores the state')
    await using faulty = await startClient(fault?.changes)
    await head(page).getByRole('link', { name: 'Rehearse again' }).click()
    await page.getByLabel('URL that begins a flow').fill(faulty.startUrl)
    await page.getByLabel('URL that calls the API').fill('')
    await page.getByLabel('Configured redirect URL').fill(faulty.redirectUrl)
    await selectOAuth(page, ['O3'])
    await begin.click()
    await configure(page, faulty)
    await head(page).getByText('0 of 1 case passed, 1 failed.').waitFor()
    await caseRow(page, 'O3').click()
    const detail = page.getByRole('region', { name: 'Case O3' })
    await detail.getByText('The app sent a token request.').first().waitFor()
    await detail.getByRole('region', { name: 'Request' }).first().getByText('GET').waitFor()
    await detail.getByText('tabscope rehearse oauth --only O3').waitFor()
  },
)
