import { causeTitle } from '#catalogue/cause-titles.ts'
import type { Alert } from '#contract/health.ts'
import { describeAlert } from '#contract/health-alerts.ts'
import type { Failure } from '../watch.ts'
import { safeText } from '../safe-text.ts'

export interface NotificationText {
  readonly title: string
  readonly body: string
  /** Of the page that a click opens, a URL fragment. */
  readonly hash: string
}

export interface FailureBatch {
  readonly items: readonly Failure[]
  /** False if there may be more. */
  readonly isAll: boolean
  readonly since: number
}

/** Contains nothing from a delivery, since it may be shown on a locked screen. Null if there are no failures. */
export function failuresNote(
  { items, isAll, since }: FailureBatch,
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

export const tunnelLostNote: NotificationText = {
  title: 'Tunnel lost',
  body: 'Tabscope cannot receive deliveries through the public address.',
  hash: '#/setup/reach',
}

export function tunnelBackNote(url: string | null): NotificationText {
  const host = url === null ? null : URL.parse(url)?.host
  return {
    title: 'Tunnel reconnected',
    body:
      host === null || host === undefined
        ? 'Tabscope receives deliveries through the tunnel again.'
        : `Tabscope receives deliveries through ${safeText(host)} again.`,
    hash: '#/setup/reach',
  }
}

/** The name of a location is all that it contains from deliveries. */
export function alertNote(
  alert: Alert,
  endpointName: (endpointId: number) => string | undefined,
  formatTime: (ms: number) => string,
): NotificationText {
  const { endpointId, location, kind } = alert
  const body = describeAlert(
    { ...alert, location: location && safeText(location) },
    {
      endpoint: safeText(endpointName(endpointId) ?? `endpoint ${endpointId}`),
      time: formatTime,
      cause: causeTitle,
    },
  )
  return { title: alertTitles[kind], body, hash: '#/health' }
}

const alertTitles = {
  silence: 'No deliveries',
  signatures: 'Signatures fail',
  handler: 'Your handler fails',
  delay: 'Deliveries arrive late',
  cause: 'Signatures fail for a new reason',
} as const satisfies Record<Alert['kind'], string>

/** It contains nothing of the request, since it may be shown on a locked screen. */
export const requestNote: NotificationText = {
  title: 'A coding assistant asks to send',
  body: 'Open Tabscope to allow or decline it. Without a decision, it is declined.',
  hash: '#/setup/assistants',
}

export const backgroundNotification: NotificationText = {
  title: 'Tabscope keeps capturing in the background',
  body: 'The window is closed, but deliveries are still received. To show the window, click the tray icon or start Tabscope again. To stop capturing, choose Quit.',
  hash: '',
}
