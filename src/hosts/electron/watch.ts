import { arrivedAtMost } from '#contract/constants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { DesktopHost } from './desktop-host.ts'
import type { EngineMirror } from './engine-mirror.ts'

/** Whether the user is looking at Tabscope, and the failures since they last did. */
export type Watch = ReturnType<typeof startWatch>

export function startWatch({ view, window }: DesktopHost, mirror: EngineMirror) {
  const failures = createUnseenFailures()
  const countListeners: (() => void)[] = []
  const failedListeners: ((news: NewFailures) => void)[] = []
  const lookListeners: (() => void)[] = []
  let hasBegun = false
  // Not every window manager removes the focus from a hidden window.
  const isLooking = (): boolean => {
    const shown = window.current
    return shown?.isFocused() === true && shown.isVisible() && !shown.isMinimized()
  }

  function notifyCount(): void {
    for (const listener of countListeners) listener()
  }

  mirror.onChange(({ listener }, fresh) => {
    // A restarted engine reports deliveries that the previous one has received but not reported.
    if (!fresh || hasBegun) return
    hasBegun = true
    failures.ignoreBefore(listener.state === 'listening' ? listener.since : Date.now())
  })
  view.on('deliveries.arrived', ({ rows }) => {
    const news = failures.add(rows, isLooking())
    if (news.failed.length === 0) return
    notifyCount()
    for (const listener of failedListeners) listener(news)
  })
  window.onOpened((opened) => {
    opened.on('focus', () => {
      if (failures.unseen.count > 0) {
        failures.clear()
        notifyCount()
      }
      for (const listener of lookListeners) listener()
    })
  })

  return {
    get unseen() {
      return failures.unseen
    },
    /** The interface window is visible and focused. */
    isLooking,
    onCount: (listener: () => void) => void countListeners.push(listener),
    /** While the user was not looking. */
    onFailed: (listener: (news: NewFailures) => void) => void failedListeners.push(listener),
    onLook: (listener: () => void) => void lookListeners.push(listener),
  }
}

export type Failure = Omit<ReceivedDelivery, 'verdict'> & {
  readonly verdict: 'invalid' | 'missing'
}

type ReceivedDelivery = Pick<DeliverySummary, 'id' | 'receivedAt' | 'endpointId' | 'verdict'>

export interface Unseen {
  readonly count: number
  /** False: at a high rate not every delivery is reported. */
  readonly isAll: boolean
}

export interface NewFailures {
  readonly failed: readonly Failure[]
  readonly isAll: boolean
}

export function createUnseenFailures() {
  let unseen: Unseen = { count: 0, isAll: true }
  let startedAt = 0
  let newestId = 0

  return {
    get unseen() {
      return unseen
    },
    /** Returns those that failed unseen. */
    add(rows: readonly ReceivedDelivery[], isLooking: boolean): NewFailures {
      const fresh = rows.filter((row) => row.id > newestId)
      const isAll = rows.length < arrivedAtMost || (fresh[0]?.id ?? 0) <= newestId + 1
      newestId = Math.max(newestId, ...rows.map(({ id }) => id))
      const failed = isLooking
        ? []
        : fresh.flatMap(failureOf).filter(({ receivedAt }) => receivedAt >= startedAt)
      if (!isLooking) unseen = { count: unseen.count + failed.length, isAll: unseen.isAll && isAll }
      return { failed, isAll }
    },
    clear(): void {
      unseen = { count: 0, isAll: true }
    },
    /** In milliseconds since the epoch. Earlier deliveries may still be reported. */
    ignoreBefore(at: number): void {
      startedAt = at
    },
  }
}

function failureOf({ id, receivedAt, endpointId, verdict }: ReceivedDelivery): Failure[] {
  return verdict === 'invalid' || verdict === 'missing'
    ? [{ id, receivedAt, endpointId, verdict }]
    : []
}
