import { expect, it } from 'vitest'
import { openService } from '#sandbox/service/service.ts'
import { full } from '../support/full.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { goTo, openPage, startProduct } from '../support/product.ts'

it('starts, shows, configures and stops the sandbox service', async () => {
  await using product = await startProduct()
  await using page = await openPage(product.ui)
  await goTo(page, 'Setup', 'Sandbox')
  const card = page.getByRole('region', { name: 'Simulated service' })
  const state = card.getByRole('status', { name: 'Service state' })
  await expect.poll(() => state.innerText()).toBe('Stopped')
  await card.getByRole('button', { name: 'Start' }).click()
  await state.getByText('Running').waitFor()
  const baseUrl = await card.locator('code').first().innerText()
  expect(new URL(baseUrl).hostname).toBe('127.0.0.1')

  const seen = await card
    .locator('dl dd')
    .evaluateAll((all) => all.map((one) => [...one.children].map((tag) => tag.textContent ?? '')))
  expect(seen.length).toBe(2)
  expect(Math.min(...seen.map((locations) => locations.length))).toBeGreaterThan(0)
  expect(seen[0]).not.toEqual(seen[1])

  const problem = page.getByRole('list', { name: 'Problems' })
  await problem.getByRole('button', { name: 'Signature in base64' }).click()
  await page.getByText('1 sample sent.').waitFor()
  const [delivery] = await product.engine.call('deliveries.since', { after: 0, limit: 1 })
  expect(delivery).toMatchObject({ type: 'ORDER_PLACED', verdict: 'invalid' })

  const lifetime = card.getByLabel('Token lifetime')
  await lifetime.fill('0')
  await lifetime.press('Enter')
  await card.getByText('Enter a whole number from 1 to 864,000.').waitFor()
  await lifetime.fill('90')
  await lifetime.press('Enter')
  await card.getByText(/The API documentation says 24 hours/).waitFor()
  await card.getByRole('button', { name: '24 h' }).click()
  await card.getByText('24 hours, as in the API documentation.').waitFor()
  await expect.poll(() => lifetime.inputValue()).toBe('86400')

  await card.getByText('Faults').click()
  await card.getByRole('switch', { name: /server_error/ }).press(' ')
  await card.getByText('1 active', { exact: true }).waitFor()
  const answer = await fetch(`${baseUrl}/api/oauth/token`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(500)
  await card.getByRole('button', { name: 'Turn off all' }).click()
  await card.getByText('none active').waitFor()

  await card.getByRole('button', { name: 'Stop' }).click()
  await state.getByText('Stopped').waitFor()
  await goTo(page, 'Authorization', 'API console')
  await page.getByText('The sandbox service is not running').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('The sandbox service is not running').waitFor({ state: 'detached' })
})

it.runIf(full)('returns a user to a client of another origin, by keyboard alone', async () => {
  await using client = await loopbackService((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end('<!doctype html><title>Client</title><h1>Back at the client</h1>')
  })
  const redirectUrl = `${client.baseUrl}/callback`
  await using stack = new AsyncDisposableStack()
  const service = await openService({ redirectUrls: [redirectUrl] })
  stack.defer(() => service.close())
  const { baseUrl, accessId } = service.state()
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
    state: 'state 1',
  })
  await using page = await openPage(`${baseUrl}/manager/oauth?${query.toString()}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: 'Jonas, owner' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Back at the client' }).waitFor()
  const visits = client.arrived.filter(({ url }) => url.startsWith('/callback'))
  expect(visits.map(({ url }) => url)).toEqual([
    expect.stringMatching(/\?code=[^&]+&state=state\+1$/),
  ])
})
