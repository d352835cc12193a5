import { expect, it } from 'vitest'
import type { HttpResponseChannel } from '#engine/receiving/listener/received-request.ts'
import {
  PassThrough,
  type PassThroughResult,
  type PassLimits,
} from '#engine/receiving/listener/respond/pass-through.ts'
import type { PassRequest } from '#engine/receiving/listener/messages.ts'
import { passThrough } from '#test/support/capture-thread.ts'
import { pendingChannel } from '#test/support/pending-connection.ts'
import { until } from '#test/support/until.ts'

const largeLimits: PassLimits = { deliveries: 10, graceMs: 60_000, closingMs: 60_000 }

function setUp(limits: Partial<PassLimits> = {}) {
  const questions: PassRequest[] = []
  const done: PassThroughResult[] = []
  const passing = new PassThrough(
    { post: (question) => questions.push(question) },
    (result) => done.push(result),
    { ...largeLimits, ...limits },
  )
  return { passing, questions, done }
}

function forward(passing: PassThrough, id: number, timeoutMs = 60_000): HttpResponseChannel {
  const channel = pendingChannel()
  passing.forward(passThrough({ timeoutMs }), channel, id)
  return channel
}

const outcome = ({ id, prepared }: PassThroughResult): [number, number] => [id, prepared.status]

it('responds with 503 while too many deliveries are waiting, and forwards again when there is room', () => {
  const { passing, questions, done } = setUp({ deliveries: 2 })
  for (const id of [1, 2, 3]) forward(passing, id)
  expect(questions.map(({ deliveryId }) => deliveryId)).toEqual([1, 2])
  expect(done.map(outcome)).toEqual([[3, 503]])
  expect(done[0]?.reason).toContain('Too many deliveries are waiting')
  passing.receive({ key: questions[0]?.key ?? 0, response: null, reason: 'no' })
  forward(passing, 4)
  expect(done.map(outcome)).toEqual([
    [3, 503],
    [1, 502],
  ])
  expect(passing.size).toBe(2)
})

it('counts a connection as waiting only while it waits', () => {
  const { passing, questions } = setUp()
  const { connection } = forward(passing, 1)
  expect(connection.waiting).toBe(1)
  passing.receive({ key: questions[0]?.key ?? 0, response: null, reason: null })
  expect(connection.waiting).toBe(0)
})

it('responds with 504 after the timeout of the target plus a margin, and ignores later responses', async () => {
  const { passing, questions, done } = setUp({ graceMs: 20 })
  forward(passing, 1, 10)
  forward(passing, 2)
  await until('the end of the first', () => done.length > 0)
  expect(done.map(outcome)).toEqual([[1, 504]])
  expect(done[0]?.reason).toBe('The forward target did not respond within 30 ms.')
  passing.receive({ key: questions[0]?.key ?? 0, response: null, reason: 'late' })
  expect(done).toHaveLength(1)
  passing.senderClosed()
  expect(done.map(outcome)).toEqual([
    [1, 504],
    [2, 502],
  ])
})

it('waits only a short time on a closing connection', async () => {
  const { passing, done } = setUp({ closingMs: 10 })
  const closing = forward(passing, 1)
  forward(passing, 2)
  closing.connection.closing = true
  passing.expedite()
  await until('the end of the first', () => done.length > 0)
  expect(done.map(outcome)).toEqual([[1, 504]])
  passing.senderClosed()
})
