import { afterAll, expect, it } from 'vitest'
import { sharedConsole } from '../../support/console-page.ts'
import { accessToken, bigBody, startConsoleService } from '../../support/console-service.ts'
import { closeBrowser } from '../../support/product.ts'

afterAll(closeBrowser)
const openConsole = sharedConsole()

it('sends with the selected token by keyboard, and shows the response: pretty, raw, bytes, headers', async () => {
  await using console = await openConsole()
  const { page, answer, service, send, watched } = console
  await page.getByText('Bearer ••••7f3a').waitFor()
  await send('locations?open=1')
  const heading = answer.getByRole('heading', { name: '200 OK' })
  await heading.waitFor()
  // The status and its text are one text, with one space and no gap of the layout.
  expect(await heading.innerText()).toBe('200 OK')
  expect(service.seen).toEqual([
    { method: 'GET', url: '/v1/locations?open=1', authorization: `Bearer ${accessToken}` },
  ])
  const facts = await answer.getByRole('banner').or(answer.locator('header')).first().innerText()
  expect(facts).toMatch(/HTTP\/1\.1/)
  expect(facts).toMatch(/First byte/)

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
  expect(watched.faults).toEqual([])
})

it('shows 10 MiB as a tree, as text and as bytes, up to the end', async () => {
  await using console = await openConsole()
  const { answer, send, watched } = console
  await send('big')
  const tree = answer.getByRole('tree', { name: 'Body as a tree' })
  await tree.getByText('[ 80,000 values ]').waitFor({ timeout: 30_000 })
  await tree.focus()
  await tree.press('End')
  await tree.getByText('79999:').waitFor()
  await answer.getByLabel('Find in body').fill('"item 79998"')
  await answer.getByText('1 of 1').waitFor()

  await answer.getByRole('radio', { name: 'Raw' }).check()
  const text = answer.getByRole('region', { name: 'Body as text' })
  await text.getByText(/Item 79998/).waitFor()
  await answer.getByRole('radio', { name: 'Bytes' }).check()
  const bytes = answer.getByRole('region', { name: 'Body as bytes' })
  await bytes.focus()
  await bytes.press('End')
  const last = Math.floor((Buffer.byteLength(bigBody) - 1) / 16) * 16
  await bytes.getByText(last.toString(16).padStart(8, '0')).waitFor()
  expect(watched.faults).toEqual([])
})

it('explains a 401 and a 403 with the API documentation, and offers the next step', async () => {
  await using console = await openConsole()
  const { page, answer, send, path } = console
  await send('revoked')
  await answer.getByText(/responded with 401/).waitFor()
  await answer.getByText('“Authentication 5”').waitFor()
  await answer.getByRole('link', { name: 'Authorize again' }).waitFor()
  expect(await page.getByLabel('Token', { exact: true }).innerText()).toMatch(/revoked/)

  await send('forbidden')
  await answer.getByText(/responded with 403: the token is invalid/).waitFor()
  await answer.getByText('“Errors”').waitFor()
  await answer.getByRole('link', { name: 'Show token' }).waitFor()

  await page.getByLabel('Token', { exact: true }).selectOption('')
  await send('revoked')
  await answer.getByRole('button', { name: 'Select a token' }).click()
  expect(await path.evaluate(() => document.activeElement?.hasAttribute('data-token'))).toBe(true)
})

it('shows a received token as a chip, and reveals its value on click', async () => {
  await using console = await openConsole()
  const { page, answer, send, watched } = console
  await send('echo')
  await answer.getByText('You sent Bearer').waitFor()
  expect(await page.content()).not.toContain(accessToken)
  await answer.getByRole('button', { name: /Reveal Access token/ }).click()
  await answer.getByText(accessToken).waitFor()
  await answer.getByRole('button', { name: /^Hide access token/ }).click()
  await answer.getByRole('button', { name: /Reveal Access token/ }).waitFor()
  expect(await page.content()).not.toContain(accessToken)
  expect(watched.faults).toEqual([])
})

it('shows each request of a redirect chain, and whether the token was sent', async () => {
  await using away = await startConsoleService()
  await using console = await openConsole({
    '/v1/away': (response) => {
      response.writeHead(302, { Location: `${away.origin}/v1/locations` }).end()
    },
  })
  const { answer, send } = console
  await send('away')
  await answer.getByRole('tab', { name: /Hops 2/ }).click()
  const hops = answer.getByRole('list', { name: 'Requests in order' }).getByRole('listitem')
  expect(await hops.nth(0).innerText()).toMatch(/with the token[\s\S]*302 Found/)
  expect(await hops.nth(1).innerText()).toMatch(/Redirect followed[\s\S]*without the token/)
  expect(away.seen).toEqual([{ method: 'GET', url: '/v1/locations', authorization: '' }])
})

it('explains why no response arrived', async () => {
  await using console = await openConsole()
  const { page, answer, send, watched } = console
  await page.getByLabel('Token', { exact: true }).selectOption('')
  await send('http://127.0.0.1:1/nowhere')
  await answer.getByRole('heading', { name: 'No response' }).waitFor()
  await answer
    .getByRole('alert')
    .getByText(/Nothing listens/)
    .waitFor()
  expect(watched.faults).toEqual([])
})

it('cancels a pending request', async () => {
  await using console = await openConsole()
  const { page, answer, path, service, watched } = console
  await path.fill('never')
  await path.press('Enter')
  await answer.getByText('Waiting for the response').waitFor()
  // The service can only notice the end of a request that it has received.
  await expect.poll(() => service.seen).toMatchObject([{ url: '/v1/never' }])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await answer.getByText('The request was cancelled.').waitFor()
  await expect.poll(() => service.aborted).toBe(1)
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(watched.faults).toEqual([])
})

it('reports a connection lost during a request', async () => {
  await using console = await openConsole()
  const { answer, path, product } = console
  await path.fill('never')
  await path.press('Enter')
  await answer.getByText('Waiting for the response').waitFor()
  await product.stop()
  await answer.getByRole('heading', { name: 'Connection lost before the response' }).waitFor()
  await answer.getByText('If the request was sent, it appears in the history.').waitFor()
})

it('truncates a response over 25 MiB, and reports it', async () => {
  await using console = await openConsole({
    '/v1/endless': (response) => {
      response.end(Buffer.alloc(26 * 1024 * 1024, 'a line\n'))
    },
  })
  const { answer, send, watched } = console
  await send('endless')
  await answer.getByText('the first 25 MiB of 26 MiB').waitFor()
  await answer.getByText(/^25 MiB/).waitFor({ timeout: 30_000 })
  await answer.getByRole('radio', { name: 'Raw' }).check()
  const text = answer.getByRole('region', { name: 'Body as text' })
  await text.press('End')
  await text.getByText('3744915', { exact: true }).waitFor()
  expect(watched.faults).toEqual([])
})

it('treats a hostile response as data', async () => {
  const evil = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
  await using console = await openConsole({
    '/v1/evil': (response) => {
      response.writeHead(200, evil, { 'X-Evil': evil, 'Content-Type': 'text/html' })
      response.end(JSON.stringify({ [evil]: `\u202e${evil}«access_token»«nothing»` }))
    },
  })
  const { page, answer, send, watched } = console
  await send(`evil?q=\u202e${evil}`)
  await answer.getByRole('radio', { name: 'Pretty' }).waitFor()
  for (const view of ['Pretty', 'Raw', 'Bytes'] as const) {
    await answer.getByRole('radio', { name: view }).check()
  }
  for (const tab of [/Headers/, /Hops/] as const) {
    await answer.getByRole('tab', { name: tab }).click()
  }
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain('\u202e')
  expect(watched.faults).toEqual([])
})
