import { createFailures, type Failure } from './failures.ts'
import type { DesktopHost } from './desktop-host.ts'
import type { FollowedPicture } from './picture.ts'

/** Whether somebody looks at Tabscope, and what went wrong while nobody did. */
export interface Watch {
  /** Failed verdicts since somebody last looked. */
  readonly count: number
  /** Whether the interface's window has the focus now. */
  isLooking(): boolean
  onCount(listener: () => void): void
  /** With those that failed unseen, as they arrive. */
  onFailed(listener: (failed: readonly Failure[]) => void): void
  onLook(listener: () => void): void
}

export function startWatch({ view, window }: DesktopHost, picture: FollowedPicture): Watch {
  const failures = createFailures()
  const onCounts: (() => void)[] = []
  const onFaileds: ((failed: readonly Failure[]) => void)[] = []
  const onLooks: (() => void)[] = []
  const isLooking = (): boolean => window.current?.isFocused() === true

  function tell(): void {
    for (const listener of onCounts) listener()
  }

  picture.onChange(({ listener }, fresh) => {
    if (fresh) failures.begin(listener.state === 'listening' ? listener.since : Date.now())
  })
  view.on('deliveries.arrived', ({ rows }) => {
    const failed = failures.take(rows, isLooking())
    if (failed.length === 0) return
    tell()
    for (const listener of onFaileds) listener(failed)
  })
  window.onOpened((opened) => {
    opened.on('focus', () => {
      if (failures.count > 0) {
        failures.seen()
        tell()
      }
      for (const listener of onLooks) listener()
    })
  })

  return {
    get count() {
      return failures.count
    },
    isLooking,
    onCount: (listener) => void onCounts.push(listener),
    onFailed: (listener) => void onFaileds.push(listener),
    onLook: (listener) => void onLooks.push(listener),
  }
}
