import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { openService } from '#sandbox/service/service.ts'
import type { Service, ServiceOptions } from '#sandbox/service/service.ts'
import { axeFaultsInAll, narrow, wide } from '../support/axe.ts'
import { closeBrowser, openPage } from '../support/product.ts'

afterAll(closeBrowser)

/** No text or control extends beyond the window. */
const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

interface Client extends AsyncDisposable {
  readonly redirectUrl: string
  /** Addresses that the browser was redirected to. */
  readonly visits: URL[]
}

/** A client that waits for the redirect at another origin. */
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

type Opened = Service & AsyncDisposable

async function open(options: ServiceOptions): Promise<Opened> {
  const service = await openService(options)
  return { ...service, [Symbol.asyncDispose]: () => service.close() }
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
  await using service = await open({ redirectUrls: [other.redirectUrl] })
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

  await page.goto(service.state().dashboardUrl)
  await expect
    .poll(() => page.getByRole('row').nth(1).innerText())
    .toMatch(/^Jonas\s+….{4}\s.*valid/s)
})

it('returns after a denial, by a link, and over an intermediate page', async () => {
  await using other = await client()
  await using service = await open({ redirectUrls: [other.redirectUrl] })
  await using watched = await openPage(authorizeUrl(service, other.redirectUrl))
  const { page, faults } = watched
  const back = page.getByRole('heading', { name: 'Back at the client' })
  await page.getByRole('button', { name: 'Deny' }).click()
  await back.waitFor()
  expect(other.visits.at(-1)?.search).toBe('?error=access_denied&state=state+1')

  service.configure({ faults: ['by_link'] })
  await page.goto(authorizeUrl(service, other.redirectUrl))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await back.waitFor()
  expect(other.visits).toHaveLength(2)

  service.configure({ faults: ['code_on_the_way'] })
  await page.goto(authorizeUrl(service, other.redirectUrl))
  await page.getByRole('button', { name: 'Approve' }).click()
  await back.waitFor()
  expect(other.visits).toHaveLength(3)
  for (const { searchParams } of other.visits.slice(1))
    expect(searchParams.get('code')).toMatch(/^ac_/)
  expect(faults).toEqual([])
})

it('has no axe violations, wide and narrow, light and dark', { timeout: 180_000 }, async () => {
  await using other = await client()
  await using service = await open({ redirectUrls: [other.redirectUrl] })
  const { dashboardUrl, baseUrl } = service.state()
  await using watched = await openPage(dashboardUrl)
  const { page } = watched
  const fits = async () => ((await isTooWide(page)) ? ['too wide'] : [])
  const look = async (what: string) => {
    expect(await axeFaultsInAll(page, fits), what).toEqual([])
  }
  await look('dashboard, new')

  await page.goto(authorizeUrl(service, other.redirectUrl))
  await look('authorization page')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Back at the client' }).waitFor()
  const code = other.visits.at(-1)?.searchParams.get('code') ?? ''
  await exchange(service, code)
  await page.goto(`${baseUrl}/manager/oauth?redirect_url=http://127.0.0.1:5000/other`)
  await page.getByRole('heading', { name: 'Invalid authorization request' }).waitFor()
  await look('mistakes')

  await page.goto(dashboardUrl)
  await page.getByLabel('Add a webhook').fill(other.redirectUrl)
  await page.getByLabel('Signing secret').fill('secret')
  await page.getByRole('region', { name: 'Webhooks' }).getByRole('button').click()
  await page.getByText('Webhook added.').waitFor()
  await page.getByRole('button', { name: 'Send one of each type' }).click()
  await page.getByText('13 sent · 0 failed · last response 200').waitFor()
  await page.getByLabel('Simulated traffic, deliveries per second').fill('0.5')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Simulated traffic started.').waitFor()
  await page.getByRole('checkbox', { name: 'wrong_state' }).check()
  await page.getByRole('button', { name: 'Save faults' }).click()
  await page.getByText('Faults saved.').waitFor()
  expect(service.state().faults).toEqual(['wrong_state'])
  await page.getByText('Show', { exact: true }).click()
  await page.getByText(service.accessSecret).waitFor()
  await look('dashboard, in use')

  await page.getByRole('button', { name: 'Revoke the token of Mara' }).click()
  await page.getByRole('cell', { name: 'revoked' }).waitFor()
  expect(service.state().tokens).toBe(0)
  for (const { width, height } of [narrow, wide]) {
    await page.setViewportSize({ width, height })
    await page.goto(dashboardUrl)
    await page.getByLabel('Add a redirect URL').fill('ftp://x.example/')
    await page
      .getByRole('region', { name: 'Redirect' })
      .getByRole('button', { name: 'Add' })
      .click()
    await page.getByRole('alert').waitFor()
    // The error is visible next to the field to fix.
    const { y = -1 } = (await page.getByRole('alert').boundingBox()) ?? {}
    expect(y).toBeGreaterThan(44)
    expect(y).toBeLessThan(height - 40)
    expect(await page.getByLabel('Add a redirect URL').inputValue()).toBe('ftp://x.example/')
  }
  await look('dashboard, refused')
})
