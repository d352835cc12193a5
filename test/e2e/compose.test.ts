import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { full } from '../support/full.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { rawTarget, reply, type ReceivedRequest } from '../support/raw-target.ts'
import { head, sign } from '../support/requests.ts'
import { sharedProduct } from '../support/shared-product.ts'
import { ask } from '../support/raw-client.ts'

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
  await ask(
    Number(port),
    Buffer.concat([head(`POST ${pathname} HTTP/1.1`, lines), Buffer.from(order)]),
  )

  await goTo(page, 'Deliveries', 'Live')
  await page.getByTestId('delivery-row').click()
  await page.getByRole('link', { name: 'Edit and send' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Exactly as captured').waitFor()
  // Formatted, its bytes differ, but no value does.
  await page.getByRole('button', { name: 'Format' }).click()
  await page.getByText(/Edited: the body/).waitFor()
  await expect.poll(() => page.locator('.cm-changedLine, .cm-deletedChunk').count()).toBe(0)
  await body.click()
  await page.keyboard.press('Control+z')
  await page.getByText('Exactly as captured').waitFor()
  await goesTo(`${target.origin}/hooks/orders`)
  await page.getByTestId('place').getByText('This machine').waitFor()
  await expect.poll(() => page.getByText('Exactly as captured').count()).toBe(1)
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
  await expect.poll(() => signature.locator('code').innerText()).toBe(signed(`${order}\n`))
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

it.runIf(full)('keeps a draft over a restart, and lets you name and delete it', async () => {
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
  await expect.poll(() => address.inputValue()).toBe('http://127.0.0.1:9/kept')
  await expect.poll(() => body.locator('.cm-line').innerText()).toBe('{"type":"OPEN_TAB"} ')
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
