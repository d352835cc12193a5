import type { JobPace } from '#contract/sending.ts'

/** So many may be under way where the pace says when, not how many: a target that is slow does not make it late. */
const timedWidth = 64
/** What began late is made up for within so many milliseconds: a timer that was late shows nowhere, and a stall is no burst afterwards. */
const caughtUpMs = 100

/** When the next one may begin. */
export interface Pacing {
  /** So many may be under way at once. */
  readonly width: number
  /** The next one waits for a time, and not only for room. */
  readonly timed: boolean
  /** It needs to know when deliveries were received. */
  readonly byArrival: boolean
  /** Milliseconds from the beginning of one to that of the next, by when they were received (microseconds); null: not known. */
  gap(beforeUs: number | null, nextUs: number | null): number
}

const noGap = (): number => 0

/** What a pace means. */
export function pacingOf(pace: JobPace): Pacing {
  switch (pace.how) {
    case 'one_by_one':
      return { width: 1, timed: false, byArrival: false, gap: noGap }
    case 'at_once':
      return { width: pace.width, timed: false, byArrival: false, gap: noGap }
    case 'rate': {
      const gap = 1000 / pace.perSecond
      return { width: timedWidth, timed: true, byArrival: false, gap: () => gap }
    }
    case 'spacing':
      return {
        width: timedWidth,
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

/** The times at which one after the other is due, for one stretch of running. */
export class Schedule {
  readonly #pacing: Pacing
  #dueMs: number | null = null
  #receivedUs: number | null = null

  constructor(pacing: Pacing) {
    this.#pacing = pacing
  }

  /** Milliseconds of the clock, when the next one is due, `now` being now. The first is at once. */
  due(nextUs: number | null, now: number): number {
    if (this.#dueMs === null) return now
    const due = this.#dueMs + this.#pacing.gap(this.#receivedUs, nextUs)
    return Math.max(due, now - caughtUpMs)
  }

  /** It begins; those behind it are timed from when it was due. */
  began(receivedUs: number | null, now: number): void {
    this.#dueMs = this.due(receivedUs, now)
    this.#receivedUs = receivedUs ?? this.#receivedUs
  }

  /** How many of those that come next are due by `until`; at least one. */
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
