import { afterAll, expect, it } from 'vitest'
import type { Locator } from 'playwright-core'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'
import { tunnelServer } from '../support/tunnel-server.ts'

afterAll(closeBrowser)

const secret = 'claims-secret-0123456789'
const body = JSON.stringify({
  type: 'OPEN_TAB',
  targetUuid: 'tab-1',
  createdAt: '2026-03-14T21:00:00.123Z',
})
const good = {
  'X-Service-Event-Type': 'OPEN_TAB',
  'X-Service-Event-Target-UUID': 'tab-1',
  'X-Service-Application-ID': 'app-1',
}

const names = async (table: Locator): Promise<string[]> =>
  (await table.getByRole('rowheader').allInnerTexts()).map(
    (text) => text.split('\n')[0]?.toLowerCase() ?? '',
  )

it('shows proxy headers as claims, in a separate group, and reports no finding for them', async () => {
  await using product = await startProduct({ secret })
  await deliver(product.endpoint, body, { secret, headers: good })
  await deliver(product.endpoint, body, {
    secret,
    headers: {
      ...good,
      'X-Forwarded-For': '203.0.113.9, <b>\u009b</b>',
      'X-Forwarded-Proto': 'https',
      'CF-Ray': '8f0-FRA',
    },
  })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await page.getByTestId('delivery-row').first().click()
  const claims = page.getByRole('region', { name: 'Claimed origin' })
  await claims.waitFor()
  const text = await claims.innerText()
  expect(text).toContain(
    'Reported by a header: from 203.0.113.9, via “<b>\\u009b</b>” (not an IP address), over https.',
  )
  expect(text).toContain('Received directly or through your own proxy.')
  expect(text).toContain('Not verified')
  expect(await page.getByRole('list', { name: 'Findings' }).count()).toBe(0)

  await page.getByRole('tab', { name: 'Headers' }).click()
  const way = page.getByRole('table', { name: 'Added in transit' })
  await way.waitFor()
  expect(await names(way)).toEqual(['x-forwarded-for', 'x-forwarded-proto', 'cf-ray'])
  const own = await names(page.getByRole('table', { name: 'Headers', exact: true }))
  expect(own).toContain('x-service-event-type')
  expect(own.filter((name) => /forwarded|cf-/.test(name))).toEqual([])
  await page.getByText('Set by the tunnel or proxy. Not part of the API documentation.').waitFor()
  const place = (table: string) =>
    page.getByRole('table', { name: table, exact: true }).boundingBox()
  const [above, below] = [await place('Headers'), await place('Added in transit')]
  expect((above?.y ?? 0) + (above?.height ?? Infinity)).toBeLessThan(below?.y ?? 0)
  expect(await claims.count()).toBe(1)

  // Headers that were only changed in transit do not count as differences.
  await page.getByRole('tab', { name: 'Diff' }).click()
  await page.getByRole('combobox', { name: 'or delivery' }).fill('1')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('The headers are the same, except for 3 changed in transit.').waitFor()

  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByTestId('delivery-row').nth(1).click()
  await page.getByRole('table', { name: 'Headers', exact: true }).waitFor()
  await page.getByRole('heading', { level: 2 }).waitFor()
  await way.waitFor({ state: 'detached' })
  expect(await claims.count()).toBe(0)

  // Added headers are sent again as received, and are marked.
  await page.getByTestId('delivery-row').first().click()
  await page.getByRole('link', { name: 'Edit and send' }).click()
  await page.getByRole('tab', { name: /^Headers/ }).click()
  const marks = page.getByRole('list', { name: 'Headers' }).getByText('added in transit')
  await marks.nth(2).waitFor()
  expect(await marks.count()).toBe(3)
  expect(watched.faults).toEqual([])
})

it('sends a sample through the tunnel and back, and attributes the tunnel’s claims to the tunnel', async () => {
  await using server = await tunnelServer()
  await using product = await startProduct({ secret })
  const options = { subdomain: 'pier9', host: server.host }
  await product.engine.call('tunnel.open', { setup: { provider: 'localtunnel', options } })
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Sandbox')
  await page.getByLabel('Delivery path').selectOption('Through the tunnel')
  const publicUrl = `http://pier9.localhost:${server.port}/hooks/sandbox`
  await page.getByRole('region', { name: 'Deliveries' }).getByText(publicUrl).waitFor()
  await page.getByRole('button', { name: 'Send Tab opened OPEN_TAB' }).click()
  await page.getByText('1 sample sent.').waitFor()

  await goTo(page, 'Deliveries')
  await page.getByTestId('delivery-row').first().click()
  const claims = page.getByRole('region', { name: 'Claimed origin' })
  await claims
    .getByText(/Reported by the tunnel: from 127\.0\.0\.1, over http, to pier9\.localhost/)
    .waitFor()
  expect(await claims.innerText()).toContain('Received from 127.0.0.1.')
  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByText('The tunnel may change the letter case of header names').waitFor()
  await page.getByRole('table', { name: 'Added in transit' }).waitFor()
  expect(await page.getByRole('cell', { name: 'no', exact: true }).count()).toBe(0)

  // A redirect to this address is not received through the tunnel.
  await goTo(page, 'Authorization')
  await page.getByRole('button', { name: /Integration:/ }).click()
  await page.getByRole('menuitem', { name: 'New integration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('By the tunnel')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('textbox', { name: 'Redirect URL' })
    .fill(`http://pier9.localhost:${server.port}/callback`)
  await page
    .getByRole('region', { name: 'Preflight' })
    .getByText(/is the address of Tabscope’s tunnel, and an OAuth redirect cannot come through it/)
    .waitFor()
  expect(watched.faults).toEqual([])
})
