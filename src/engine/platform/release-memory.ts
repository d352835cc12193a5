import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './clock.ts'
import type { Db } from './sqlite.ts'

/** Number of deliveries after which memory is released. */
const deliveriesBefore = 10_000
/** How long nothing must be stored or indexed before, in milliseconds: it takes up to a tenth of a second. */
const quietMs = 5000

export interface MemoryRelease {
  /** Call when deliveries were stored or indexed, with the ID of the newest that is stored. */
  readonly arrived: (newestId: number) => void
  readonly stop: () => void
}

export interface MemoryReleaseActions {
  /** Limits the memory while deliveries arrive. Returns false if it must be called again, since not everything has to be limited yet. */
  readonly limit: () => boolean
  readonly endLimit: () => void
  /** Returns the memory that a flood has left behind. */
  readonly release: () => void
}

/**
 * Limits memory during a flood and releases it once it is over. V8 enlarges the heaps of threads that handle rows, and SQLite fills its caches, and
 * both would keep that: without allocations V8 collects nothing. The limit ends in any case, however few deliveries there were.
 */
export function createMemoryRelease(
  clock: Clock,
  { limit, endLimit, release }: MemoryReleaseActions,
): MemoryRelease {
  let releasedAt: number | null = null
  let newest = 0
  let isFullyLimited = false
  /** Null: nothing is limited. */
  let cancel: (() => void) | null = null
  const end = (): void => {
    cancel = null
    isFullyLimited = false
    endLimit()
  }
  return {
    arrived: (newestId) => {
      const before = (releasedAt ??= newestId)
      newest = newestId
      isFullyLimited ||= limit()
      cancel?.()
      const isFlood = newest - before >= deliveriesBefore
      cancel = clock.after(quietMs, () => {
        end()
        if (!isFlood) return
        releasedAt = newest
        release()
      })
    },
    stop: () => {
      if (!cancel) return
      cancel()
      end()
    },
  }
}

/**
 * Releases the cache of a connection of this thread, and the garbage of the thread. The next queries read from the file again, which the system has
 * in its own cache.
 */
export function releaseMemoryOf(db: Db): void {
  db.pragma('shrink_memory')
  collectGarbage()
}

/**
 * Collects all garbage of this thread, and returns free pages to the system, which V8 does only in this kind of collection. Flags can be set at run
 * time because Node (`src/node.cc`) and Electron (`shell/browser/javascript_environment.cc`, also for utility processes) start V8 with
 * `--no-freeze-flags-after-init`.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc === 'function')
    Reflect.apply(gc, undefined, [{ type: 'major', flavor: 'last-resort' }])
}
