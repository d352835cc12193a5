import { randomUUID } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, describe, expect, it } from 'vitest'
import { encodeInvitation, type Invitation } from '#engine/relay/files.ts'
import {
  deliverySubject,
  encodeRecord,
  heartbeatSubject,
  messageHeaders,
  recordFormat,
  type Heartbeat,
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
  it('follows it, shows what was received while paused, re-sends it only on request, and forgets it', async () => {
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
    await card.getByText('No receiver has reported yet.').waitFor()
    expect(await page.getByLabel('Invitation', { exact: true }).inputValue()).toBe('')
    expect(await page.getByTestId('relay-chip').count()).toBe(0)
    const heartbeat: Heartbeat = {
      format: recordFormat,
      name: 'edge-1',
      version: '0.1.0',
      lastDeliveryAt: null,
      accepted: 12,
      refused: 3,
    }
    connection.publish(heartbeatSubject('edge-1'), JSON.stringify(heartbeat))
    await page.getByTestId('relay-receiver').getByText('Up').waitFor()
    await page.getByTestId('relay-receiver').getByText('3 with 503').waitFor()

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
    const strip = page.getByTestId('away')
    await strip.getByText('5 arrived while you were away').waitFor()
    await expect.poll(() => rows.count()).toBe(6)
    await strip.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(5)
    await rows.first().click()
    const ends = page.getByTestId('both-ends')
    await ends.getByText(/via relay pier9, receiver edge-1, responded with 200$/).waitFor()
    await page.keyboard.press('Escape')

    // A backlog is not forwarded.
    expect(handler.arrived).toEqual([])
    await strip.getByRole('button', { name: 'Forward…' }).click()
    await page.getByRole('dialog', { name: 'Send 5 deliveries to your handler?' }).waitFor()
    await page.getByRole('button', { name: 'Only show' }).click()
    expect(handler.arrived).toEqual([])
    await strip.getByRole('button', { name: 'Forward…' }).click()
    await page.getByRole('button', { name: 'Re-send as a job…' }).click()
    const job = page.getByRole('dialog', { name: 'Re-send 5 deliveries' })
    await job.getByRole('button', { name: /^Re-send 5/ }).click()
    await expect
      .poll(async () => (await product.engine.call('jobs.list', {}))[0]?.state)
      .toBe('done')
    const sent = handler.arrived.map((request) => request.body.toString())
    expect(sent).toEqual([0, 1, 2, 3, 4].map(bodyOf))

    await strip.getByRole('button', { name: 'Dismiss' }).click()
    await strip.waitFor({ state: 'detached' })

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
