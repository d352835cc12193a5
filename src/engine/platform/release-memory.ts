import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './clock.ts'
import type { Db } from './sqlite.ts'

const deliveriesBefore = 10_000
/** How long nothing must be stored or indexed before a release, which takes up to a tenth of a second; `rest`: after a few deliveries. */
const quietMs = { flood: 5000, rest: 60_000 } as const

export interface MemoryRelease {
  /** Call when deliveries were stored or indexed. `newestId`: of the newest that is stored. */
  readonly arrived: (newestId: number) => void
  readonly stop: () => void
}

export interface MemoryReleaseActions {
  /** Called while deliveries arrive, until it returns true because everything is limited. */
  readonly limit: () => boolean
  readonly endLimit: () => void
  readonly release: () => void
}

/**
 * Limits memory during a flood and releases it afterwards, and what the start took: V8 enlarges heaps and SQLite fills its caches, and both would keep that,
 * because V8 collects nothing without allocations. The limit ends in any case, however few deliveries there were.
 */
export function createMemoryRelease(
  clock: Clock,
  { limit, endLimit, release }: MemoryReleaseActions,
): MemoryRelease {
  let isStart = true
  let before: number | null = null
  let newest: number | null = null
  let isFullyLimited = false
  let cancel: (() => void) | null = null
  let isStopped = false
  const end = (): void => {
    cancel = null
    isFullyLimited = false
    endLimit()
  }
  const wait = (): void => {
    cancel = clock.after(quietMs.flood, () => {
      end()
      const isFlood = (newest ?? 0) - (before ?? 0) >= deliveriesBefore
      if (isStart || isFlood) return releaseNow()
      cancel = clock.after(quietMs.rest - quietMs.flood, releaseNow)
    })
  }
  const releaseNow = (): void => {
    cancel = null
    isStart = false
    before = newest
    release()
  }
  wait()
  return {
    arrived: (newestId) => {
      if (isStopped) return
      before ??= newestId
      newest = newestId
      isFullyLimited ||= limit()
      cancel?.()
      wait()
    },
    stop: () => {
      isStopped = true
      if (!cancel) return
      cancel()
      end()
    },
  }
}

/** Releases the cache of a connection and the garbage of this thread. The next queries read from the system's file cache. */
export function releaseMemoryOf(db: Db): void {
  db.pragma('shrink_memory')
  collectGarbage()
}

/**
 * V8 returns free pages to the system only in this kind of collection. Flags can be set at run time because Node (`src/node.cc`) and Electron
 * (`shell/browser/javascript_environment.cc`, also for utility processes) start V8 with `--no-freeze-flags-after-init`.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc === 'function')
    Reflect.apply(gc, undefined, [{ type: 'major', flavor: 'last-resort' }])
}
