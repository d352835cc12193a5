import { afterAll, expect, it } from 'vitest'
import { closeBrowser, deliver, openPage } from '../../support/product.ts'
import { sharedProduct } from '../../support/shared-product.ts'
import { rawTarget } from '../../support/raw-target.ts'
import { composePage, secret, signed } from './steps.ts'

afterAll(closeBrowser)

const fresh = sharedProduct({ secret })

it('keeps line ends, a byte order mark and bytes that are not text', async () => {
  const product = await fresh()
  await using target = await rawTarget()
  await using watched = await openPage(product.ui)
  const { page, body, signature, settled, goesTo } = composePage(watched.page)
  const open = async (id: number): Promise<void> => {
    await page.goto(new URL(`#/compose/from/${id}`, product.ui).href)
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
  const windows = '\ufeff{"a": 1,\r\n "b": 2}\r\n'
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
  await body.pressSequentially(' 4')
  await page.getByText('not valid hex').waitFor()
  await page.locator('.cm-lintRange-error').waitFor()
  await body.pressSequentially('1')
  await page.getByText('not valid hex').waitFor({ state: 'detached' })
  expect(await sent(3)).toBe(Buffer.concat([binary, Buffer.from('A')]).toString('latin1'))

  // The bytes of a file, which are saved immediately.
  await page.goto(new URL('#/compose', product.ui).href)
  await page
    .getByLabel('File to start from')
    .setInputFiles({ name: 'odd.bin', mimeType: 'application/octet-stream', buffer: binary })
  await page.getByText('from odd.bin').first().waitFor()
  await page.getByText('Draft saved').waitFor()
  expect(await body.innerText()).toContain('7b ff 00 7d')
  expect(watched.faults).toEqual([])
})

it('does not validate a body over 1 MiB while it is edited, and sends one over 6 MiB unchanged', async () => {
  const product = await fresh()
  await using target = await rawTarget()
  await using watched = await openPage(product.ui)
  const { page, body, goesTo } = composePage(watched.page)
  const MiB = 1024 * 1024
  const large = Buffer.alloc(MiB + 1, '[1,2]\n')
  const huge = Buffer.alloc(6 * MiB + 1, 'abcdefg ')
  await deliver(product.endpoint, large, { secret })
  await deliver(product.endpoint, huge, { secret })
  await page.goto(new URL(`#/compose/from/${product.id(1)}`, product.ui).href)
  await page.getByText('Over 1 MiB').waitFor()
  await goesTo(`${target.origin}/x`)
  await body.press('Control+Home')
  await body.pressSequentially('x')
  await page.getByText(/Edited: the body/).waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => target.received.length).toBe(1)
  expect(target.received[0]?.body.equals(Buffer.concat([Buffer.from('x'), large]))).toBe(true)

  await page.goto(new URL(`#/compose/from/${product.id(2)}`, product.ui).href)
  await page.getByText('Body too large to edit').waitFor()
  await goesTo(`${target.origin}/x`)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => target.received.length).toBe(2)
  expect(target.received[1]?.body.equals(huge)).toBe(true)
  expect(watched.faults).toEqual([])
})

it('completes keys and values from the API documentation, and formats without changing a value', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page, body } = composePage(watched.page)
  await page.goto(new URL('#/compose/empty', product.ui).href)
  await body.click()
  await page.keyboard.type('{"ty')
  const offers = page.getByTestId('body-editor').getByRole('option')
  await page.getByText('Event type (see Events).').waitFor()
  // A key that follows immediately would be treated as text: the editor needs a short delay.
  await offers.filter({ hasText: /^type/ }).click()
  await offers.filter({ hasText: 'ORDER_PLACED' }).waitFor()
  await page.keyboard.type('ORDER_P')
  await expect.poll(() => offers.count()).toBe(1)
  await offers.first().click()
  await page.keyboard.type(', "data": {"tot')
  await offers.filter({ hasText: 'total' }).click()
  await page.keyboard.type('1.50')
  await expect
    .poll(() => body.innerText())
    .toBe('{"type": "ORDER_PLACED", "data": {"total": 1.50}}')
  await page.getByRole('button', { name: 'Format' }).click()
  await expect.poll(() => body.innerText()).toContain('    "total": 1.50\n')
  await page.getByRole('button', { name: 'Minify' }).click()
  await expect.poll(() => body.innerText()).toBe('{"type":"ORDER_PLACED","data":{"total":1.50}}')
  expect(watched.faults).toEqual([])
})

it('shows the diff inline where there is no room for two columns', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui, { viewport: { width: 800, height: 700 } })
  const { page, body } = composePage(watched.page)
  await deliver(product.endpoint, '{\n  "type": "OPEN_TAB",\n  "data": {}\n}', { secret })
  await page.goto(new URL(`#/compose/from/${product.id(1)}`, product.ui).href)
  await body.getByText('OPEN_TAB').dblclick()
  await page.keyboard.type('CLOSE')
  await page.locator('.cm-deletedChunk').getByText('OPEN_TAB').waitFor()
  await page.setViewportSize({ width: 1920, height: 1080 })
  const received = page.getByRole('textbox', { name: 'Body as captured' })
  await received.waitFor()
  expect(await received.innerText()).toContain('OPEN_TAB')
  expect(await body.innerText()).toContain('"CLOSE"')
  // Changes from before the window was resized can still be undone.
  // Keys that were typed slowly are undone one by one.
  const captured = page.getByText('Exactly as captured')
  await expect
    .poll(async () => {
      await body.press('Control+z')
      return await captured.isVisible()
    })
    .toBe(true)
  expect(watched.faults).toEqual([])
})
