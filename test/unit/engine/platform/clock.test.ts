import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTimeUs, steadyClock } from '#engine/platform/clock.ts'
import { sendStatus } from '#engine/receiving/listener/send-response.ts'
import { openListener } from '#test/support/open-listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('the time of a request', () => {
  it.each([
    ['after eight hours of sleep', 8 * 3_600_000],
    ['after the clock was set back by an hour', -3_600_000],
  ])('is that of the system %s', (_, jump) => {
    let system = 1_000_000_000
    let steady = 500
    const time = createTimeUs(
      () => Math.floor(system),
      () => steady,
    )
    const pass = (ms: number): number => {
      system += ms
      steady += ms
      return time()
    }
    expect([pass(1.5), pass(0.25), pass(0.25)]).toEqual([
      1_000_000_001_500, 1_000_000_001_750, 1_000_000_002_000,
    ])
    system += jump
    const first = pass(1)
    expect(Math.abs(first / 1000 - system)).toBeLessThanOrEqual(1)
    expect(pass(0.25)).toBe(first + 250)
  })

  it('does not go back when the clock is corrected by less than a second', () => {
    let system = 1_000_000_000
    const time = createTimeUs(
      () => system,
      () => 500,
    )
    const first = time()
    system -= 900
    expect(time()).toBe(first)
  })
})

it('gives requests to a listener the time of the system, after it jumped both ways', async () => {
  const hour = 3_600_000
  const times: number[] = []
  await using listener = await openListener(({ channel, receivedUs }) => {
    times.push(receivedUs / 1000 - Date.now())
    sendStatus(channel, 404)
  })
  await using client = await rawClient(listener.port)
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const [count, jump] of [0, 8 * hour, -hour].entries()) {
    vi.setSystemTime(Date.now() + jump)
    await client.send(post('/', goodBody))
    await client.answers(count + 1)
  }
  expect(times.map((off) => Math.round(off / hour))).toEqual([0, 0, 0])
})

it('orders events of a thread that started after the clock was set back', () => {
  const before = steadyClock.now()
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(performance.timeOrigin - 3_600_000)
  const after = steadyClock.now()
  expect(after).toBeGreaterThanOrEqual(before)
  expect(after - before).toBeLessThan(60_000)
})
