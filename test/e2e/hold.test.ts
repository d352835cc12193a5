import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { sign } from '../support/requests.ts'
import { until } from '../support/until.ts'

const secret = 'hold-secret-0123456789'
const tab = (name: string): string =>
  JSON.stringify({ type: 'OPEN_TAB', targetUuid: `tab-${name}`, data: { name } })

const strip = (page: Page): Locator => page.getByRole('region', { name: 'Notices' })
const held = (page: Page): Locator => page.getByTestId('held')
const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true })
const editor = (page: Page): Locator => page.getByRole('region', { name: 'Edit the held delivery' })
const body = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true })

async function write(page: Page, text: string): Promise<void> {
  await body(page).press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** A product whose endpoint is forwarded to a handler, with its page. */
async function openHolding(forwarded = true) {
  const stack = new AsyncDisposableStack()
  const handler = stack.use(await loopbackService((_, response) => void response.end()))
  const product = stack.use(await startProduct({ secret }))
  if (forwarded) {
    await product.engine.call('forwards.add', { endpointId: 1, url: `${handler.baseUrl}/in` })
  }
  const page = stack.use(await openPage(product.ui))
  const send = (name: string): Promise<number> => deliver(product.endpoint, tab(name), { secret })
  return { page, handler, product, send, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function find(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(command)
  await page.keyboard.press('Enter')
}

it('holds the next delivery before forwarding, and releases it edited, with a valid signature', async () => {
  await using opened = await openHolding()
  const { page, handler, product, send } = opened
  await send('first')
  await until('the forward', () => handler.arrived.length === 1)
  await page.getByTestId('delivery-row').waitFor()
  // From a row: only its type, and only the next one.
  await page.getByTestId('delivery-row').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Hold the next like this…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hold' }).click()
  await strip(page).getByText('type:OPEN_TAB before forwarding, 1 more').waitFor()
  expect(await deliver(product.endpoint, '{"type":"CLOSE_TAB"}', { secret })).toBe(200)
  await until('the forward of another type', () => handler.arrived.length === 2)
  expect(await send('second')).toBe(200)
  await held(page).waitFor()
  // Used up.
  await page.getByTestId('hold-rule').waitFor({ state: 'detached' })
  await button(page, 'Edit #3').click()
  await editor(page).getByText(`POST ${handler.baseUrl}/in`).waitFor()
  await write(page, tab('edited'))
  await page.keyboard.press('Control+Enter')
  const sent = await until('the edited request', () => handler.arrived[2])
  expect(sent.body.toString()).toBe(tab('edited'))
  expect(sent.headers['x-service-signature']).toBe(sign(tab('edited'), secret))
  await strip(page).waitFor({ state: 'detached' })
  // Its attempts are shown, beside the captured bytes.
  await page.getByTestId('attempt-row').getByText('body edited').waitFor()
  await page
    .getByText(/[Hh]eld for/)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByRole('tree').getByText('tab-second').waitFor()
})

it.runIf(full)(
  'keeps an edit while others arrive and when its delivery is released, and sends it as a new attempt',
  async () => {
    await using opened = await openHolding(false)
    const { page, handler, product, send } = opened
    const dialog = page.getByRole('dialog')
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    await find(page, 'Hold deliveries')
    await dialog.getByRole('button', { name: 'OPEN_TAB' }).click()
    await expect.poll(() => dialog.getByLabel('Filter').inputValue()).toBe('type:OPEN_TAB')
    await dialog.getByLabel('Forward to').fill(`${handler.baseUrl}/in`)
    // What was entered is still there after a look at the guide.
    await dialog.getByRole('link', { name: 'Learn more' }).click()
    await goTo(page, 'Deliveries', 'Live')
    await find(page, 'Hold deliveries')
    await dialog.getByRole('radio', { name: 'Until I stop' }).check()
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
    await strip(page).getByText('type:OPEN_TAB before forwarding, until you stop it').waitFor()
    await send('1')
    await button(page, 'Edit #1').click()
    await write(page, tab('mine'))
    await send('2')
    await strip(page).getByText('2 held').waitFor()
    await expect.poll(() => body(page).innerText()).toContain('mine')
    await goTo(page, 'Send', 'History')
    await product.engine.call('hold.release', { ids: [1] })
    await goTo(page, 'Deliveries', 'Live')
    await strip(page).getByText('Your edit of #1 was not sent').waitFor()
    await editor(page).getByText('This delivery is no longer held').waitFor()
    await expect.poll(() => body(page).innerText()).toContain('mine')
    await button(page, 'Send as a new attempt').click()
    await until('both requests', () => handler.arrived.length === 2)
    expect(handler.arrived.map((each) => each.body.toString())).toEqual([tab('1'), tab('mine')])
    await editor(page).waitFor({ state: 'detached' })
    await held(page)
      .getByRole('button', { name: /Tab 2 opened/ })
      .click()
    await page.getByRole('region', { name: 'Delivery', exact: true }).getByText('held').waitFor()
    await find(page, 'Drop this held delivery')
    await held(page).waitFor({ state: 'detached' })
    await find(page, 'Stop holding')
    await page.getByTestId('hold-rule').waitFor({ state: 'detached' })
    expect(handler.arrived).toHaveLength(2)
  },
)
