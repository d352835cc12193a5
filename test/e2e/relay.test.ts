import { randomUUID } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, describe, expect, it } from 'vitest'
import { encodeInvitation, type Invitation } from '#engine/relay/files.ts'
import {
  deliverySubject,
  encodeRecord,
  messageHeaders,
  recordFormat,
  type RecordHead,
} from '#engine/relay/format.ts'
import { loopbackService } from '../support/loopback-service.ts'
import { createStreams, natsServer, openNats } from '../support/nats/server.ts'
import { closeBrowser, deliver, goTo, openPage, startProduct } from '../support/product.ts'

afterAll(closeBrowser)

const invitation: Invitation = {
  tabscope: 'relay invitation',
  version: 1,
  name: 'pier9',
  servers: ['nats://127.0.0.1:9'],
  seed: null,
  ca: null,
  user: 'ann',
  endpoints: ['sandbox'],
}
const bodyOf = (index: number) =>
  `{"type":"OPEN_TAB","targetUuid":"tab-${index}","data":{"name":"Guest ${index}"}}`

/** As a receiver stores a delivery. */
async function publish(connection: NatsConnection, index: number): Promise<void> {
  const id = randomUUID()
  const body = Buffer.from(bodyOf(index))
  const head: RecordHead = {
    format: recordFormat,
    id,
    receivedUs: (Date.now() - 3_600_000 + index) * 1000,
    receiver: 'edge-1',
    method: 'POST',
    path: '/hooks/sandbox',
    httpVersion: '1.1',
    rawHeaders: [
      'Host',
      'relay.example.com',
      'Content-Type',
      'application/json',
      'Content-Length',
      String(body.byteLength),
    ],
    rawTrailers: [],
    remoteAddress: '203.0.113.9',
    arrival: 'complete',
    reason: null,
    bytes: body.byteLength,
    status: 200,
    nearPath: null,
    protocol: null,
    via: null,
    bodyBytes: body.byteLength,
    parts: null,
  }
  const described = headers()
  described.set(messageHeaders.format, String(recordFormat))
  described.set(messageHeaders.records, '1')
  await jetstream(connection).publish(deliverySubject('sandbox'), encodeRecord(head, body), {
    headers: described,
    msgID: id,
  })
}

it('says what is wrong with an invitation, and does not keep it', async () => {
  await using product = await startProduct()
  await using watched = await openPage(product.ui)
  const { page } = watched
  await goTo(page, 'Relay')
  const field = page.getByLabel('Invitation', { exact: true })
  const preview = page.getByRole('region', { name: 'What the invitation is for' })
  await field.fill('my password')
  await page.getByText('it must start with "tabscope-relay:"').waitFor()
  const line = encodeInvitation(invitation)
  await field.fill(line.slice(0, -20))
  await page.getByText('The invitation is incomplete').waitFor()
  await field.fill(line)
  await preview.getByText('nats://127.0.0.1:9').waitFor()
  expect(await field.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await preview.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('')
  await field.fill(line)
  await preview.waitFor()
  await goTo(page, 'Tunnel')
  await goTo(page, 'Relay')
  expect(await field.inputValue()).toBe('')
  expect(await product.engine.call('relay.list', {})).toEqual([])
  expect(watched.faults).toEqual([])
})

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
    await using watched = await openPage(product.ui)
    const { page } = watched
    const rows = page.getByTestId('delivery-row')

    await goTo(page, 'Relay')
    await page.getByLabel('Invitation', { exact: true }).fill(
      encodeInvitation({
        ...invitation,
        servers: [nats.url],
        endpoints: ['sandbox', 'terrace'],
      }),
    )
    await page.getByRole('checkbox', { name: /^Create 1 endpoint here/ }).waitFor()
    await page.getByRole('button', { name: 'Add relay' }).click()
    const card = page.getByTestId('relay')
    await card.getByText('Live', { exact: true }).waitFor()
    await card.getByText('Up to date').waitFor()
    expect(await page.getByLabel('Invitation', { exact: true }).inputValue()).toBe('')
    expect(await page.getByTestId('relay-chip').count()).toBe(0)
    await goTo(page, 'Endpoints')
    await expect.poll(() => page.getByTestId('endpoint-relay').count()).toBe(2)
    await goTo(page, 'Relay')

    // What the listener receives is none of it.
    await deliver(product.endpoint, '{"type":"CLOSE_TAB","data":{}}')
    await card.getByRole('button', { name: 'Pause' }).click()
    await card.getByText('Paused', { exact: true }).waitFor()
    for (let index = 0; index < 5; index += 1) await publish(connection, index)
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByRole('link', { name: '5 stored' }).waitFor()

    await goTo(page, 'Deliveries')
    await expect.poll(() => rows.count()).toBe(6)
    await goTo(page, 'Relay')
    await card.getByRole('link', { name: '5 stored' }).click()
    await expect.poll(() => rows.count()).toBe(5)
    await rows.first().click()
    const ends = page.getByTestId('both-ends')
    await ends.getByText(/via relay pier9, receiver edge-1, responded with 200$/).waitFor()
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
    expect(watched.faults).toEqual([])
  })
})
