import { expect, test, vi } from 'vitest'
import type { ReceivedRequest } from '#engine/receiving/listener/received-request.ts'
import { HeldMemory } from '#engine/receiving/listener/request-reader.ts'
import { decodeRecords, maxMessageBytes } from '#engine/receiving/relay/format.ts'
import { Outbox, uuidV7 } from '#engine/receiving/relay/receive/outbox.ts'
import { NotStored, type Message } from '#engine/receiving/relay/receive/link.ts'
import { until } from '#test/support/until.ts'

interface Sent {
  readonly message: Message
  readonly deadline: number
  readonly acknowledge: () => void
  readonly refuse: () => void
}

function rig() {
  const sent: Sent[] = []
  const failing: (string | null)[] = []
  const held = new HeldMemory()
  const outbox = new Outbox({
    receiver: 'edge-1',
    endpointOf: ({ path }) => {
      const slug = /^\/hooks\/(\w+)$/.exec(path)?.[1]
      return slug === undefined ? null : { slug, status: 200 }
    },
    held,
    publish: (message, deadline) =>
      new Promise((resolve, reject) => {
        const refuse = (): void => reject(new NotStored('The relay is full.'))
        sent.push({ message, deadline, acknowledge: resolve, refuse })
      }),
    failing: (reason) => void failing.push(reason),
  })
  return { outbox, sent, failing, held }
}

function request(path: string, body: string | Buffer): ReceivedRequest {
  const bytes = Buffer.from(body)
  return {
    receivedUs: 1_795_000_000_000_000,
    method: 'POST',
    path,
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['Host', 'relay'],
    rawTrailers: [],
    body: bytes,
    bodyBytes: bytes.byteLength,
    bytes: bytes.byteLength,
    arrival: 'complete',
    reason: null,
    endpoint: null,
    own: null,
    via: null,
    status: 200,
    channel: { kind: 'none' },
  }
}

const bodiesOf = ({ message }: Sent): string[] =>
  decodeRecords(message.payload).map(({ body }) => Buffer.from(body).toString())
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('what waits is one message, with two in flight for each endpoint', async () => {
  const { outbox, sent, held } = rig()
  for (const body of ['1', '2']) outbox.add(request('/hooks/bar', body))
  outbox.add(request('/hooks/other', 'x'))
  await turns()
  expect(sent.map(bodiesOf)).toEqual([['1', '2'], ['x']])
  expect(sent.map(({ message }) => message.subject)).toEqual([
    'hooks.bar.edge-1',
    'hooks.other.edge-1',
  ])

  outbox.add(request('/hooks/bar', '3'))
  await turns()
  // A message that is smaller than the one in flight waits for more.
  expect(sent).toHaveLength(2)
  outbox.add(request('/hooks/bar', '4'))
  await turns()
  for (const body of ['5', '6', '7']) outbox.add(request('/hooks/bar', body))
  await turns()
  expect(sent.map(bodiesOf)).toEqual([['1', '2'], ['x'], ['3', '4']])
  sent[0]?.acknowledge()
  await turns()
  expect(sent.map(bodiesOf).at(-1)).toEqual(['5', '6', '7'])
  expect(outbox).toMatchObject({ accepted: 2, waiting: 6 })
  for (const { acknowledge } of sent) acknowledge()
  await outbox.drained()
  expect(outbox).toMatchObject({ accepted: 8, refused: 0, waiting: 0, bytes: 8 })
  expect(held.bytes).toBe(0)
})

test('a group is at most as large as a message', async () => {
  const { outbox, sent } = rig()
  const body = Buffer.alloc(maxMessageBytes / 4, 'x')
  for (let n = 0; n < 6; n += 1) outbox.add(request('/hooks/bar', body))
  await turns()
  expect(sent.map((each) => bodiesOf(each).length)).toEqual([3, 3])
  for (const { message } of sent)
    expect(message.payload.byteLength).toBeLessThanOrEqual(maxMessageBytes)
})

test('a record that does not fit follows its parts, and one that is refused has none', async () => {
  const { outbox, sent, failing, held } = rig()
  const body = Buffer.alloc(maxMessageBytes * 5 + 1, 'x')
  outbox.add(request('/hooks/bar', body))
  await turns()
  expect(sent.map(({ message }) => message.payload.byteLength)).toEqual(
    Array.from({ length: 4 }, () => maxMessageBytes),
  )
  for (const { acknowledge } of sent) acknowledge()
  await turns()
  expect(sent[5]?.message.payload.byteLength).toBe(1)
  for (const { acknowledge } of sent) acknowledge()
  await until('the record', async () => sent.length === 7)
  const [record] = decodeRecords(sent[6]?.message.payload ?? new Uint8Array())
  expect(record?.head).toMatchObject({ bodyBytes: 0, parts: { count: 6, bytes: body.byteLength } })
  expect(sent[3]?.message.subject).toBe(`parts.bar.edge-1.${record?.head.id}.3`)
  sent[6]?.acknowledge()
  await outbox.drained()

  outbox.add(request('/hooks/bar', body))
  await turns()
  for (const { refuse } of sent.slice(7)) refuse()
  await outbox.drained()
  expect(sent).toHaveLength(11)
  expect(failing.at(-1)).toBe('The relay is full.')
  expect(outbox).toMatchObject({ accepted: 1, refused: 1 })
  expect(held.bytes).toBe(0)
})

test('a record of a body in parts is alone in its message', async () => {
  const { outbox, sent } = rig()
  // Two messages in flight, so that the rest waits.
  for (const body of ['1', '2']) {
    outbox.add(request('/hooks/bar', body))
    await turns()
  }
  outbox.add(request('/hooks/bar', Buffer.alloc(maxMessageBytes + 1, 'x')))
  outbox.add(request('/hooks/bar', '3'))
  await turns()
  for (const part of sent.slice(2)) part.acknowledge()
  await turns()
  outbox.add(request('/hooks/bar', '4'))
  for (let n = 4; n < 8; n += 1) {
    for (const { acknowledge } of sent) acknowledge()
    await turns()
  }
  await outbox.drained()
  const bodies = sent.filter(({ message }) => message.records > 0).map(bodiesOf)
  expect(bodies).toEqual([['1'], ['2'], ['3'], [''], ['4']])
})

test('a request waits for 5 s from its end, and for less when the receiver stops', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const { outbox, sent } = rig()
  outbox.add(request('/hooks/bar', '1'))
  now.mockReturnValue(1500)
  outbox.add(request('/hooks/bar', '2'))
  await turns()
  outbox.hurry()
  outbox.add(request('/elsewhere', '3'))
  await turns()
  now.mockRestore()
  expect(sent.map(({ deadline }) => deadline)).toEqual([6000, 2500])
  expect(sent[1]?.message.subject).toBe('hooks._.edge-1')
})

test('what was rejected to free memory is not held again', async () => {
  const { outbox, sent, held } = rig()
  outbox.add({ ...request('/hooks/bar', '1'), status: 503, arrival: 'too_large' })
  await turns()
  expect(sent).toEqual([])
  expect(outbox).toMatchObject({ refused: 1, waiting: 0 })
  expect(held.bytes).toBe(0)
})

test('a UUIDv7 has the time, its fraction, the version and the variant', () => {
  // The example of RFC 9562, appendix A.6.
  const example = 0x017f22e279b0
  expect(uuidV7(example * 1000)).toMatch(/^017f22e2-79b0-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidV7(example * 1000 + 500)).toMatch(/^017f22e2-79b0-7800-/)
  expect(uuidV7(example * 1000 + 999)).toMatch(/^017f22e2-79b0-7ffb-/)
})

test('IDs sort as their times, and differ for the same one', () => {
  const start = 1_795_000_000_000_000
  const ids = Array.from({ length: 3000 }, (_, us) => uuidV7(start + us))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(Array.from({ length: 1000 }, () => uuidV7(start))).size).toBe(1000)
})
