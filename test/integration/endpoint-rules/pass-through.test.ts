import { afterAll, beforeEach, expect, test } from 'vitest'
import type { PassRequest } from '#engine/receiving/listener/messages.ts'
import { openCapture, passThrough, responseRule, withStatus } from '#test/support/capture-thread.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

let before = 0
let asked = 0

const listener = await openCapture()
beforeEach(() => {
  before = listener.captured().at(-1)?.id ?? 0
  asked = listener.questions.length
})
afterAll(() => listener[Symbol.asyncDispose]())

function question(): Promise<PassRequest> {
  return until('the question', () => listener.questions[asked])
}

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
const ofType = (type: string) => post(listener.path, JSON.stringify({ type, data: {} }))

test('a delivery with the response of a target gets only valid HTTP from a hostile target', async () => {
  await listener.setRules([], [passThrough()])
  await using client = await rawClient(listener.port)
  await client.send(post(listener.path, goodBody))
  const { key } = await question()
  const rawHeaders = ['X-A', 'a\u0001b', 'b@d', 'x', 'Transfer-Encoding', 'chunked', 'X-B', 'ok']
  listener.answerPass({
    key,
    response: { status: 200, rawHeaders, body: bytes('') },
    reason: null,
  })
  const { headers } = await client.answer()
  expect([...headers.keys()].sort()).toEqual(['connection', 'content-length', 'date', 'x-b'])
  asked += 1
  await client.send(post(listener.path, goodBody))
  const second = await question()
  listener.answerPass({
    key: second.key,
    response: { status: 101, rawHeaders: [], body: bytes('') },
    reason: null,
  })
  expect((await client.answers(2))[1]?.status).toBe(502)
})

test('a delivery without the response of a target has another type, is handled by a rule, or was forwarded by Tabscope', async () => {
  await listener.setRules(
    [responseRule({ type: 'RULED', when: { kind: 'first', count: 1 }, response: withStatus(500) })],
    [passThrough({ types: ['RULED', 'OWN'] })],
  )
  await using client = await rawClient(listener.port)
  await client.send(ofType('OTHER'))
  await client.send(ofType('RULED'))
  expect((await client.answers(2)).map(({ status }) => status)).toEqual([200, 500])
  await using own = await rawClient(listener.port)
  const { localPort = 0 } = own.socket
  listener.ownPorts.mark(localPort, 'forward')
  await own.send(ofType('OWN'))
  expect((await own.answer()).status).toBe(200)
  // A manually sent delivery is forwarded, and so is one whose rule is not due.
  listener.ownPorts.mark(localPort, 'send')
  await own.send(ofType('OWN'))
  await client.send(ofType('RULED'))
  const questions = await until('two questions', () => {
    const all = listener.questions.slice(asked)
    return all.length >= 2 ? all : null
  })
  expect(questions.map(({ deliveryId }) => deliveryId - before)).toEqual([4, 5])
  for (const { key } of questions) listener.answerPass({ key, response: null, reason: 'done' })
  expect((await own.answers(2))[1]?.status).toBe(502)
  listener.ownPorts.mark(localPort, null)
})
