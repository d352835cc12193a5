import { arrivedAtMost } from '#contract/arrived.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { DesktopHost } from './desktop-host.ts'
import type { EngineMirror } from './engine-mirror.ts'

/** Whether somebody looks at Tabscope, and what went wrong while nobody did. */
export interface Watch {
  /** Failed verdicts since somebody last looked. */
  readonly unseen: Unseen
  /** Whether the interface's window is there to be seen, and has the focus now. */
  isLooking(): boolean
  onCount(listener: () => void): void
  /** With those that failed unseen, as they arrive. */
  onFailed(listener: (news: NewFailures) => void): void
  onLook(listener: () => void): void
}

export function startWatch({ view, window }: DesktopHost, picture: EngineMirror): Watch {
  const failures = createUnseenFailures()
  const onCounts: (() => void)[] = []
  const onFaileds: ((news: NewFailures) => void)[] = []
  const onLooks: (() => void)[] = []
  let hasBegun = false
  // Not every window manager takes the focus from a window that it hides.
  const isLooking = (): boolean => {
    const shown = window.current
    return shown?.isFocused() === true && shown.isVisible() && !shown.isMinimized()
  }

  function tell(): void {
    for (const listener of onCounts) listener()
  }

  picture.onChange(({ listener }, fresh) => {
    // An engine that is started again takes in what the one before has received, and nobody was told of.
    if (!fresh || hasBegun) return
    hasBegun = true
    failures.begin(listener.state === 'listening' ? listener.since : Date.now())
  })
  view.on('deliveries.arrived', ({ rows }) => {
    const news = failures.take(rows, isLooking())
    if (news.failed.length === 0) return
    tell()
    for (const listener of onFaileds) listener(news)
  })
  window.onOpened((opened) => {
    opened.on('focus', () => {
      if (failures.unseen.count > 0) {
        failures.seen()
        tell()
      }
      for (const listener of onLooks) listener()
    })
  })

  return {
    get unseen() {
      return failures.unseen
    },
    isLooking,
    onCount: (listener) => void onCounts.push(listener),
    onFailed: (listener) => void onFaileds.push(listener),
    onLook: (listener) => void onLooks.push(listener),
  }
}

/** A delivery whose signature did not hold, or was not there. */
export type Failure = Omit<Arrived, 'verdict'> & { readonly verdict: 'invalid' | 'missing' }

type Arrived = Pick<DeliverySummary, 'id' | 'receivedAt' | 'endpointId' | 'verdict'>

/** How many deliveries failed since somebody last looked. */
export interface Unseen {
  readonly count: number
  /** False: there may be more, since under a flood not every delivery is told. */
  readonly isAll: boolean
}

/** What failed of what has just arrived, unseen. */
export interface NewFailures {
  readonly failed: readonly Failure[]
  readonly isAll: boolean
}

/** Deliveries that failed their signature check while nobody looked. */
export interface UnseenFailures {
  readonly unseen: Unseen
  /** Takes what was pushed; answers those of it that failed unseen. */
  take(rows: readonly Arrived[], looking: boolean): NewFailures
  /** Somebody looks: nothing is unseen. */
  seen(): void
  /** The engine was started (milliseconds since the epoch): what it received before is not news, though it is pushed now. */
  begin(startedAt: number): void
}

export function createUnseenFailures(): UnseenFailures {
  let unseen: Unseen = { count: 0, isAll: true }
  let startedAt = 0
  let newestId = 0

  return {
    get unseen() {
      return unseen
    },
    take(rows, looking) {
      const fresh = rows.filter((row) => row.id > newestId)
      const isAll = rows.length < arrivedAtMost || (fresh[0]?.id ?? 0) <= newestId + 1
      newestId = Math.max(newestId, ...rows.map(({ id }) => id))
      const failed = looking
        ? []
        : fresh.flatMap(failureOf).filter(({ receivedAt }) => receivedAt >= startedAt)
      if (!looking) unseen = { count: unseen.count + failed.length, isAll: unseen.isAll && isAll }
      return { failed, isAll }
    },
    seen() {
      unseen = { count: 0, isAll: true }
    },
    begin(at) {
      startedAt = at
    },
  }
}

function failureOf({ id, receivedAt, endpointId, verdict }: Arrived): Failure[] {
  return verdict === 'invalid' || verdict === 'missing'
    ? [{ id, receivedAt, endpointId, verdict }]
    : []
}
