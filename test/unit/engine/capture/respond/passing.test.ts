import { ServerResponse, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { ReceivedRequest, ResponseAnswerer } from '#engine/capture/received-request.ts'
import { Passing, type Passed, type PassLimits } from '#engine/capture/respond/passing.ts'
import type { PassRequest } from '#engine/sending/messages.ts'
import { passThrough } from '#test/support/capture-thread.ts'
import { waitingConnection } from '#test/support/waiting-connection.ts'
import { until } from '#test/support/until.ts'

const roomy: PassLimits = { questions: 10, bytes: 1000, graceMs: 60_000, closingMs: 60_000 }

function setUp(limits: Partial<PassLimits> = {}) {
  const questions: PassRequest[] = []
  const done: Passed[] = []
  const passing = new Passing(
    { post: (question) => questions.push(question) },
    (passed) => done.push(passed),
    { ...roomy, ...limits },
  )
  return { passing, questions, done }
}

function answererOf(): ResponseAnswerer {
  const socket = new Socket()
  return {
    kind: 'response',
    response: new ServerResponse(new IncomingMessage(socket)),
    before: null,
    connection: waitingConnection(socket),
  }
}

function arrivedWith(bytes: number, answerer: ResponseAnswerer): ReceivedRequest {
  return {
    receivedUs: 1,
    method: 'POST',
    path: '/',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: [],
    rawTrailers: [],
    body: Buffer.alloc(bytes),
    bytes,
    arrival: 'complete',
    reason: null,
    endpoint: null,
    own: null,
    via: null,
    status: 200,
    answerer,
  }
}

/** Asks for the answer to a body of so many bytes. */
function ask(passing: Passing, id: number, bytes = 1, timeout = 60_000): ResponseAnswerer {
  const answerer = answererOf()
  passing.ask(passThrough({ timeout }), arrivedWith(bytes, answerer), answerer, id)
  return answerer
}

const outcome = ({ id, ready }: Passed): [number, number] => [id, ready.status]

it('is refused with 503 while too many wait, and not once there is room', () => {
  const { passing, questions, done } = setUp({ questions: 2 })
  for (const id of [1, 2, 3]) ask(passing, id)
  expect(questions.map(({ deliveryId }) => deliveryId)).toEqual([1, 2])
  expect(done.map(outcome)).toEqual([[3, 503]])
  expect(done[0]?.reason).toContain('Too many deliveries are waiting')
  passing.take({ key: questions[0]?.key ?? 0, answer: null, reason: 'no' })
  ask(passing, 4)
  expect(done.map(outcome)).toEqual([
    [3, 503],
    [1, 502],
  ])
  expect(passing.size).toBe(2)
})

it('is refused with 503 while too many bytes wait; one alone may be as large as it came', () => {
  const { passing, done } = setUp({ bytes: 100 })
  ask(passing, 1, 1000)
  ask(passing, 2, 0)
  ask(passing, 3, 1)
  expect(done.map(outcome)).toEqual([
    [2, 503],
    [3, 503],
  ])
})

it('reports a waiting connection only while it waits', () => {
  const { passing, questions } = setUp()
  const { connection } = ask(passing, 1)
  expect(connection.waiting).toBe(1)
  passing.take({ key: questions[0]?.key ?? 0, answer: null, reason: null })
  expect(connection.waiting).toBe(0)
})

it('gets 504 after the timeout of its target plus a margin, and nothing later', async () => {
  const { passing, questions, done } = setUp({ graceMs: 20 })
  ask(passing, 1, 1, 10)
  ask(passing, 2)
  await until('the end of the first', () => done.length > 0)
  expect(done.map(outcome)).toEqual([[1, 504]])
  expect(done[0]?.reason).toBe('The forward target did not respond within 30 ms.')
  passing.take({ key: questions[0]?.key ?? 0, answer: null, reason: 'late' })
  expect(done).toHaveLength(1)
  passing.gone()
  expect(done.map(outcome)).toEqual([
    [1, 504],
    [2, 502],
  ])
})

it('waits only a little longer on a connection that is to be closed', async () => {
  const { passing, done } = setUp({ closingMs: 10 })
  const closing = ask(passing, 1)
  ask(passing, 2)
  closing.connection.closing = true
  passing.hasten()
  await until('the end of the first', () => done.length > 0)
  expect(done.map(outcome)).toEqual([[1, 504]])
  passing.gone()
})

it('copies the body: what is behind it in memory does not go over', () => {
  const { passing, questions } = setUp()
  const answerer = answererOf()
  const body = Buffer.from('before-body-behind').subarray(7, 11)
  passing.ask(passThrough(), { ...arrivedWith(0, answerer), body }, answerer, 1)
  const asked = questions[0]?.body
  expect([Buffer.from(asked ?? []).toString(), asked?.buffer.byteLength]).toEqual(['body', 4])
  passing.gone()
})
