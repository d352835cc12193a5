import { afterAll, expect, it } from 'vitest'
import { sharedConsole } from '../../support/console-page.ts'
import { accessToken, startConsoleService } from '../../support/console-service.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../../support/product.ts'

afterAll(closeBrowser)
const openConsole = sharedConsole()

it('asks before it sends a token to another origin, and omits it by default', async () => {
  await using console = await openConsole()
  await using other = await startConsoleService()
  const { page, answer, path } = console
  const address = `${other.origin}/v1/echo`
  const dialog = page.getByRole('dialog')
  await path.fill(address)
  await page.getByText(`Different origin: ${other.origin}`).waitFor()

  await path.press('Control+Enter')
  await dialog.getByText('Send the token to another origin?').waitFor()
  expect(await dialog.innerText()).toContain(console.service.origin)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(other.seen).toEqual([])

  await path.press('Control+Enter')
  // The safe option has the focus.
  await page.keyboard.press('Enter')
  await answer.getByText('You sent nothing.').waitFor()
  expect(other.seen.map(({ authorization }) => authorization)).toEqual([''])

  await path.press('Control+Enter')
  await dialog.getByRole('button', { name: `Send with token to ${other.origin}` }).click()
  await answer.getByText('You sent Bearer').waitFor()
  expect(other.seen.at(-1)?.authorization).toBe(`Bearer ${accessToken}`)
})

it('sends the enabled rows, and the body as written', async () => {
  const bodies: string[] = []
  await using console = await openConsole({
    '/v1/orders': (response, request) => {
      request.setEncoding('utf8')
      request.on('data', (part: string) => bodies.push(part))
      request.on('end', () => response.end(request.headers['x-venue'] ?? 'no venue'))
    },
  })
  const { page, answer, service, send, watched } = console
  const row = async (what: string, number: number, name: string, value: string): Promise<void> => {
    await page.getByRole('button', { name: `Add ${what}` }).click()
    await page.getByLabel(`Name of ${what} ${number}`).fill(name)
    await page.getByLabel(`Value of ${what} ${number}`).fill(value)
  }
  await row('parameter', 1, 'page', 'a b&c')
  await row('parameter', 2, 'size', '10')
  await page.getByLabel('Send parameter 2').uncheck()
  const parts = page.getByRole('tablist', { name: 'Parts of the request' })
  await parts.getByRole('tab', { name: /Headers/ }).click()
  await row('header', 1, 'X-Venue', 'pier-9')
  await parts.getByRole('tab', { name: /Body/ }).click()
  const body = page.getByRole('textbox', { name: 'Body', exact: true })
  await body.fill('{"spot": nope}')
  await page.getByText('Invalid JSON at line 1, column 10').waitFor()
  await body.fill('{"spot":4,"price":1.50}')
  await page.getByRole('button', { name: 'Format' }).click()
  expect(await body.inputValue()).toBe('{\n  "spot": 4,\n  "price": 1.50\n}')
  await page.getByLabel('Method').selectOption('PATCH')
  await send('orders')
  await answer.getByText('pier-9').waitFor()
  expect(service.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/v1/orders?page=a%20b%26c' })
  expect(bodies.join('')).toBe('{\n  "spot": 4,\n  "price": 1.50\n}')
  expect(watched.faults).toEqual([])
})

it('accepts any method, and explains an invalid one', async () => {
  await using console = await openConsole()
  const { page, path, service, send } = console
  await page.getByLabel('Method').selectOption('other')
  await path.fill('locations')
  await path.press('Control+Enter')
  await page
    .getByRole('alert')
    .getByText(/Use an uppercase method such as GET/)
    .waitFor()
  await page.getByLabel('Method', { exact: true }).fill('propfind')
  await send('locations')
  expect(service.seen.at(-1)?.method).toBe('PROPFIND')
})

it('restores a request and its response from the history, and then the draft it replaced', async () => {
  await using console = await openConsole()
  const { page, answer, path, send, watched } = console
  await send('locations?n=1')
  await answer.getByText('"Pier 9"').waitFor()
  await send('forbidden')
  await answer.getByRole('heading', { name: '403 Forbidden' }).waitFor()
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect.poll(() => history.count()).toBe(2)
  expect(await history.first().innerText()).toMatch(/forbidden[\s\S]*403/)

  await path.fill('half/written')
  await history.nth(1).getByRole('button').click()
  await answer.getByText('"Pier 9"').waitFor()
  expect(await path.inputValue()).toBe('locations')
  expect(await page.getByLabel('Value of parameter 1').inputValue()).toBe('1')
  await page.getByRole('button', { name: 'Restore my request' }).click()
  expect(await path.inputValue()).toBe('half/written')

  await page.getByRole('button', { name: 'Clear history' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear history' }).click()
  await page.getByRole('heading', { name: 'Nothing sent yet' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('saves, loads, renames, overwrites and deletes a request', async () => {
  await using console = await openConsole()
  const { page, path, watched } = console
  const dialog = page.getByRole('dialog')
  const saved = page.getByRole('list', { name: 'Saved requests' })
  await path.fill('locations')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByLabel('Name').fill('All locations')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await saved.getByText('All locations').waitFor()

  await path.fill('locations?open=1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: 'Replace “All locations”' }).click()
  await saved.getByText('locations?open=1').waitFor()
  expect(await saved.getByRole('listitem').count()).toBe(1)

  await path.fill('')
  await page.getByRole('button', { name: 'Remove parameter 1' }).click()
  await saved.getByRole('button', { name: /^All locations/ }).click()
  expect(await path.inputValue()).toBe('locations')
  expect(await page.getByLabel('Name of parameter 1').inputValue()).toBe('open')
  await saved.getByRole('button', { name: 'Rename All locations' }).click()
  await dialog.getByLabel('Name').fill('Open ones')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await saved.getByText('Open ones').waitFor()
  await saved.getByRole('button', { name: 'Delete Open ones' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('copies the request as a command, with the token only on request', async () => {
  await using console = await openConsole(undefined, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page, path, watched } = console
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  const dialog = page.getByRole('dialog')
  await path.fill('locations')
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await dialog
    .getByRole('region', { name: 'Command' })
    .getByText(/\$TOKEN/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Copy command' }).click()
  await expect.poll(clipboard).toMatch(/^curl[\s\S]*\/v1\/locations[\s\S]*\$TOKEN/)
  expect(await clipboard()).not.toContain(accessToken)
  expect(await page.content()).not.toContain(accessToken)
  await dialog.getByRole('button', { name: 'Copy with token in clear text' }).click()
  await expect.poll(clipboard).toContain(accessToken)
  expect(await page.content()).not.toContain(accessToken)
  expect(watched.faults).toEqual([])
})

it('keeps the draft over a reload, but no secret in it', async () => {
  await using console = await openConsole()
  const { page, path } = console
  await path.fill('locations?page=2')
  await page
    .getByRole('tablist', { name: 'Parts of the request' })
    .getByRole('tab', { name: /Headers/ })
    .click()
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Name of header 1').fill('Authorization')
  await page.getByLabel('Value of header 1').fill('Bearer canary-0123456789')
  const kept = (): Promise<string> => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(kept).toContain('name\\":\\"page')
  await expect.poll(kept).toContain('Authorization')
  expect(await kept()).not.toContain('canary')
  await page.reload()
  await path.waitFor()
  expect(await path.inputValue()).toBe('locations')
  expect(await page.getByLabel('Name of parameter 1').inputValue()).toBe('page')
})

it('guides from an empty page to a first response of the sandbox', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'API console')
  await page.getByRole('heading', { name: 'No service to call yet' }).waitFor()
  await page.getByRole('button', { name: 'Start the sandbox service' }).click()
  await page.getByText('sandbox only').waitFor()
  await page.getByRole('button', { name: 'GET /api/sandbox/locations' }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '401 Unauthorized' }).waitFor()
  await page.getByText('“Authentication 1”').waitFor()
  expect(watched.faults).toEqual([])
})

it('moves a typed query into the rows, and completes an address without a scheme', async () => {
  await using console = await openConsole()
  const { page, answer, service, path, send } = console
  await path.fill('echo?spot=4&note=a%20b')
  await path.press('Tab')
  expect(await path.inputValue()).toBe('echo')
  expect(await page.getByLabel('Name of parameter 2').inputValue()).toBe('note')
  expect(await page.getByLabel('Value of parameter 2').inputValue()).toBe('a b')
  const { host } = new URL(service.origin)
  await send(`${host}/v1/echo?page=2`)
  await answer.getByText('You sent').waitFor()
  expect(service.seen.at(-1)?.url).toBe('/v1/echo?page=2&spot=4&note=a%20b')
  expect(await page.getByLabel('Name of parameter 1').inputValue()).toBe('page')
})
