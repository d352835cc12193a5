import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { rawClient } from '../support/raw-client.ts'
import { rawTarget, reply, type ReceivedRequest } from '../support/raw-target.ts'
import { head, sign } from '../support/requests.ts'
import { sharedProduct } from '../support/shared-product.ts'

const secret = 'compose-secret-0123456789'
const fresh = sharedProduct({ secret })

interface ComposePage {
  readonly body: Locator
  readonly address: Locator
  readonly answer: Locator
  readonly signature: Locator
  readonly settled: () => Promise<void>
  readonly goesTo: (url: string) => Promise<void>
}

function composePage(page: Page): ComposePage {
  const address = page.getByRole('combobox', { name: 'Address' })
  const signature = page.getByTestId('live-signature')
  const settled = (): Promise<void> =>
    page.locator('[data-testid="live-signature"]:not([data-stale])').waitFor()
  return {
    address,
    signature,
    settled,
    body: page.getByRole('textbox', { name: 'Body', exact: true }),
    answer: page.getByRole('region', { name: 'Response', exact: true }),
    async goesTo(url) {
      await address.fill(url)
      await address.press('Escape')
      await settled()
    },
  }
}

function header(request: ReceivedRequest | undefined, name: string): string | null {
  const line = request?.head.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line === undefined ? null : line.slice(name.length + 1).trim()
}

const signed = (body: Uint8Array | string): string => sign(body, secret)

const order =
  '{"type":"ORDER_PLACED","targetUuid":"o-1","createdAt":"2026-11-21T20:09:04.512Z","data":{"orderName":"A-17","total":42.5}}'

it('sends a delivery as received, then edited with a signature that follows each keystroke', async () => {
  const product = await fresh()
  await using target = await rawTarget(() => reply(200, '{"ok":true}', ['X-Handled-By: orders']))
  // Wide enough for the edited and the received body.
  await using page = await openPage(product.ui, { viewport: { width: 1920, height: 1080 } })
  const { body, answer, signature, settled, goesTo } = composePage(page)
  const { port, pathname } = new URL(product.endpoint)
  const lines = [
    'hOsT: here.example',
    'X-sErViCe-eVeNt-TyPe: ORDER_PLACED',
    'x-twice: b',
    `X-Service-Signature: ${signed(order)}`,
    'X-TWICE: a',
    `content-LENGTH: ${order.length}`,
  ]
  await using client = await rawClient(Number(port))
  await client.send(Buffer.concat([head(`POST ${pathname} HTTP/1.1`, lines), Buffer.from(order)]))
  await client.answer()

  await goTo(page, 'Deliveries', 'Live')
  await page.getByTestId('delivery-row').click()
  await page.getByRole('link', { name: 'Edit and send' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Exactly as captured').waitFor()
  await goesTo(`${target.origin}/hooks/orders`)
  await page.getByTestId('place').getByText('This machine').waitFor()
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
  // What was captured is shown within the text.
  await page.locator('.cm-changedLine, .cm-deletedChunk').first().waitFor()

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
})

it('keeps line ends, a byte order mark and bytes that are not text', async () => {
  const product = await fresh()
  await using target = await rawTarget()
  await using page = await openPage(product.ui)
  const { body, signature, settled, goesTo } = composePage(page)
  const open = async (id: number): Promise<void> => {
    await page.goto(new URL(`#/send/drafts/from/${id}`, product.ui).href)
    await page.getByRole('link', { name: `delivery #${id}` }).waitFor()
    await page.getByText('Exactly as captured').waitFor()
    await goesTo(`${target.origin}/x`)
  }
  const sent = async (count: number): Promise<string> => {
    await settled()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => target.received.length).toBe(count)
    return target.received[count - 1]?.body.toString('latin1') ?? ''
  }
  const windows = '\ufeff{"a": 9007199254740993,\r\n "b": 42.50, "b": "a\\/b"}\r\n'
  const mixed = '{"a": 1,\r\n "b":\r 2}\n'
  const binary = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
  await deliver(product.endpoint, windows, { secret })
  await deliver(product.endpoint, mixed, { secret })
  await deliver(product.endpoint, binary, { secret })

  await open(product.id(1))
  await body.press('Control+End')
  await body.press('Enter')
  await body.pressSequentially('x')
  const longer = `${windows}\r\nx`
  expect(await sent(1)).toBe(Buffer.from(longer).toString('latin1'))
  expect(await signature.locator('code').innerText()).toBe(signed(Buffer.from(longer)))

  await open(product.id(2))
  await page.getByText('The body has mixed line endings.').waitFor()
  await body.press('Control+Home')
  await body.pressSequentially(' ')
  expect(await sent(2)).toBe(` ${mixed}`)

  await open(product.id(3))
  expect(await page.getByRole('radio', { name: 'Hex' }).isChecked()).toBe(true)
  expect(await page.getByRole('radio', { name: 'JSON' }).count()).toBe(0)
  expect(await body.innerText()).toContain('7b ff 00 7d')
  await body.press('Control+End')
  await body.pressSequentially(' 41')
  expect(await sent(3)).toBe(binary.toString('latin1'))

  // The bytes of a file, which are saved immediately.
  await page.goto(new URL('#/send/drafts', product.ui).href)
  await page
    .getByLabel('File to start from')
    .setInputFiles({ name: 'odd.bin', mimeType: 'application/octet-stream', buffer: binary })
  await page.getByText('from odd.bin').first().waitFor()
  await page.getByText('Draft saved').waitFor()
  expect(await body.innerText()).toContain('7b ff 00 7d')
})

it('opens a pasted cURL command as a draft that is signed again, and says what it does not take over', async () => {
  const product = await fresh()
  await using target = await rawTarget()
  await using page = await openPage(product.ui)
  const { answer, settled } = composePage(page)
  await page.goto(new URL('#/send/drafts', product.ui).href)
  await page.getByRole('button', { name: 'A cURL command' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paste a cURL command' })
  const field = dialog.getByLabel('Command')
  const command = `curl '${target.origin}/in' \\\n  -H 'X-Service-Signature: 00' -H 'content-type: application/json' \\\n`
  await field.fill(`${command}  -d @body.json --compressed`)
  await dialog.getByRole('button', { name: 'Open as draft' }).click()
  await dialog.getByText('-d names the file body.json, which is not read.').waitFor()
  await field.fill(
    `${command}  --data-raw $'${order.replace('A-17', String.raw`A\u002d17`)}' --compressed`,
  )
  await dialog.getByRole('button', { name: 'Open as draft' }).click()
  await page.getByText('Not taken over from the cURL command: --compressed').waitFor()
  await page.getByText('Draft saved').waitFor()
  await settled()
  await page.keyboard.press('Control+Enter')
  await answer.getByText('200 OK').first().waitFor()
  const [sent] = target.received
  expect(sent?.body.toString()).toBe(order)
  expect(sent?.head[0]).toBe('POST /in HTTP/1.1')
  expect(header(sent, 'x-service-signature')).toBe(signed(order))
})

it('keeps a draft over a restart, and lets you name and delete it', async () => {
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, '{"type":"OPEN_TAB"}', { secret })
  {
    await using page = await openPage(product.ui)
    const { body, goesTo } = composePage(page)
    await page.goto(new URL('#/send/drafts/from/1', product.ui).href)
    await page.getByText('Saved once you change it').waitFor()
    await goesTo('http://127.0.0.1:9/kept')
    await body.press('Control+End')
    await body.pressSequentially(' ')
    await page.getByText('Draft saved').waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/send/drafts/1')
  }
  await product.stop()
  await using again = await startProduct({ dataDir: product.dataDir })
  // Wide enough for two columns, so that the editor does not contain the received body.
  await using page = await openPage(again.ui, { viewport: { width: 1920, height: 1080 } })
  const { body, address } = composePage(page)
  await goTo(page, 'Send', 'Drafts')
  const list = page.getByRole('complementary', { name: 'Drafts and templates' })
  await list.getByRole('link', { name: /OPEN_TAB/ }).click()
  await body.waitFor()
  expect(await address.inputValue()).toBe('http://127.0.0.1:9/kept')
  expect(await body.locator('.cm-line').innerText()).toBe('{"type":"OPEN_TAB"} ')
  await page.getByText(/Edited: the body/).waitFor()
  await goTo(page, 'Settings')
  await goTo(page, 'Send')
  await body.waitFor()

  await page.getByRole('button', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Tabs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /Template “Tabs”/ }).waitFor()
  await list.getByRole('button', { name: 'Delete Tabs' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'What do you want to send?' }).waitFor()
  await list.getByText('No drafts yet').waitFor()
})

it('asks once before sending to a public target, and sends nothing when declined', async () => {
  const product = await fresh()
  await using page = await openPage(product.ui)
  const { goesTo } = composePage(page)
  await deliver(product.endpoint, order, { secret })
  await page.goto(new URL(`#/send/drafts/from/${product.id(1)}`, product.ui).href)
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
})

function hasFocus(element: Element): boolean {
  return document.activeElement === element
}
