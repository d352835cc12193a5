import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PassRequest } from '#engine/sending/messages.ts'
import {
  openCapture,
  passThrough,
  responseRule,
  withStatus,
  type Captured,
  type TestCapture,
} from '#test/support/capture-thread.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

let opened: TestCapture | null = null
let before = 0
let asked = 0

beforeAll(async () => {
  opened = await openCapture()
})
beforeEach(() => {
  before = listener().captured().at(-1)?.id ?? 0
  asked = listener().questions.length
})
afterAll(() => opened?.[Symbol.asyncDispose]())

function listener(): TestCapture {
  if (!opened) throw new Error('the listener is there only while tests run')
  return opened
}

/** Returns the only delivery of this test, once its late response is recorded. */
function passed(): Promise<Captured> {
  return until('the late answer', () => {
    const [one] = listener()
      .captured()
      .filter(({ id }) => id > before)
    return one?.late ? one : null
  })
}

function question(): Promise<PassRequest> {
  return until('the question', () => listener().questions[asked])
}

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
const ofType = (type: string) => post(listener().path, JSON.stringify({ type, data: {} }))

describe('a delivery with the response of a target', () => {
  test('is forwarded unchanged once it is on disk, and gets the response of the target', async () => {
    const forward = passThrough()
    await listener().setRules([], [forward])
    await using client = await rawClient(listener().port)
    await client.send(post(`${listener().path}?a=1`, goodBody, ['X-Twice: a', 'x-twice: ü']))
    const { key, body, ...rest } = await question()
    const id = before + 1
    expect(rest).toMatchObject({
      deliveryId: id,
      forwardId: forward.id,
      method: 'POST',
      path: `${listener().path}?a=1`,
      rawTrailers: [],
    })
    expect(rest.rawHeaders.slice(-4)).toEqual(['X-Twice', 'a', 'x-twice', 'ü'])
    expect(Buffer.from(body)).toEqual(goodBody)
    expect(listener().captured().at(-1)).toMatchObject({ id, status: null, late: null })

    // Other deliveries get their response meanwhile.
    await using other = await rawClient(listener().port)
    await other.send(post('/hooks/nobody', goodBody))
    expect((await other.answer()).status).toBe(404)

    listener().answerPass({
      key,
      response: {
        status: 207,
        rawHeaders: ['X-Of', 'target', 'x-of', 'twice', 'Content-Length', '999', 'Date', 'then'],
        body: bytes('as it is\n'),
      },
      reason: null,
    })
    const answer = await client.answer()
    expect(answer).toMatchObject({ status: 207, body: 'as it is\n' })
    expect(answer.headers.get('x-of')).toBe('twice')
    expect(answer.headers.get('date')).toBe('then')
    expect(await passed()).toMatchObject({
      id,
      late: { status: 207, respondedBy: 'target', reason: null },
    })
  })

  test('gets 502 with the reason when no response arrived', async () => {
    await listener().setRules([], [passThrough()])
    await using client = await rawClient(listener().port)
    await client.send(post(listener().path, goodBody))
    const { key } = await question()
    const reason = 'Nothing listens on 127.0.0.1:9 – start it.'
    listener().answerPass({ key, response: null, reason })
    expect(await client.answer()).toMatchObject({ status: 502, body: `${reason}\n` })
    expect((await passed()).late).toMatchObject({ status: 502, respondedBy: 'target', reason })
    // A response after the end is ignored.
    listener().answerPass({ key, response: null, reason: 'again' })
    await client.send(post('/hooks/nobody', goodBody))
    expect((await client.answers(2)).map(({ status }) => status)).toEqual([502, 404])
  })

  test('gets only valid HTTP from a hostile target', async () => {
    await listener().setRules([], [passThrough()])
    await using client = await rawClient(listener().port)
    await client.send(post(listener().path, goodBody))
    const { key } = await question()
    const rawHeaders = ['X-A', 'a\u0001b', 'b@d', 'x', 'Transfer-Encoding', 'chunked', 'X-B', 'ok']
    listener().answerPass({
      key,
      response: { status: 200, rawHeaders, body: bytes('') },
      reason: null,
    })
    const { headers } = await client.answer()
    expect([...headers.keys()].sort()).toEqual(['connection', 'content-length', 'date', 'x-b'])
    asked += 1
    await client.send(post(listener().path, goodBody))
    const second = await question()
    listener().answerPass({
      key: second.key,
      response: { status: 101, rawHeaders: [], body: bytes('') },
      reason: null,
    })
    expect((await client.answers(2))[1]?.status).toBe(502)
  })
})

describe('a delivery without the response of a target', () => {
  test('has another type, is handled by a rule, or was forwarded by Tabscope', async () => {
    await listener().setRules(
      [
        responseRule({
          type: 'RULED',
          when: { kind: 'first', count: 1 },
          response: withStatus(500),
        }),
      ],
      [passThrough({ types: ['RULED', 'OWN'] })],
    )
    await using client = await rawClient(listener().port)
    await client.send(ofType('OTHER'))
    await client.send(ofType('RULED'))
    expect((await client.answers(2)).map(({ status }) => status)).toEqual([200, 500])
    await using own = await rawClient(listener().port)
    const { localPort = 0 } = own.socket
    listener().ownPorts.mark(localPort, 'forward')
    await own.send(ofType('OWN'))
    expect((await own.answer()).status).toBe(200)
    // A manually sent delivery is forwarded, and so is one whose rule is not due.
    listener().ownPorts.mark(localPort, 'send')
    await own.send(ofType('OWN'))
    await client.send(ofType('RULED'))
    const questions = await until('two questions', () => {
      const all = listener().questions.slice(asked)
      return all.length >= 2 ? all : null
    })
    expect(questions.map(({ deliveryId }) => deliveryId - before)).toEqual([4, 5])
    for (const { key } of questions) listener().answerPass({ key, response: null, reason: 'done' })
    expect((await own.answers(2))[1]?.status).toBe(502)
    listener().ownPorts.mark(localPort, null)
  })
})
