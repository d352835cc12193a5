import type { Clock } from '#sandbox/clock.ts'

export interface FakeClock extends Clock {
  /** Advances the clock by this number of milliseconds, and runs the due timers with all resulting promises. */
  pass(ms: number): Promise<void>
  waiting(): number
}

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))

export function fakeClock(start = Date.parse('2026-03-14T21:00:00.000Z')): FakeClock {
  let time = 0
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => time,
    date: () => new Date(start + time),
    after(ms, callback) {
      const timer = { at: time + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    waiting: () => timers.size,
    async pass(ms) {
      const until = time + ms
      await settle()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        time = Math.max(time, next.at)
        next.callback()
        await settle()
      }
      time = until
    },
  }
}
