import type { Failure } from '../failures.ts'
import { safeText } from '../safe-text.ts'
import type { Batch } from './throttle.ts'
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
      title: newest.verdict === 'missing' ? 'A delivery has no signature' : 'A signature failed',
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
        title: 'The tunnel is lost',
        body: 'Deliveries do not reach Tabscope by the public address just now.',
        place,
      }
    case 'back': {
      const host = news.url === null ? null : URL.parse(news.url)?.host
      return {
        title: 'The tunnel is back',
        body:
          host === null || host === undefined
            ? 'Deliveries come through again.'
            : `Deliveries come through ${safeText(host)} again.`,
        place,
      }
    }
  }
}

export const backgroundNote: Note = {
  title: 'Tabscope goes on capturing',
  body: 'Its window is closed, and deliveries are still received. Its icon in the tray brings the window back, and so does starting Tabscope again. Quit ends it.',
  place: '',
}
