import type { JobPace } from '#contract/sending.ts'

/** The concurrency of timed paces, so that a slow target does not delay the schedule. */
const timedConcurrency = 64
/** Delays up to this are caught up: a late timer has no effect, and a longer stall does not cause a burst. */
const catchUpMs = 100

export interface Pacing {
  readonly concurrency: number
  /** Each request waits for its time, not only for a free slot. */
  readonly timed: boolean
  readonly byArrival: boolean
  /** Milliseconds between the starts of two requests. The arguments are the times of receipt in microseconds. */
  gap(beforeUs: number | null, nextUs: number | null): number
}

const noGap = (): number => 0

export function pacingOf(pace: JobPace): Pacing {
  switch (pace.how) {
    case 'one_by_one':
      return { concurrency: 1, timed: false, byArrival: false, gap: noGap }
    case 'concurrent':
      return { concurrency: pace.concurrency, timed: false, byArrival: false, gap: noGap }
    case 'rate': {
      const gap = 1000 / pace.perSecond
      return { concurrency: timedConcurrency, timed: true, byArrival: false, gap: () => gap }
    }
    case 'spacing':
      return {
        concurrency: timedConcurrency,
        timed: true,
        byArrival: true,
        gap: (beforeUs, nextUs) => {
          if (beforeUs === null || nextUs === null) return 0
          const received = Math.max(0, nextUs - beforeUs) / 1000
          return Math.min(received / pace.speed, pace.longestGap)
        },
      }
  }
}

/** When each request is due, from one start of a job to its next pause. */
export class Schedule {
  readonly #pacing: Pacing
  #dueMs: number | null = null
  #receivedUs: number | null = null

  constructor(pacing: Pacing) {
    this.#pacing = pacing
  }

  /** In milliseconds of the clock. The first request is due at `now`. */
  due(nextUs: number | null, now: number): number {
    if (this.#dueMs === null) return now
    const due = this.#dueMs + this.#pacing.gap(this.#receivedUs, nextUs)
    return Math.max(due, now - catchUpMs)
  }

  /** Later requests are timed from when this one was due, not from when it started. */
  started(receivedUs: number | null, now: number): void {
    this.#dueMs = this.due(receivedUs, now)
    this.#receivedUs = receivedUs ?? this.#receivedUs
  }

  dueBy(until: number, next: readonly (number | null)[], now: number): number {
    let before = this.#receivedUs
    let due = this.#dueMs
    let count = 0
    for (const receivedUs of next) {
      due = due === null ? now : due + this.#pacing.gap(before, receivedUs)
      before = receivedUs ?? before
      if (due > until && count > 0) break
      count += 1
    }
    return count
  }
}
