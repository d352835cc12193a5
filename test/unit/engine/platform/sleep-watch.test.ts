import { expect, it, onTestFinished } from 'vitest'
import { watchSleep } from '#engine/platform/sleep-watch.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

function watched() {
  const fake = fakeClock()
  let skew = 0
  const clock = { ...fake, now: () => fake.now() + skew }
  const slept: [from: number, to: number][] = []
  const watch = watchSleep(clock, (from, to) => slept.push([from, to]))
  onTestFinished(() => watch.end())
  return {
    woke: () => watch.woke(),
    end: () => watch.end(),
    slept,
    pass: (ms: number) => fake.pass(ms),
    jump: (ms: number) => void (skew += ms),
  }
}

it('detects a sleep by the clock, and by the report of the host', async () => {
  const { woke, slept, pass, jump } = watched()
  await pass(10_000)
  jump(3_600_000)
  await pass(2_000)
  expect(slept).toEqual([[10_000, 3_612_000]])
  await pass(60_000)
  jump(60_000)
  woke()
  expect(slept[1]).toEqual([3_672_000, 3_732_000])
})

it('reports one sleep once, whichever source noticed it first', async () => {
  const { woke, slept, pass, jump } = watched()
  jump(60_000)
  woke()
  woke()
  await pass(4_000)
  woke()
  expect(slept).toHaveLength(1)
  await pass(60_000)
  jump(60_000)
  await pass(2_000)
  woke()
  expect(slept).toHaveLength(2)
})

it('reports a second sleep soon after the first', async () => {
  const { woke, slept, jump } = watched()
  jump(60_000)
  woke()
  jump(20_000)
  woke()
  expect(slept).toHaveLength(2)
})

it('trusts the host if the clock shows no sleep, and does not report a clock that was set back', async () => {
  const { woke, slept, pass, jump } = watched()
  await pass(100_000)
  jump(-50_000)
  await pass(20_000)
  expect(slept).toEqual([])
  jump(-50_000)
  woke()
  expect(slept).toEqual([[20_000, 20_000]])
})

it('does not report a busy computer, and stops after end()', async () => {
  const { end, slept, pass, jump } = watched()
  jump(9_000)
  await pass(2_000)
  end()
  jump(60_000)
  await pass(60_000)
  expect(slept).toEqual([])
})
