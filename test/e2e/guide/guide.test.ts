import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { axeFaultsInAll } from '../../support/axe.ts'
import { freePort } from '../../support/free-port.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'
import { publicRequest } from '../../support/public-request.ts'
import { tunnelServer } from '../../support/tunnel-server.ts'
import { waitForTunnelState } from '../tunnel/steps.ts'

afterAll(closeBrowser)

const guideOf = (page: Page): Locator => page.getByRole('region', { name: 'Guide', exact: true })

function press(page: Page, name: string): Promise<void> {
  return guideOf(page).getByRole('button', { name, exact: true }).click()
}

/** Waits until the step is in this state. */
function stands(page: Page, kind: 'to-do' | 'in-progress' | 'done' | 'problem'): Promise<void> {
  return guideOf(page).locator(`[data-testid="guide-state"][data-kind="${kind}"]`).waitFor()
}

/** The steps marked as done. */
function ticked(page: Page): Promise<string[]> {
  return guideOf(page)
    .locator('[data-done]')
    .evaluateAll((all) => all.map((one) => one.textContent?.replace(', done', '') ?? ''))
}

/** Opens the service's page with the link on the waiting page. */
async function openTheirs(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open authorization page' }).click()
  const theirs = await opened
  await theirs.getByRole('button', { name: 'Approve' }).waitFor()
  return theirs
}

it('guides through the first steps with the sandbox, marks completed steps, and does not return unless requested', async () => {
  await using product = await startProduct({ secret: 'guide-secret-0123456789' })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  expect(await guideOf(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Try it with the sandbox' }).click()

  // The sandbox: on its page, with no tick before it runs.
  await stands(page, 'to-do')
  expect(new URL(page.url()).hash).toBe('#/sandbox')
  expect(await guideOf(page).evaluate((strip) => document.activeElement === strip)).toBe(true)
  expect(await ticked(page)).toEqual([])
  await press(page, 'Next')
  expect(await ticked(page)).toEqual([])
  await press(page, 'Back')
  await press(page, 'Start the sandbox')
  await stands(page, 'done')
  expect(await ticked(page)).toEqual(['Sandbox'])
  // The pressed button is gone, and the focus is on "Next".
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent ?? '')
  await expect.poll(focused).toBe('Next')
  await page.keyboard.press('Enter')

  // The authorization: denied first, with an explanation, then successful.
  await page.waitForURL(/#\/authorization$/)
  await press(page, 'Authorize a user')
  const denying = await openTheirs(page)
  await stands(page, 'in-progress')
  await denying.getByRole('button', { name: 'Deny' }).click()
  await stands(page, 'problem')
  expect(await guideOf(page).getByTestId('guide-state').innerText()).toMatch(/denied|approve/i)
  await denying.close()
  await press(page, 'Authorize again')
  const approving = await openTheirs(page)
  await approving.getByRole('button', { name: 'Approve' }).click()
  await stands(page, 'done')
  await approving.close()
  expect(await ticked(page)).toEqual(['Sandbox', 'Authorize'])

  // After a reload, path and step are restored and the state is read again.
  await page.reload()
  await stands(page, 'done')
  expect(await ticked(page)).toEqual(['Sandbox', 'Authorize'])
  await press(page, 'Next')
  await page.waitForURL(/#\/deliveries$/)
  await stands(page, 'to-do')
  await press(page, 'Send samples')
  await stands(page, 'done')
  await page.getByTestId('delivery-row').first().waitFor()
  expect(await guideOf(page).innerText()).toMatch(/[A-Z]+_[A-Z]+ received\. Signature: Valid\./)
  await press(page, 'Open the delivery')
  await page.getByRole('tab', { name: 'Overview' }).waitFor()

  expect(await axeFaultsInAll(page)).toEqual([])

  // The tunnel can stay closed. The step is then not marked as done.
  await press(page, 'Next')
  await stands(page, 'to-do')
  expect(await guideOf(page).innerText()).toContain('Its operator can read the traffic')
  await press(page, 'Finish')
  expect(await ticked(page)).toEqual(['Sandbox', 'Authorize', 'First delivery'])
  await guideOf(page).getByText('You’re all set.').waitFor()
  await press(page, 'Close the guide')
  await guideOf(page).waitFor({ state: 'detached' })
  await page.reload()
  await goTo(page, 'Deliveries')
  await page.getByTestId('delivery-row').first().waitFor()
  expect(await guideOf(page).count()).toBe(0)

  // The command opens it again, also when there are deliveries. It can be skipped where it asks for a path.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('guided')
  await page.getByRole('option', { name: /Open the guided start/ }).click()
  await press(page, 'Connect my own integration')
  await page.getByRole('dialog', { name: 'New integration' }).getByText('Cancel').click()
  await press(page, 'Back')
  await press(page, 'Skip the guide')
  await guideOf(page).waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

it('guides to a first delivery for a new integration, over a tunnel that fails at first', async () => {
  await using product = await startProduct()
  await using server = await tunnelServer()
  await using watched = await openPage(product.ui, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = watched
  await page.getByRole('button', { name: 'Connect my own integration' }).click()
  // Opens the form, not the settings of the sandbox.
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'New integration' }).waitFor()
  expect(new URL(page.url()).hash).not.toContain('setup')
  await page.keyboard.press('Escape')
  await stands(page, 'to-do')
  await press(page, 'Add integration')
  await dialog.getByLabel('Name').fill('Pier 9 staging')
  await dialog.getByLabel('Base URL').fill('https://service.invalid')
  await dialog.getByLabel('Access ID').fill('pier9-client')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/#\/authorization\/setup$/)
  // The guide shows what is missing. Entering data alone does not complete a step.
  await guideOf(page)
    .getByText(/^Pier 9 staging: .*(secret|redirect)/i)
    .waitFor()
  expect(await ticked(page)).toEqual([])
  await page.getByRole('button', { name: 'Set access secret' }).click()
  await dialog.getByLabel('Access secret').fill('pier9-access-secret')
  await dialog.getByRole('button', { name: 'Store access secret' }).click()
  // The page behind the dialog cannot be edited.
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByLabel('Redirect URL', { exact: true })
    .fill(`http://127.0.0.1:${await freePort()}/callback`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await stands(page, 'done')

  await press(page, 'Next')
  await page.waitForURL(/#\/endpoints$/)
  await press(page, 'New endpoint')
  await dialog.getByLabel('Name').fill('Pier 9')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await guideOf(page).getByText('has no secret').waitFor()
  await press(page, 'Set the secret')
  await dialog.getByLabel('Secret', { exact: true }).fill('pier9-webhook-secret')
  await dialog.getByRole('button', { name: 'Save secret' }).click()
  await stands(page, 'done')
  await press(page, 'Next')
  expect(await ticked(page)).toEqual(['Integration', 'Endpoint'])
  await stands(page, 'to-do')

  // The tunnel: first to an unreachable server, then to a reachable one.
  await press(page, 'Next')
  await page.waitForURL(/#\/tunnel$/)
  await page.getByLabel(/^Server/).fill('http://127.0.0.1:9')
  await page.getByText('Not saved').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await guideOf(page).innerText()).toContain('http://127.0.0.1:9')
  await press(page, 'Open the tunnel')
  await stands(page, 'problem')
  expect(await guideOf(page).getByTestId('guide-state').innerText()).not.toBe('')
  await page.getByLabel(/^Subdomain/).fill('pier9')
  await page.getByLabel(/^Server/).fill(server.host)
  await page.getByRole('button', { name: /^(Open|Reopen) tunnel$/ }).click()
  await waitForTunnelState(page, 'online')
  await stands(page, 'done')

  // Deliveries to another endpoint, or sent by Tabscope itself, do not complete the step.
  await press(page, 'Next')
  await stands(page, 'in-progress')
  // The copied URL is the public URL of the new endpoint.
  await page.locator('.first-step-code').filter({ hasText: '/hooks/pier-9' }).waitFor()
  await press(page, 'Copy webhook URL')
  await page.getByText('Copied', { exact: true }).first().waitFor()
  expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(
    `http://pier9.localhost:${server.port}/hooks/pier-9`,
  )
  const origin = `http://pier9.localhost:${server.port}`
  const body = '{"type":"OPEN_TAB","data":{}}'
  const post = (slug: string, secret = 'pier9-webhook-secret'): Promise<unknown> =>
    publicRequest(`${origin}/hooks/${slug}`, {
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
    })
  await post('sandbox')
  await page.getByTestId('delivery-row').first().waitFor()
  await stands(page, 'in-progress')
  // A delivery with the wrong secret does not complete the step. The next one, with the right secret, does.
  await post('pier-9', 'another secret')
  await stands(page, 'problem')
  expect(await guideOf(page).innerText()).toContain('Signature: Invalid. Open it')
  await post('pier-9')
  await stands(page, 'done')
  expect(await guideOf(page).innerText()).toContain('OPEN_TAB received. Signature: Valid.')

  // Skipping it on any page closes it permanently, and a message shows how to open it again.
  await goTo(page, 'Settings')
  await press(page, 'Skip the guide')
  await guideOf(page).waitFor({ state: 'detached' })
  await page.getByText('Guide closed.').waitFor()
  expect(watched.faults).toEqual([])
})
