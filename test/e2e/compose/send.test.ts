import { connect } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, goTo, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { rawTarget, reply } from '../../support/raw-target.ts'
import { until } from '../../support/until.ts'
import { composePage, header, secret, signed } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

const order =
  '{"type":"ORDER_PLACED","targetUuid":"o-1","createdAt":"2026-11-21T20:09:04.512Z","data":{"orderName":"A-17","total":42.5}}'

/** Sends bytes unchanged to a listener, and waits for the response. */
async function sendRaw(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.write(bytes, 'latin1')
  await until('an answer', () => received.includes('200'))
  socket.destroy()
}

it('sends a delivery as received, then edited with a signature that follows each keystroke', async () => {
  const product = await fresh()
  await using target = await rawTarget(() => reply(200, '{"ok":true}', ['X-Handled-By: orders']))
  // Wide enough for the edited and the received body.
  await using watched = await openPage(product.ui, { viewport: { width: 1920, height: 1080 } })
  const { page, body, answer, signature, settled, goesTo } = composePage(watched.page)
  const { port, pathname } = new URL(product.endpoint)
  const lines = [
    'hOsT: here.example',
    'X-sErViCe-eVeNt-TyPe: ORDER_PLACED',
    'x-twice: b',
    `X-Service-Signature: ${signed(order)}`,
    'X-TWICE: a',
    `content-LENGTH: ${order.length}`,
  ]
  await sendRaw(Number(port), `POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${order}`)

  await goTo(page, 'Deliveries')
  await page.getByTestId('delivery-row').click()
  await page.getByRole('link', { name: 'Edit and send' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Exactly as captured').waitFor()
  await goesTo(`${target.origin}/hooks/orders`)
  await page.getByText('This machine').waitFor()
  expect(await page.getByText('Exactly as captured').count()).toBe(1)
  await page.keyboard.press('Control+Enter')
  await answer.getByText('200 OK').first().waitFor()
  await answer.getByText('x-handled-by').first().waitFor()
  expect(target.received[0]?.bytes.toString('latin1')).toBe(
    [
      'POST /hooks/orders HTTP/1.1',
      ...lines.with(0, `hOsT: 127.0.0.1:${target.port}`),
      '',
      order,
    ].join('\r\n'),
  )

  const kept = await signature.locator('code').innerText()
  expect(kept).toBe(signed(order))
  await body.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await settled()
  expect(await signature.locator('code').innerText()).toBe(signed(`${order}\n`))
  await signature.getByText('With the current secret of').waitFor()
  await page.getByText(/Edited: the body and 2 headers/).waitFor()
  // Next to the received body.
  const received = page.getByRole('textbox', { name: 'Body as captured' })
  expect(await received.innerText()).toContain('A-17')

  await page.keyboard.press('Control+Enter')
  await expect.poll(() => target.received.length).toBe(2)
  expect(target.received[1]?.body.toString()).toBe(`${order}\n`)
  expect(header(target.received[1], 'X-Service-Signature')).toBe(signed(`${order}\n`))
  expect(header(target.received[1], 'Content-Length')).toBe(String(order.length + 1))
  await answer.getByText('same as before').first().waitFor()
  await expect.poll(() => answer.getByTestId('attempt-row').count()).toBe(2)

  // After undo, the body equals the captured one, byte for byte.
  await page.keyboard.press('Control+z')
  await page.getByText('Exactly as captured').waitFor()
  target.answer = () => reply(500)
  await page.keyboard.press('Control+Enter')
  await answer.getByText('regressed').first().waitFor()
  expect(target.received[2]?.body.toString()).toBe(order)
  expect(header(target.received[2], 'X-Service-Signature')).toBe(signed(order))
  expect(watched.faults).toEqual([])
})

it('signs as selected, edits headers by keyboard, and shows errors at their fields', async () => {
  const product = await fresh()
  await using target = await rawTarget()
  await using watched = await openPage(product.ui)
  const { page, body, signature, settled, goesTo, answer } = composePage(watched.page)
  await deliver(product.endpoint, order, { secret, headers: { 'X-Extra': 'one' } })
  await page.goto(new URL(`#/compose/from/${product.id(1)}`, product.ui).href)
  await goesTo(`${target.origin}/x`)

  const choice = page.getByRole('region', { name: 'Signature' })
  await choice.getByLabel('Signature to send').selectOption('broken')
  await settled()
  await signature.getByText('Invalid').waitFor()
  await choice.getByLabel('Signature error').selectOption('prefix')
  await expect.poll(() => signature.locator('code').innerText()).toBe(`sha256=${signed(order)}`)
  await choice.getByLabel('Signature to send').selectOption('none')
  await signature.getByText('Not sent.').waitFor()
  await choice.getByLabel('Signature to send').selectOption('secret')
  await expect.poll(() => signature.locator('code').innerText()).toBe(signed(order))

  await page.getByRole('tab', { name: /Headers/ }).click()
  const list = page.getByRole('list', { name: 'Headers' })
  const extra = list.getByRole('listitem').filter({ has: page.locator('input[value="one"]') })
  const up = extra.getByRole('button', { name: 'Move x-extra up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await list.getByText('moved').first().waitFor()
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.keyboard.type('bad name')
  await list.getByText(/not a valid header name/).waitFor()
  await page.keyboard.press('Control+Enter')
  await answer.getByText('The request was not sent').waitFor()
  expect(target.received).toHaveLength(0)
  await list.getByRole('button', { name: 'Remove bad name' }).click()

  await page.getByRole('tab', { name: 'Body' }).click()
  await body.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Escape')
  await body.press('Control+End')
  await body.press('Backspace')
  const fault = page.locator('.cm-lintRange-error')
  await fault.waitFor()
  await body.press('}')
  await fault.waitFor({ state: 'detached' })
  // Deviations from the API documentation are marked in place.
  await page.locator('.cm-lintRange-warning').first().waitFor()
  await settled()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => target.received.length).toBe(1)
  expect(target.received[0]?.body.toString()).toBe(order)
  await answer.getByText('200').first().waitFor()
  // A pending request can be canceled.
  target.answer = () => null
  await page.keyboard.press('Control+Enter')
  await page.getByText('Waiting for the response').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await answer.getByText('cancelled').first().waitFor()
  expect(watched.faults).toEqual([])
})

it('asks once before sending to a public target, and sends nothing when declined', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page, goesTo } = composePage(watched.page)
  await deliver(product.endpoint, order, { secret })
  await page.goto(new URL(`#/compose/from/${product.id(1)}`, product.ui).href)
  // A network for documentation (RFC 5737): no host responds there, and nothing is sent.
  await goesTo('https://192.0.2.1/hooks')
  await page.getByText('Public, needs confirmation').waitFor()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Send deliveries outside your network?' })
  await dialog.getByText('https://192.0.2.1', { exact: true }).waitFor()
  await dialog.getByText(/guest data/).waitFor()
  expect(await dialog.getByRole('button', { name: 'Do not send' }).evaluate(hasFocus)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Nothing sent yet' }).waitFor()

  // Certificates are verified unless this is turned off, which requires confirmation and is clearly shown.
  await page.getByText('TLS verified').waitFor()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off', exact: true }).click()
  await page.getByText('TLS verification off').waitFor()
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await page.getByText('TLS verified').waitFor()
  await goesTo('https://user:pw@192.0.2.1/')
  await page
    .getByRole('list', { name: 'Request problems' })
    .getByText(/password/i)
    .waitFor()
  expect(watched.faults).toEqual([])
})

function hasFocus(element: Element): boolean {
  return document.activeElement === element
}

it.each([
  [1440, 900],
  [1024, 700],
])(
  'shows the signature in one row and the body of the response without scrolling, at %d × %d',
  async (width, height) => {
    const product = await fresh()
    await using target = await rawTarget(() => reply(202, 'queued as 17'))
    await using watched = await openPage(product.ui, { viewport: { width, height } })
    const { page, body, answer, goesTo } = composePage(watched.page)
    await deliver(product.endpoint, order, { secret })
    await page.goto(new URL(`#/compose/from/${product.id(1)}`, product.ui).href)
    await goesTo(`${target.origin}/x`)
    const choice = page.getByRole('region', { name: 'Signature' })
    await choice.getByLabel('Signature to send').selectOption('broken')
    await page.keyboard.press('Control+Enter')
    const received = answer.getByText('queued as 17')
    await received.waitFor()
    const boxOf = async (what: typeof received) => {
      const box = await what.boundingBox()
      if (!box) throw new Error('it is not shown')
      return { ...box, bottom: box.y + box.height }
    }
    const frame = await boxOf(answer)
    expect(frame.bottom).toBeLessThanOrEqual(height)
    expect((await boxOf(received)).bottom).toBeLessThanOrEqual(frame.bottom)
    expect((await boxOf(choice)).height).toBeLessThan(40)
    expect((await boxOf(body)).bottom).toBeLessThanOrEqual(height)
    expect(watched.faults).toEqual([])
  },
)
