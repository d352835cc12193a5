import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { ResponseAnswerer } from '#engine/capture/received-request.ts'
import { Delays } from '#engine/capture/respond/responder.ts'
import type { CountedRule } from '#engine/capture/respond/rules.ts'
import { responseRule } from '#test/support/capture-thread.ts'
import { waitingConnection } from '#test/support/waiting-connection.ts'
import { until } from '#test/support/until.ts'

const counted: CountedRule = { rule: responseRule(), ready: null, met: 0, applied: 0 }

function answererOf(): ResponseAnswerer {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  return { kind: 'response', response, before: null, connection: waitingConnection(socket) }
}

it('gives each when it is due, however they were added', async () => {
  const given: number[] = []
  const delays = new Delays(({ id }) => given.push(id), 100)
  for (const [id, delay] of [
    [1, 60],
    [2, 20],
    [3, 40],
    [4, 20],
  ] as const) {
    delays.add({ id, answerer: answererOf(), counted }, delay)
  }
  expect([given, delays.size]).toEqual([[], 4])
  await until('all', () => given.length === 4)
  expect([given, delays.size]).toEqual([[2, 4, 3, 1], 0])
})

it('gives the one that is due first early when too many wait', () => {
  const given: number[] = []
  const delays = new Delays(({ id }) => given.push(id), 2)
  const answerers = [300_000, 100_000, 200_000].map((delay, index) => {
    const answerer = answererOf()
    delays.add({ id: index + 1, answerer, counted }, delay)
    return answerer
  })
  expect([given, delays.size]).toEqual([[2], 2])
  expect(answerers.map(({ connection }) => connection.waiting)).toEqual([1, 0, 1])
  for (const { connection } of answerers) connection.closing = true
  delays.hasten()
})

it('are sent immediately for connections that are closing, all of them, in order', async () => {
  const given: number[] = []
  const delays = new Delays(({ id }) => given.push(id), 10_000)
  const count = 1000
  for (let id = 1; id <= count; id += 1) {
    const answerer = answererOf()
    answerer.connection.closing = id !== 7
    delays.add({ id, answerer, counted }, id === 7 ? 50 : 300_000)
  }
  delays.hasten()
  await until('all', () => given.length === count)
  const hastened = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id !== 7)
  expect(given.filter((id) => id !== 7)).toEqual(hastened)
})
