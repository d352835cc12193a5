import type { ServerResponse } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../../support/axe.ts'
import { interfaceClient } from '../../support/interface-client.ts'
import { loopbackService } from '../../support/loopback-service.ts'
import { closeBrowser, deliver, openPage, startProduct } from '../../support/product.ts'
import { attempts, rows, sendTo, toast } from './steps.ts'

afterAll(closeBrowser)

const secret = 'resend-secret-0123456789'
const tab = '{"type":"OPEN_TAB","targetUuid":"tab-1","data":{"name":"Guest 1"}}'

function answering(): { status: number; answer: (_: unknown, response: ServerResponse) => void } {
  const target = {
    status: 500,
    answer: (_: unknown, response: ServerResponse): void => {
      response.writeHead(target.status, { 'Content-Type': 'application/json', 'X-Mended': 'no' })
      response.end(target.status === 200 ? '{"ok":true}' : '{"error":"\u202e<b>no table"}')
    },
  }
  return target
}

it('re-sends with one key, shows the change since the last attempt, and compares the two', async () => {
  const target = answering()
  await using service = await loopbackService(target.answer)
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, tab, { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().waitFor()
  await page.keyboard.press('j')
  await sendTo(page, `${service.baseUrl}/pos?from=tab`)
  const { host } = new URL(service.baseUrl)
  await toast(page, `#1 re-sent to ${host}: 500 Internal Server Error.`)
  // No dialog opens automatically; the row shows the result.
  expect(await page.getByRole('region', { name: 'Delivery', exact: true }).count()).toBe(0)
  await rows(page).first().getByText('sent 500').waitFor()

  target.status = 200
  await page.keyboard.press('r')
  await toast(page, `#1 re-sent to ${host}: 200 OK, fixed.`)
  await rows(page).first().getByText('sent 200').waitFor()
  expect(service.arrived.map(({ url, body }) => [url, body.toString()])).toEqual([
    ['/pos?from=tab', tab],
    ['/pos?from=tab', tab],
  ])

  await page.locator('.toast').getByRole('button', { name: 'Show' }).last().click()
  await page.getByRole('tab', { name: 'Attempts 2', selected: true }).waitFor()
  await expect.poll(() => attempts(page).count()).toBe(2)
  expect(await attempts(page).first().innerText()).toMatch(/200 OK\s+fixed/)
  expect(await attempts(page).nth(1).innerText()).toContain('500 Internal Server Error')
  const shown = page.getByRole('region', { name: 'Attempt 2', exact: true })
  await shown.getByRole('tree').getByText('ok').waitFor()
  await shown.getByText('First byte').waitFor()
  await shown.getByText('The signature is as captured.').waitFor()
  await shown.getByRole('radio', { name: 'Request as sent' }).check()
  const sent = shown.getByRole('table', { name: 'Headers sent' })
  await sent.getByText('X-Service-Signature').waitFor()
  await shown.getByText('POST /pos?from=tab').waitFor()

  await page.getByLabel('Compare with another attempt').selectOption({ label: await option(page) })
  const differs = page.getByRole('region', { name: 'Differences by line' })
  await differs.getByText('Result: 500 Internal Server Error').waitFor()
  await differs.getByText('Result: 200 OK').waitFor()
  const tree = page.getByRole('region', { name: 'Differences by path' })
  await tree.getByText(String.raw`"\u202e<b>no table"`).waitFor()
  await page.getByRole('radio', { name: 'Requests as sent' }).check()
  await page.getByText('The bodies are identical, byte for byte.').waitFor()
  await page.getByText(/^The headers are the same/).waitFor()

  // Attempts of another client appear immediately; keys move from one attempt to the next.
  target.status = 404
  await using other = await interfaceClient(product.ui)
  await other.hello()
  expect((await other.call('deliveries.resend', { id: 1 })).ok).toBe(true)
  await page.getByRole('tab', { name: 'Attempts 3' }).waitFor()
  await attempts(page).first().getByText('regressed').waitFor()
  await page.getByLabel('Compare with another attempt').selectOption('')
  await page.keyboard.press(']')
  await page.keyboard.press(']')
  await page.getByRole('region', { name: 'Attempt 1', exact: true }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('region', { name: 'Attempt 2', exact: true }).waitFor()
  expect(watched.faults).toEqual([])
})

/** The label of the previous attempt in the selection. */
async function option(page: Parameters<typeof attempts>[0]): Promise<string> {
  const choices = page.getByLabel('Compare with another attempt').locator('option')
  return choices.filter({ hasText: '(previous)' }).innerText()
}

it('shows what to do before the first attempt, where our listener is, and why no response arrived', async () => {
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, tab, { secret })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().click()
  await page.getByRole('tab', { name: 'Signature' }).click()
  await page.keyboard.press('7')
  await page.getByRole('heading', { name: 'No attempts yet' }).waitFor()
  // The selected tab also has the focus, so it is still selected when the focus returns from a dialog.
  await page.keyboard.press('Shift+R')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: /Attempts/, selected: true }).waitFor()
  const link = page.getByRole('tabpanel').getByRole('link', { name: 'Edit and send' })
  expect(await link.getAttribute('href')).toBe('#/compose/from/1')

  // Without a target, a dialog opens, and nothing is sent automatically.
  await page.getByRole('tabpanel').getByRole('button', { name: 'Re-send…', exact: true }).click()
  const asked = page.getByRole('dialog')
  await asked.getByRole('button', { name: 'Send', exact: true }).click()
  await asked.getByText('Enter an address, or select one below.').first().waitFor()
  await asked.getByRole('button', { name: /Tabscope listener/ }).click()
  // The Tabscope listener recognizes it as re-sent.
  await asked.getByRole('button', { name: `Send to ${new URL(product.endpoint).host}` }).click()
  await attempts(page).first().getByText('200 OK').waitFor()
  const again = page.locator('[data-testid="delivery-row"][data-id="2"]')
  await again.getByText('from Tabscope').waitFor()
  await again.click()
  await page.getByText('sent by Tabscope').waitFor()

  await rows(page).nth(1).click()
  await page.keyboard.press('Shift+R')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('last target').waitFor()
  await dialog.getByText('the request arrives here as a delivery').waitFor()
  const field = dialog.getByRole('textbox', { name: 'Address' })
  await field.fill('http://user:word@127.0.0.1/')
  await field.press('Enter')
  await dialog.getByText('Remove the user name and password from the URL.').waitFor()
  // Nothing listens on a port that was just closed.
  const gone = await loopbackService(() => undefined)
  await gone[Symbol.asyncDispose]()
  await field.fill(gone.baseUrl)
  await dialog.getByLabel('Signature').selectOption('No signature')
  await field.press('Enter')
  await attempts(page).first().getByText('connection refused').waitFor()
  await attempts(page).first().getByText('unsigned').waitFor()
  await page.getByRole('tabpanel').getByRole('alert').waitFor()
  await rows(page).nth(1).getByText('sent, no response').waitFor()

  // A target outside this network requires confirmation, and declining sends nothing.
  await sendTo(page, 'http://192.0.2.1/hook')
  await page.getByRole('heading', { name: 'Send deliveries outside your network?' }).waitFor()
  await page.getByText('http://192.0.2.1', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Do not send' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await attempts(page).count()).toBe(2)
  expect(watched.faults).toEqual([])
})

it('shows a pending request, and cancels it on request', async () => {
  await using service = await loopbackService(() => undefined)
  await using product = await startProduct()
  await deliver(product.endpoint, tab)
  await using watched = await openPage(product.ui)
  const { page } = watched
  await rows(page).first().click()
  await page.keyboard.press('7')
  await page.getByRole('heading', { name: 'No attempts yet' }).waitFor()
  await sendTo(page, service.baseUrl)
  await rows(page).first().getByText('sending').waitFor()
  // Holding a key down sends only one request.
  await page.keyboard.press('r')
  await expect.poll(() => service.arrived.length).toBe(1)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await attempts(page).first().getByText('cancelled').waitFor()
  expect(await attempts(page).count()).toBe(1)
  expect(service.arrived.length).toBe(1)
  expect(watched.faults).toEqual([])
})

it('shows the target before sending, and suggests recent targets', async () => {
  await using service = await loopbackService((_, response) => void response.writeHead(200).end())
  await using product = await startProduct()
  await deliver(product.endpoint, tab)
  await deliver(product.endpoint, tab)
  await using watched = await openPage(product.ui)
  const { page } = watched
  const { host } = new URL(service.baseUrl)
  const head = page.getByRole('group', { name: 'Re-send' })
  await rows(page).first().click()
  await head.getByRole('button', { name: /^Re-send…/ }).waitFor()
  // The key asks for confirmation too.
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${host}/pos`)
  await dialog.getByRole('button', { name: `Send to ${host}` }).click()
  await toast(page, `#2 re-sent to ${host}: 200 OK.`)
  await head.getByRole('button', { name: `Re-send to ${host}` }).click()
  await toast(page, `#2 re-sent to ${host}: 200 OK, same as before.`)
  // Another delivery was never sent: its dialog suggests the address, but does not fill it in.
  await rows(page).nth(1).click()
  await head.getByRole('button', { name: /^Re-send…/ }).click()
  const recent = dialog.getByRole('button', { name: /recent/ })
  await recent.waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('')
  await dialog
    .locator('input:focus')
    .and(dialog.getByRole('textbox', { name: 'Address' }))
    .waitFor()
  await recent.click()
  await dialog.getByRole('button', { name: `Send to ${host}` }).click()
  await toast(page, `#1 re-sent to ${host}: 200 OK.`)
  expect(service.arrived.map(({ url }) => url)).toEqual(['/pos', '/pos', '/pos'])
  expect(watched.faults).toEqual([])
})
