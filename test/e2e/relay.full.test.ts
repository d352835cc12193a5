import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loopbackService } from '../support/loopback-service.ts'
import { invitationOf, publish, recordOf } from '../support/nats/records.ts'
import { createStreams, natsServer, openNats } from '../support/nats/server.ts'
import { deliver, goTo, openPage, startProduct } from '../support/product.ts'

async function openRelay(page: Page): Promise<void> {
  await goTo(page, 'Setup', 'Reachability')
  await page.getByRole('radio', { name: 'Relay' }).click()
}

describe.skipIf(natsServer === null)('with a relay', () => {
  it('follows it, shows what was received while paused without forwarding it, and forgets it', async () => {
    await using nats = await openNats()
    const connection = await nats.connect()
    await createStreams(connection)
    await using product = await startProduct()
    await using handler = await loopbackService((_, response) => void response.end())
    await product.engine.call('forwards.add', {
      endpointId: 1,
      url: handler.baseUrl,
      types: ['ORDER_PLACED', 'OPEN_TAB'],
    })
    await using page = await openPage(product.ui)
    const rows = page.getByTestId('delivery-row')

    await openRelay(page)
    const invitation = invitationOf(nats.url, {
      name: 'pier9',
      endpoints: ['sandbox', 'terrace'],
    })
    await page.getByLabel('Invitation', { exact: true }).fill(invitation)
    await page.getByRole('checkbox', { name: /^Create 1 endpoint here/ }).waitFor()
    await page.getByRole('button', { name: 'Add relay' }).click()
    const card = page.getByTestId('relay')
    await card.getByText('Live', { exact: true }).waitFor()
    await card.getByText('Up to date').waitFor()
    await expect.poll(() => page.getByLabel('Invitation', { exact: true }).inputValue()).toBe('')
    expect(await page.getByTestId('relay-chip').count()).toBe(0)
    await page.getByLabel('Invitation', { exact: true }).fill(invitation)
    await page.getByText(`You follow pier9 at ${nats.url} already.`).waitFor()
    await page.getByRole('button', { name: 'Add as another relay' }).waitFor()
    await page.getByRole('button', { name: 'Replace pier9' }).click()
    await expect.poll(() => page.getByLabel('Invitation', { exact: true }).inputValue()).toBe('')
    await card.getByText('Live', { exact: true }).waitFor()
    await goTo(page, 'Setup', 'Endpoints')
    await expect.poll(() => page.getByTestId('endpoint-relay').count()).toBe(2)
    await openRelay(page)

    // What the listener receives is none of it.
    await deliver(product.endpoint, '{"type":"CLOSE_TAB","data":{}}')
    await card.getByRole('button', { name: 'Pause' }).click()
    await card.getByText('Paused', { exact: true }).waitFor()
    for (let index = 0; index < 5; index += 1) {
      await publish(connection, 'sandbox', [recordOf('sandbox', '{"type":"OPEN_TAB","data":{}}')])
    }
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByRole('link', { name: '5 stored' }).waitFor()

    await goTo(page, 'Deliveries', 'Live')
    await expect.poll(() => rows.count()).toBe(6)
    await openRelay(page)
    await card.getByRole('link', { name: '5 stored' }).click()
    await expect.poll(() => rows.count()).toBe(5)
    await rows.first().click()
    const ends = page.getByTestId('both-ends')
    await ends.getByText(/via relay pier9, receiver gate, responded with 202$/).waitFor()
    await page.keyboard.press('Escape')

    // A backlog is not forwarded.
    expect(handler.arrived).toEqual([])
    await nats.stop()
    await page.getByTestId('relay-chip').getByText('Relay offline').waitFor()
    await nats.start()
    await page.getByTestId('relay-chip').click()
    await card.getByText('Live', { exact: true }).waitFor()
    await page.getByTestId('relay-chip').waitFor({ state: 'detached' })

    await card.getByRole('button', { name: 'Forget pier9' }).click()
    await page.getByRole('checkbox', { name: /^Also delete its 5 deliveries/ }).check()
    await page.getByRole('button', { name: 'Forget and delete' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Follow a relay' }).waitFor()
    await expect
      .poll(async () => (await product.engine.call('app.snapshot', {})).stats.deliveries)
      .toBe(1)
    await connection.close()
  })
})
