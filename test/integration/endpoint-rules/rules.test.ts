import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  openCapture,
  responseRule,
  withStatus,
  type Captured,
} from '#test/support/capture-thread.ts'
import { ask, rawClient, type Answer } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

/** IDs up to this one belong to earlier tests. */
let before = 0

const listener = await openCapture()
beforeEach(() => {
  before = listener.captured().at(-1)?.id ?? 0
})
afterAll(() => listener[Symbol.asyncDispose]())

function kept(count: number, late = 0): Promise<Captured[]> {
  return until(`${count} deliveries in the journal, ${late} answered late`, () => {
    const all = listener.captured().filter(({ id }) => id > before)
    const isAll = all.length >= count && all.filter((one) => one.late).length >= late
    return isAll ? all : null
  })
}

async function send(bytes = post(listener.path, goodBody)): Promise<Answer> {
  return await ask(listener.port, bytes)
}

const ofType = (type: string) => post(listener.path, JSON.stringify({ type, data: {} }))
const statuses = (answers: readonly (Answer | null)[]) => answers.map((each) => each?.status)

test('a response rule applies to the last response of a closing connection', async () => {
  await listener.setRules([responseRule({ response: withStatus(503) })])
  const lines = ['Host: a', 'Connection: close', `Content-Length: ${goodBody.byteLength}`]
  const bytes = Buffer.concat([head(`POST ${listener.path} HTTP/1.1`, lines), goodBody])
  await using client = await rawClient(listener.port)
  await client.send(bytes)
  expect((await client.answer()).headers.get('connection')).toBe('close')
  await client.closed()
})

test('no rule decides if the request is incomplete or too large, or its path is unknown', async () => {
  await listener.setRules([responseRule({ response: withStatus(299) })])
  expect((await send(post('/hooks/nobody', goodBody))).status).toBe(404)
  const large = ['Host: a', `Content-Length: ${100 * 1024 * 1024}`, 'Expect: 100-continue']
  expect((await send(head(`POST ${listener.path} HTTP/1.1`, large))).status).toBe(413)
  expect((await send(Buffer.from('no HTTP\r\n\r\n'))).status).toBe(400)
  expect((await send()).status).toBe(299)
})

describe('a delay', () => {
  test('delays its own response, and no other', async () => {
    await listener.setRules([
      responseRule({ type: 'SLOW', delayMs: 300, response: withStatus(202) }),
      responseRule({ type: 'SLOWER', delayMs: 60_000, response: withStatus(203) }),
    ])
    await using slower = await rawClient(listener.port)
    await slower.send(ofType('SLOWER'))
    await using slow = await rawClient(listener.port)
    await slow.send(ofType('SLOW'))
    await kept(2)
    const quick: number[] = []
    for (let i = 0; i < 10; i += 1) quick.push((await send(ofType('QUICK'))).status)
    expect(quick).toEqual(Array.from({ length: 10 }, () => 200))
    // On disk, but the response is not recorded yet.
    const all = await kept(12)
    expect(all[0]).toMatchObject({ status: null, respondedBy: null, reason: null, late: null })
    expect((await slow.answer()).status).toBe(202)
    const [, stored] = await kept(12, 1)
    expect(stored?.late).toMatchObject({ status: 202, respondedBy: 'rule', reason: null })
    expect((stored?.late?.atUs ?? 0) - (stored?.receivedUs ?? 0)).toBeGreaterThanOrEqual(300_000)
    expect(await slower.answers(0)).toEqual([])
  })

  test('keeps the order of responses on one connection', async () => {
    await listener.setRules([
      responseRule({ type: 'SLOW', delayMs: 150, response: withStatus(202) }),
    ])
    await using client = await rawClient(listener.port)
    await client.send(
      Buffer.concat([
        ofType('QUICK'),
        ofType('SLOW'),
        ofType('QUICK'),
        ofType('SLOW'),
        ofType('QUICK'),
      ]),
    )
    expect(statuses(await client.answers(5))).toEqual([200, 202, 200, 202, 200])
    expect((await kept(5, 2)).map(({ late }) => late?.status)).toEqual([
      undefined,
      202,
      undefined,
      202,
      undefined,
    ])
  })

  test('stores the delivery of a sender that does not wait, without a response', async () => {
    await listener.setRules([responseRule({ delayMs: 100 })])
    {
      await using client = await rawClient(listener.port)
      await client.send(post(listener.path, goodBody))
      await kept(1)
      client.reset()
    }
    const [one] = await kept(1, 1)
    expect(one?.late).toMatchObject({
      status: null,
      respondedBy: null,
      reason: 'The sender closed the connection before the response was sent.',
    })
  })
})

describe('several requests on one connection', () => {
  test('requests before a drop get a response, later ones do not, and all are stored', async () => {
    await listener.setRules([
      responseRule({ type: 'SLOW', delayMs: 100, response: withStatus(202) }),
      responseRule({ type: 'DROP', response: { kind: 'drop' } }),
    ])
    await using client = await rawClient(listener.port)
    await client.send(Buffer.concat([ofType('SLOW'), ofType('DROP'), ofType('QUICK')]))
    await client.closed()
    expect(statuses(await client.answers(0))).toEqual([202])
    expect(await kept(3, 1)).toMatchObject([
      { late: { status: 202 } },
      {
        status: null,
        respondedBy: 'rule',
        reason: 'Tabscope dropped the connection because of a response rule.',
      },
      {
        status: null,
        respondedBy: null,
        reason:
          'Tabscope dropped the connection because a response rule matched the request before this one.',
      },
    ])
  })

  test('invalid HTTP after a delayed request gets its response after it', async () => {
    await listener.setRules([responseRule({ delayMs: 150, response: withStatus(202) })])
    await using client = await rawClient(listener.port)
    await client.send(post(listener.path, goodBody))
    await kept(1)
    await client.send('no HTTP\r\n\r\n')
    expect(statuses(await client.answers(2))).toEqual([202, 400])
    await client.closed()
  })

  test('a sender that half-closed its connection still gets its delayed response', async () => {
    await listener.setRules([responseRule({ delayMs: 150, response: withStatus(202) })])
    await using client = await rawClient(listener.port)
    await client.send(post(listener.path, goodBody))
    client.finish()
    expect((await client.answer()).status).toBe(202)
    await client.closed()
  })
})

test('deliveries over connections of our own sender are recognized by port, not by content', async () => {
  await listener.setRules([responseRule({ type: 'SLOW', response: withStatus(202) })])
  for (const as of ['forward', 'send', null] as const) {
    await using client = await rawClient(listener.port)
    listener.ownPorts.mark(client.socket.localPort ?? 0, as)
    await client.send(post(listener.path, goodBody))
    expect((await client.answer()).status).toBe(200)
    await client.send('no HTTP\r\n\r\n')
    await client.answers(2)
    listener.ownPorts.mark(client.socket.localPort ?? 0, null)
  }
  expect((await kept(6)).map(({ sentBy }) => sentBy)).toEqual([
    'forward',
    'forward',
    'send',
    'send',
    null,
    null,
  ])
})
