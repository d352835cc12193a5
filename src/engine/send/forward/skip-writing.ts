import type { Clock } from '../../clock.ts'
import type { Skip, SendWrites } from '../../store/send-writes.ts'
import type { ThreadClient } from '../../threads/rpc.ts'
import { throttle } from '../../throttle.ts'

/** What was skipped is written at most every so many milliseconds. */
const everyMs = 1000
/** So many stretches are held while the store cannot be written, the newest. */
const mostHeld = 10_000

export interface SkipWriting {
  /** There is something to be written. */
  wanted(): void
  /** Writes what there is; resolves when it is tried. */
  close(): Promise<void>
}

/** Has written what `take` returns: deliveries that were not forwarded, since the last time. */
export function createSkipWriting(
  writes: ThreadClient<SendWrites>,
  clock: Clock,
  take: () => readonly Skip[],
): SkipWriting {
  let held: readonly Skip[] = []
  let closing = false
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const skips = [...held, ...take()]
    held = []
    if (skips.length === 0) return
    try {
      await writes.call('recordSkips', skips)
    } catch {
      // The store cannot be written, and says so itself: later, then.
      held = skips.slice(-mostHeld)
      if (!closing) soon.wanted()
    }
  }
  const now = (): void => {
    const before = writing
    writing = before.then(write)
  }
  const soon = throttle(clock, everyMs, now)

  return {
    wanted: () => soon.wanted(),
    close: async () => {
      closing = true
      now()
      await writing
    },
  }
}
