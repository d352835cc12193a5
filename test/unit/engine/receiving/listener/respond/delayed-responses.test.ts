import { afterEach, expect, it, vi } from 'vitest'
import { DelayedResponses } from '#engine/receiving/listener/respond/responder.ts'
import { pendingChannel } from '#test/support/pending-connection.ts'

const dropped = { prepared: null, by: 'rule' } as const

afterEach(() => void vi.useRealTimers())

it('sends each response when it is due, in any order added', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const given: number[] = []
  const delays = new DelayedResponses(({ id }) => given.push(id), 100)
  for (const [id, delay] of [
    [1, 60],
    [2, 20],
    [3, 40],
    [4, 20],
  ] as const) {
    delays.add({ id, channel: pendingChannel(), ...dropped }, delay)
  }
  vi.advanceTimersByTime(19)
  expect([given, delays.size]).toEqual([[], 4])
  vi.advanceTimersByTime(1)
  expect([given, delays.size]).toEqual([[2, 4], 2])
  vi.advanceTimersByTime(40)
  expect([given, delays.size]).toEqual([[2, 4, 3, 1], 0])
})

it('sends the response that has waited longest early if too many are waiting', () => {
  const given: number[] = []
  const delays = new DelayedResponses(({ id }) => given.push(id), 2)
  const channels = [300_000, 100_000, 200_000].map((delay, index) => {
    const channel = pendingChannel()
    delays.add({ id: index + 1, channel, ...dropped }, delay)
    return channel
  })
  expect([given, delays.size]).toEqual([[1], 2])
  expect(channels.map(({ connection }) => connection.waiting)).toEqual([0, 1, 1])
  for (const { connection } of channels) connection.closing = true
  delays.expedite()
})

it('sends all responses on closing connections immediately, in order', () => {
  const given: number[] = []
  const delays = new DelayedResponses(({ id }) => given.push(id), 100)
  const channels = [1, 2, 3].map((id) => {
    const channel = pendingChannel()
    channel.connection.closing = id !== 2
    delays.add({ id, channel, ...dropped }, 300_000)
    return channel
  })
  delays.expedite()
  expect([given, delays.size]).toEqual([[1, 3], 1])
  for (const { connection } of channels) connection.closing = true
  delays.expedite()
  expect([given, delays.size]).toEqual([[1, 3, 2], 0])
})
