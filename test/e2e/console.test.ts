import { expect, it } from 'vitest'
import { accessToken, authorizeFor, startConsoleService } from '../support/console-service.ts'
import { full } from '../support/full.ts'
import { openPage, startProduct } from '../support/product.ts'

/** The API console for an integration with one token. `answers`: further responses by path. */
async function openConsole(answers?: Parameters<typeof startConsoleService>[0]) {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await startConsoleService(answers))
  const product = stack.use(await startProduct())
  const { tokenId } = await authorizeFor(product, service)
  const page = stack.use(await openPage(product.ui))
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  // Like the token's "Call with it" button.
  await page.evaluate((id) => location.assign(`#/authorization/console?token=${id}`), tokenId)
  const path = page.getByLabel('Path or full address')
  await path.waitFor()
  const answer = page.getByRole('region', { name: 'Response' })
  return {
    service,
    page,
    path,
    answer,
    forget: () => product.engine.call('tokens.forget', { id: tokenId }),
    send: async (written: string) => {
      await path.fill(written)
      await page.keyboard.press('Control+Enter')
      await answer.getByRole('tab', { name: 'Requests' }).waitFor()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

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
  await expect.poll(() => dialog.innerText()).toContain(console.service.origin)
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

it.runIf(full)('saves, loads, renames, overwrites and deletes a request', async () => {
  await using console = await openConsole()
  const { page, path } = console
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
  await expect.poll(() => saved.getByRole('listitem').count()).toBe(1)

  await path.fill('')
  await page.getByRole('button', { name: 'Remove parameter 1' }).click()
  await saved.getByRole('button', { name: /^All locations/ }).click()
  await expect.poll(() => path.inputValue()).toBe('locations')
  await expect.poll(() => page.getByLabel('Name of parameter 1').inputValue()).toBe('open')
  await saved.getByRole('button', { name: 'Rename All locations' }).click()
  await dialog.getByLabel('Name').fill('Open ones')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await saved.getByText('Open ones').waitFor()
  await saved.getByRole('button', { name: 'Delete Open ones' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
})

it('sends with the selected token by keyboard, and shows the response: pretty, raw, bytes, headers', async () => {
  await using console = await openConsole()
  const { page, answer, service, send } = console
  await page.getByText('Bearer ••••7f3a').waitFor()
  await send('locations?open=1')
  const heading = answer.getByRole('heading', { name: '200 OK' })
  await heading.waitFor()
  // The status and its text are one text, with one space and no gap of the layout.
  await expect.poll(() => heading.innerText()).toBe('200 OK')
  expect(service.seen).toEqual([
    { method: 'GET', url: '/v1/locations?open=1', authorization: `Bearer ${accessToken}` },
  ])
  const facts = await answer.getByRole('banner').or(answer.locator('header')).first().innerText()
  expect(facts).toMatch(/HTTP\/1\.1/)
  expect(facts).toMatch(/Waiting for the first byte/)

  const tree = answer.getByRole('tree', { name: 'Body as a tree' })
  await tree.getByText('"Harbour Bar"').waitFor()
  await answer.getByRole('radio', { name: 'Raw' }).check()
  await answer
    .getByRole('region', { name: 'Body as text' })
    .getByText(/"locations":\[/)
    .waitFor()
  await answer.getByRole('radio', { name: 'Bytes' }).check()
  await answer
    .getByRole('region', { name: 'Body as bytes' })
    .getByText('00000000', { exact: true })
    .waitFor()
  await answer.getByRole('tab', { name: /Headers/ }).click()
  await answer
    .getByRole('table', { name: 'Response headers' })
    .getByText('application/json')
    .waitFor()
  expect(await page.locator('body').innerText()).not.toContain(accessToken)
})

it('treats a hostile response as data', async () => {
  const evil = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
  await using console = await openConsole({
    '/v1/evil': (response) => {
      response.writeHead(200, evil, { 'X-Evil': evil, 'Content-Type': 'text/html' })
      response.end(JSON.stringify({ [evil]: `\u202e${evil}«access_token»«nothing»` }))
    },
  })
  const { page, answer, send } = console
  await send(`evil?q=\u202e${evil}`)
  await answer.getByRole('radio', { name: 'Pretty' }).waitFor()
  for (const view of ['Pretty', 'Raw', 'Bytes'] as const) {
    await answer.getByRole('radio', { name: view }).check()
  }
  for (const tab of [/Headers/, /Requests/] as const) {
    await answer.getByRole('tab', { name: tab }).click()
  }
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain('\u202e')
})

it.runIf(full)(
  'explains a 401 and a 403 with the API documentation, and offers the next step',
  async () => {
    await using console = await openConsole()
    const { page, answer, send, path } = console
    const primary = answer.locator('.note [data-kind="primary"]')
    await send('revoked')
    await answer.getByText(/responded with 401.*Send it again/).waitFor()
    await answer.getByText('“Authentication 5”').waitFor()
    await answer.getByRole('link', { name: 'Authorize again' }).waitFor()
    await primary.and(page.getByRole('button', { name: 'Send again' })).click()
    await expect
      .poll(() => console.service.seen.filter(({ url }) => url === '/v1/revoked').length)
      .toBe(2)
    await answer.getByText(/responded with 401/).waitFor()
    await expect
      .poll(() => page.getByLabel('Token', { exact: true }).innerText())
      .toMatch(/revoked/)

    await send('forbidden')
    await answer.getByText(/responded with 403: the token is invalid/).waitFor()
    await answer.getByText('“Errors”').waitFor()
    await answer.getByRole('link', { name: 'Authorize again' }).waitFor()
    // There is no other token to select.
    await primary.and(page.getByRole('link', { name: 'Authorize again' })).waitFor()

    await page.getByLabel('Token', { exact: true }).selectOption('')
    await send('revoked')
    await answer.getByRole('button', { name: 'Select a token' }).click()
    await expect
      .poll(() => path.evaluate(() => document.activeElement?.hasAttribute('data-token')))
      .toBe(true)
    await console.forget()
    await primary.and(page.getByRole('link', { name: 'Authorize a user' })).waitFor()
    expect(await answer.getByRole('button', { name: 'Select a token' }).count()).toBe(0)
  },
)

it('shows a received token as a chip, and reveals its value on click', async () => {
  await using console = await openConsole()
  const { page, answer, send } = console
  await send('echo')
  await answer.getByText('You sent Bearer').waitFor()
  expect(await page.content()).not.toContain(accessToken)
  await answer.getByRole('button', { name: /Reveal Access token/ }).click()
  await answer.getByText(accessToken).waitFor()
  await answer.getByRole('button', { name: /^Hide access token/ }).click()
  await answer.getByRole('button', { name: /Reveal Access token/ }).waitFor()
  expect(await page.content()).not.toContain(accessToken)
})
