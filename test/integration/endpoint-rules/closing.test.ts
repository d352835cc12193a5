import { expect, test } from 'vitest'
import { openCapture, passThrough, responseRule, withStatus } from '#test/support/capture-thread.ts'
import { rawClient, type RawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const minutes = 120_000

test('when the listener closes, delayed responses are sent immediately, in order, and pending pass-through responses soon after', async () => {
  await using tab = await openCapture()
  const ofType = (type: string) => post(tab.path, JSON.stringify({ type, data: {} }))
  await tab.setRules(
    [
      responseRule({ type: 'SLOW', delayMs: minutes, response: withStatus(202) }),
      responseRule({ type: 'DROP', delayMs: minutes, response: { kind: 'drop' } }),
    ],
    [passThrough({ types: ['PASS'] })],
  )
  await using slow = await rawClient(tab.port)
  // A response that is ready waits behind the delayed one.
  await slow.send(Buffer.concat([ofType('SLOW'), ofType('QUICK')]))
  await using dropped = await rawClient(tab.port)
  await dropped.send(ofType('DROP'))
  await using passed = await rawClient(tab.port)
  await passed.send(ofType('PASS'))
  await using silent = await rawClient(tab.port)
  await silent.send(ofType('PASS'))
  const questions = await until('both questions', () =>
    tab.questions.length === 2 ? tab.questions : null,
  )
  await until('all five', () => tab.captured().length === 5)

  const closed = tab.capture.close()
  expect((await slow.answers(2)).map(({ status }) => status)).toEqual([202, 200])
  await dropped.closed()
  expect(await dropped.answers(0)).toEqual([])
  const [first] = questions
  tab.answerPass({
    key: first?.key ?? 0,
    response: { status: 207, rawHeaders: [], body: new Uint8Array() },
    reason: null,
  })
  // Their order is not specified.
  const answers = await Promise.all([passed.answer(), silent.answer()])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([207, 504])
  for (const client of [slow, passed, silent]) await client.closed()
  await closed
  // The journal is complete when the thread has ended.
  expect(
    tab
      .captured()
      .flatMap(({ late }) => (late ? [late.status] : []))
      .toSorted((a, b) => (a ?? 0) - (b ?? 0)),
  ).toEqual([null, 202, 207, 504])
})

test('when it moves to another port, delayed responses are sent on the old one', async () => {
  await using tab = await openCapture()
  await tab.setRules([responseRule({ delayMs: minutes, response: withStatus(202) })])
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  await until('the delivery', () => tab.captured().length === 1)
  await tab.capture.api.call('listen', 0)
  expect((await client.answer()).status).toBe(202)
  await client.closed()
})

test('when the sender thread has ended, pending pass-through deliveries get 502, and so do new ones', async () => {
  await using tab = await openCapture()
  await tab.setRules([], [passThrough()])
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  await until('the question', () => tab.questions.length === 1)
  tab.closeSender()
  expect((await client.answer()).status).toBe(502)
  await client.send(post(tab.path, goodBody))
  expect((await client.answers(2)).map(({ status }) => status)).toEqual([502, 502])
})

test('connections with a delayed response do not count: the service can still connect', async () => {
  await using tab = await openCapture({ connections: 4 })
  await tab.setRules([responseRule({ type: 'SLOW', delayMs: minutes, response: withStatus(202) })])
  const slow: RawClient[] = []
  for (let count = 1; count <= 12; count += 1) {
    const one = await rawClient(tab.port)
    slow.push(one)
    await one.send(post(tab.path, '{"type":"SLOW"}'))
    await until('the next one', () => tab.captured().length === count)
  }
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  expect((await client.answer()).status).toBe(200)
  expect(slow.some(({ isClosed }) => isClosed)).toBe(false)
  for (const each of slow) await each[Symbol.asyncDispose]()
})
