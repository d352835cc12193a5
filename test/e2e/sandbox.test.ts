import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openService, type Service } from '#sandbox/service/service.ts'
import { closeBrowser, goTo, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

const Locations = z.array(z.string()).min(1)

it('starts, shows, configures and stops the sandbox service', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  const card = page.getByRole('region', { name: 'Simulated service' })
  const state = card.getByRole('status', { name: 'Service state' })
  expect(await state.innerText()).toBe('Stopped')
  await card.getByRole('button', { name: 'Start' }).click()
  await state.getByText('Running').waitFor()
  const baseUrl = await card.locator('code').first().innerText()
  expect(new URL(baseUrl).hostname).toBe('127.0.0.1')

  const seen = await card
    .locator('dl dd')
    .evaluateAll((all) => all.map((one) => [...one.children].map((tag) => tag.textContent ?? '')))
  expect(seen.length).toBe(2)
  expect(Locations.parse(seen[0])).not.toEqual(Locations.parse(seen[1]))

  const lifetime = card.getByLabel('Token lifetime')
  await lifetime.fill('0')
  await card.getByText('Enter a whole number from 1 to 864,000.').waitFor()
  await lifetime.fill('90')
  await lifetime.press('Enter')
  await card.getByText(/The API documentation says 24 hours/).waitFor()
  await card.getByRole('button', { name: '24 h' }).click()
  await card.getByText('24 hours, as in the API documentation.').waitFor()
  expect(await lifetime.inputValue()).toBe('86400')

  await card.getByText('Faults').click()
  await card.getByRole('switch', { name: /server_error/ }).press(' ')
  await card.getByText('1 active', { exact: true }).waitFor()
  const answer = await fetch(`${baseUrl}/api/oauth/token`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(500)
  await card.getByRole('button', { name: 'Turn off all' }).click()
  await card.getByText('none active').waitFor()

  await card.getByRole('button', { name: 'Stop' }).click()
  await state.getByText('Stopped').waitFor()
  await goTo(page, 'API console')
  await page.getByText('The sandbox service is not running').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The sandbox service is not running').waitFor({ state: 'detached' })
  expect(watched.faults).toEqual([])
})

interface Client extends AsyncDisposable {
  readonly redirectUrl: string
  readonly visits: URL[]
}

async function client(): Promise<Client> {
  const visits: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://client')
    if (url.pathname === '/callback') visits.push(url)
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end('<!doctype html><title>Client</title><h1>Back at the client</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    redirectUrl: `http://127.0.0.1:${address.port}/callback`,
    visits,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function authorizeUrl(service: Service, redirectUrl: string, state = 'state 1'): string {
  const { baseUrl, accessId } = service.state()
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
    state,
  })
  return `${baseUrl}/manager/oauth?${query.toString()}`
}

async function exchange(service: Service, code: string): Promise<unknown> {
  const { baseUrl, accessId } = service.state()
  const answer = await fetch(`${baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      api_access_id: accessId,
      api_access_secret: service.accessSecret,
      code,
    }),
  })
  return await answer.json()
}

it('returns a user to a client of another origin, by keyboard alone', async () => {
  await using other = await client()
  await using stack = new AsyncDisposableStack()
  const service = await openService({ redirectUrls: [other.redirectUrl] })
  stack.defer(() => service.close())
  await using watched = await openPage(authorizeUrl(service, other.redirectUrl))
  const { page, faults } = watched
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: 'Jonas, owner' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Back at the client' }).waitFor()
  expect(other.visits.map(({ searchParams }) => [...searchParams.keys()])).toEqual([
    ['code', 'state'],
  ])
  const [back] = other.visits
  expect(back?.searchParams.get('state')).toBe('state 1')
  const code = back?.searchParams.get('code') ?? ''
  expect(await exchange(service, code)).toMatchObject({ tokenType: 'Bearer' })
  // A policy violation would be reported on the console.
  expect(faults).toEqual([])
})
