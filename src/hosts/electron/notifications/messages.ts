import type { Failure } from '../watch.ts'
import { safeText } from '../safe-text.ts'
import type { TunnelNews } from './tunnel-loss.ts'

export interface NotificationText {
  readonly title: string
  readonly body: string
  /** The URL fragment of the page that a click opens. */
  readonly hash: string
}

/**
 * The notification about failed deliveries: how many, since when and to which endpoint. It contains nothing from a delivery, since it may be shown on a locked
 * screen. `isAll` is false if there may be more. `endpointName` returns the name of an endpoint. Null if there are no failures.
 */
export function failuresNote(
  { items, since }: Batch<Failure>,
  isAll: boolean,
  endpointName: (endpointId: number) => string | undefined,
  formatTime: (ms: number) => string,
): NotificationText | null {
  const newest = items.at(-1)
  if (newest === undefined) return null
  if (items.length === 1 && isAll) {
    return {
      title: newest.verdict === 'missing' ? 'Missing signature' : 'Invalid signature',
      body: `Delivery ${newest.id}${toEndpoint(items, endpointName)}, at ${formatTime(newest.receivedAt)}.`,
      hash: `#/deliveries/${newest.id}`,
    }
  }
  return {
    title: countTitle(items.length, isAll),
    body: `Since ${formatTime(since)}${toEndpoint(items, endpointName)}. The newest is ${newest.id}.`,
    hash: `#/deliveries/${newest.id}`,
  }
}

function countTitle(count: number, isAll: boolean): string {
  if (count === 1) return 'At least 1 delivery failed its signature check'
  return `${isAll ? '' : 'At least '}${count} deliveries failed their signature check`
}

/** The endpoint's name, if all failures are of one endpoint. */
function toEndpoint(
  items: readonly Failure[],
  endpointName: (endpointId: number) => string | undefined,
): string {
  const ids = new Set(items.map(({ endpointId }) => endpointId))
  const [only] = ids
  const name =
    ids.size === 1 && only !== undefined && only !== null ? endpointName(only) : undefined
  return name === undefined ? '' : ` to “${safeText(name)}”`
}

export function tunnelNote(news: TunnelNews): NotificationText {
  const hash = '#/tunnel'
  switch (news.kind) {
    case 'lost':
      return {
        title: 'Tunnel lost',
        body: 'Tabscope cannot receive deliveries through the public address.',
        hash,
      }
    case 'back': {
      const host = news.url === null ? null : URL.parse(news.url)?.host
      return {
        title: 'Tunnel reconnected',
        body:
          host === null || host === undefined
            ? 'Tabscope receives deliveries through the tunnel again.'
            : `Tabscope receives deliveries through ${safeText(host)} again.`,
        hash,
      }
    }
  }
}

/** It contains nothing of the request, since it may be shown on a locked screen. */
export const requestNote: NotificationText = {
  title: 'A coding assistant asks to send',
  body: 'Open Tabscope to allow or decline it. Without a decision, it is declined.',
  hash: '#/assistants',
}

export const backgroundNotification: NotificationText = {
  title: 'Tabscope keeps capturing in the background',
  body: 'The window is closed, but deliveries are still received. To show the window, click the tray icon or start Tabscope again. To stop capturing, choose Quit.',
  hash: '',
}

/** Items that were collected for one notification. */
export interface Batch<T> {
  readonly items: readonly T[]
  /** When the first of them was added, in milliseconds since the epoch. */
  readonly since: number
}

/** Passes on the first items immediately, then at most one batch every `everyMs`. Pure: `now` is an argument, and the caller checks again at `dueAt`. */
export interface Throttle<T> {
  /** Adds items. Returns the batch to notify about now, if any. */
  add(items: readonly T[], now: number): Batch<T> | null
  /** When the next batch is due, in milliseconds since the epoch; null if no items are waiting. */
  readonly dueAt: number | null
  /** Returns the waiting items, if they are due. */
  due(now: number): Batch<T> | null
  /** Drops the waiting items. */
  clear(): void
}

export function createThrottle<T>(everyMs: number): Throttle<T> {
  let items: T[] = []
  let since = 0
  let lastSentAt: number | null = null

  function due(now: number): Batch<T> | null {
    // If the clock was set back, items must not wait until it has caught up.
    if (
      items.length === 0 ||
      (lastSentAt !== null && now >= lastSentAt && now < lastSentAt + everyMs)
    )
      return null
    const all = { items, since }
    items = []
    lastSentAt = now
    return all
  }

  return {
    add(more, now) {
      if (more.length === 0) return null
      if (items.length === 0) since = now
      items.push(...more)
      return due(now)
    },
    get dueAt() {
      return items.length === 0 ? null : (lastSentAt ?? 0) + everyMs
    },
    due,
    clear() {
      items = []
    },
  }
}
