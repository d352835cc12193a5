import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { closeBrowser, deliver, goTo, openPage } from '../support/product.ts'
import { sharedProduct } from '../support/shared-product.ts'

afterAll(closeBrowser)
const fresh = sharedProduct()

const open =
  '{"type":"OPEN_TAB","targetUuid":"tab-1","createdAt":"2026-11-20T20:09:04.512Z","data":{}}'

async function openEndpoints(page: Page): Promise<void> {
  await goTo(page, 'Endpoints')
  await page.getByRole('region', { name: 'Forward' }).waitFor()
}

it('applies a response rule while it is active, and shows it in the connection bar', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openEndpoints(page)
  const chip = page.locator('.bar-answering')
  await page.getByRole('button', { name: 'Add response rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Event type').selectOption('OPEN_TAB')
  await dialog.getByRole('textbox', { name: 'Status' }).fill('99')
  await dialog.getByRole('radio', { name: 'For the first deliveries' }).check()
  await dialog.getByLabel('How many').fill('2')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText('Enter a status from 200 to 599.').waitFor()
  await dialog.getByRole('textbox', { name: 'Status' }).fill('503')
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => chip.innerText()).toContain('Response rule: 503 for OPEN_TAB')

  expect(await deliver(product.endpoint, open)).toBe(503)
  await expect.poll(() => chip.innerText()).toContain('1 of 2')
  expect(await deliver(product.endpoint, '{"type":"CLOSE_TAB"}')).toBe(200)
  expect(await deliver(product.endpoint, open)).toBe(503)
  await chip.waitFor({ state: 'hidden' })
  await page.getByText('2 of 2: 200 again').waitFor()
  expect(await deliver(product.endpoint, open)).toBe(200)

  // A delivery received three times is recognized, whatever the responses were.
  await goTo(page, 'Deliveries')
  const newest = page.getByTestId('delivery-row').first()
  await expect.poll(() => newest.innerText()).toMatch(/again|duplicate|repeat|same/i)

  await openEndpoints(page)
  await page.getByRole('button', { name: 'Edit response rule 503 for OPEN_TAB' }).click()
  await dialog.getByRole('radio', { name: 'Always' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await chip.getByRole('button', { name: 'Turn off response rules' }).click()
  await chip.waitFor({ state: 'hidden' })
  expect(await deliver(product.endpoint, open)).toBe(200)
  expect(watched.faults).toEqual([])
})

it('forwards deliveries as they arrive, and shows the state of the target', async () => {
  const product = await fresh()
  let status = 204
  await using service = await loopbackService(
    (_, response) => void response.writeHead(status).end(),
  )
  await using watched = await openPage(product.ui)
  const { page } = watched
  await openEndpoints(page)
  await page.getByRole('button', { name: 'Add target' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To').fill('ftp://127.0.0.1/')
  await dialog.getByRole('button', { name: 'Forward', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: 'http' }).waitFor()
  await dialog.getByLabel('To').fill(`${service.baseUrl}/app`)
  await dialog.getByLabel('OPEN_TAB').check()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Forward', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const line = page.locator('.forward-line')
  await expect.poll(() => line.getAttribute('data-light')).toBe('idle')

  await deliver(product.endpoint, '{"type":"CLOSE_TAB"}')
  await deliver(product.endpoint, open)
  await expect.poll(() => line.innerText()).toContain('Working, 204')
  expect(service.arrived.map(({ body }) => body.toString())).toEqual([open])
  status = 500
  await deliver(product.endpoint, open)
  await expect.poll(() => line.innerText()).toContain('Failing, 500')
  await expect.poll(() => line.innerText()).toContain('1 succeeded, 1 failed')
  status = 200
  await deliver(product.endpoint, open)
  // A successful forward does not hide a failed one.
  await expect.poll(() => line.innerText()).toContain('Some failed, last response 200')
  await expect.poll(() => line.innerText()).toContain('2 of the last 3 delivered (66%)')
  await page.setViewportSize({ width: 1024, height: 700 })
  expect(await axeFaults(page)).toEqual([])
  await line.getByRole('switch').click()
  await expect.poll(() => line.getAttribute('data-light')).toBe('off')
  await page.getByRole('button', { name: /^Remove forward/ }).click()
  await line.waitFor({ state: 'hidden' })
  expect(watched.faults).toEqual([])
})

it('asks once before deliveries leave this network', async () => {
  const product = await fresh()
  await using watched = await openPage(product.ui, { colorScheme: 'dark' })
  const { page } = watched
  await openEndpoints(page)
  const add = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add target' }).click()
    await page.getByRole('dialog').getByLabel('To').fill('http://203.0.113.9/hooks')
    await page.getByRole('button', { name: 'Forward', exact: true }).click()
  }
  await add()
  await page.getByText('Send deliveries outside your network?').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Do not send' }).click()
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  await page.getByRole('button', { name: 'Always send to this address' }).click()
  await page.locator('.forward-line').waitFor()
  // The target is pushed before the call that added it gets its response and closes the dialog.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: /^Remove forward/ }).click()
  await page.locator('.forward-line').waitFor({ state: 'hidden' })
  await add()
  await page.locator('.forward-line').waitFor()
  // Later tests forward nothing.
  await page.getByRole('button', { name: /^Remove forward/ }).click()
  await page.locator('.forward-line').waitFor({ state: 'hidden' })
})
