import { createFailures, type News, type Unseen } from './failures.ts'
import type { DesktopHost } from './desktop-host.ts'
import type { FollowedEngineMirror } from './engine-mirror.ts'

/** Whether somebody looks at Tabscope, and what went wrong while nobody did. */
export interface Watch {
  /** Failed verdicts since somebody last looked. */
  readonly unseen: Unseen
  /** Whether the interface's window is there to be seen, and has the focus now. */
  isLooking(): boolean
  onCount(listener: () => void): void
  /** With those that failed unseen, as they arrive. */
  onFailed(listener: (news: News) => void): void
  onLook(listener: () => void): void
}

export function startWatch({ view, window }: DesktopHost, picture: FollowedEngineMirror): Watch {
  const failures = createFailures()
  const onCounts: (() => void)[] = []
  const onFaileds: ((news: News) => void)[] = []
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
