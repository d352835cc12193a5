import type { Failure } from '../watch.ts'
import { safeText } from '../safe-text.ts'
import type { TunnelNews } from './tunnel-loss.ts'

export interface Note {
  readonly title: string
  readonly body: string
  /** The fragment of the address that a click leads to. */
  readonly place: string
}

/**
 * What a notification says of deliveries that failed: how many, since when and to which endpoint, and nothing that stood in one of them, since
 * it is shown on a locked screen as well. `isAll` false: there may have been more. `nameOf` names an endpoint. Null: there are none.
 */
export function failuresNote(
  { items, since }: Batch<Failure>,
  isAll: boolean,
  nameOf: (endpointId: number) => string | undefined,
  timeOf: (ms: number) => string,
): Note | null {
  const newest = items.at(-1)
  if (newest === undefined) return null
  if (items.length === 1 && isAll) {
    return {
      title: newest.verdict === 'missing' ? 'Missing signature' : 'Invalid signature',
      body: `Delivery ${newest.id}${endpointsOf(items, nameOf)}, at ${timeOf(newest.receivedAt)}.`,
      place: `#/deliveries/${newest.id}`,
    }
  }
  return {
    title: sumOf(items.length, isAll),
    body: `Since ${timeOf(since)}${endpointsOf(items, nameOf)}. The newest is ${newest.id}.`,
    place: `#/deliveries/${newest.id}`,
  }
}

function sumOf(count: number, isAll: boolean): string {
  if (count === 1) return 'At least 1 delivery failed its signature check'
  return `${isAll ? '' : 'At least '}${count} deliveries failed their signature check`
}

/** The endpoint's name where all are of one. */
function endpointsOf(
  items: readonly Failure[],
  nameOf: (endpointId: number) => string | undefined,
): string {
  const ids = new Set(items.map(({ endpointId }) => endpointId))
  const [only] = ids
  const name = ids.size === 1 && only !== undefined && only !== null ? nameOf(only) : undefined
  return name === undefined ? '' : ` to “${safeText(name)}”`
}

export function tunnelNote(news: TunnelNews): Note {
  const place = '#/tunnel'
  switch (news.kind) {
    case 'lost':
      return {
        title: 'Tunnel lost',
        body: 'Tabscope cannot receive deliveries through the public address.',
        place,
      }
    case 'back': {
      const host = news.url === null ? null : URL.parse(news.url)?.host
      return {
        title: 'Tunnel reconnected',
        body:
          host === null || host === undefined
            ? 'Tabscope receives deliveries through the tunnel again.'
            : `Tabscope receives deliveries through ${safeText(host)} again.`,
        place,
      }
    }
  }
}

export const backgroundNotification: Note = {
  title: 'Tabscope keeps capturing in the background',
  body: 'The window is closed, but deliveries are still received. To show the window, click the tray icon or start Tabscope again. To stop capturing, choose Quit.',
  place: '',
}

/** What was held back until it could be told, and all that came with it. */
export interface Batch<T> {
  readonly items: readonly T[]
  /** When the first of them came, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * Tells the first at once, and then one sum of what came meanwhile every `everyMs` at most. Pure: `now` comes as an argument, and who calls
 * asks again at `dueAt`.
 */
export interface Throttle<T> {
  /** Takes what came; answers what is to be told now. */
  take(items: readonly T[], now: number): Batch<T> | null
  /** When there is something to be told, in milliseconds since the epoch; null: nothing waits. */
  readonly dueAt: number | null
  /** Answers what waits, if it is due. */
  due(now: number): Batch<T> | null
  /** What waits needs telling no more. */
  forget(): void
}

export function createThrottle<T>(everyMs: number): Throttle<T> {
  let items: T[] = []
  let since = 0
  let told: number | null = null

  function due(now: number): Batch<T> | null {
    // A clock that was set back must not keep it silent until it has caught up.
    if (items.length === 0 || (told !== null && now >= told && now < told + everyMs)) return null
    const all = { items, since }
    items = []
    told = now
    return all
  }

  return {
    take(more, now) {
      if (more.length === 0) return null
      if (items.length === 0) since = now
      items.push(...more)
      return due(now)
    },
    get dueAt() {
      return items.length === 0 ? null : (told ?? 0) + everyMs
    },
    due,
    forget() {
      items = []
    },
  }
}
