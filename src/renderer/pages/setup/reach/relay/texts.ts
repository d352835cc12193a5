import type { RelayView } from '#contract/relay.ts'
import { formatElapsed, plural } from '#shared/text/format.ts'
import { expiresSoonMs } from '#client/state/relay-labels.ts'
import { dayTime, shortDate } from '#kit/text/time.ts'

type Lag = Pick<RelayView, 'state' | 'behind' | 'behindSince' | 'expiresAt'>

const connected: readonly RelayView['state'][] = ['live', 'replaced']

/** "Up to date", "412 messages behind, the oldest from Sat 02:14; deleted on 3 Dec, 02:14 if not read" */
export function lagText({ state, behind, behindSince, expiresAt }: Lag, now: number): string {
  const isConnected = connected.includes(state)
  if (behind === null) return isConnected ? 'Unknown' : 'Unknown until it connects'
  if (behind === 0) return isConnected ? 'Up to date' : 'Up to date when it was last connected'
  const oldest = behindSince === null ? '' : `, the oldest from ${dayTime(behindSince, now)}`
  const deleted = expiresAt === null ? '' : `; ${deletedText(expiresAt, now)}`
  return `${plural(behind, 'message', 'messages')} behind${oldest}${deleted}`
}

function deletedText(expiresAt: number, now: number): string {
  const left = expiresAt - now
  if (left <= 0) return 'the relay deletes the oldest now'
  return left < expiresSoonMs
    ? `deleted in ${formatElapsed(left, 1)} if not read`
    : `deleted on ${shortDate(expiresAt)} if not read`
}

/** Whether a relay brings deliveries of an endpoint. */
export function bringsEndpoint({ endpoints }: Pick<RelayView, 'endpoints'>, slug: string): boolean {
  return endpoints.includes('*') || endpoints.includes(slug)
}

/** A filter for all deliveries of a relay. */
export function relayFilter({ name }: Pick<RelayView, 'name'>): string {
  // Always quoted: without quotation marks, `none` and `*` have a meaning.
  return `relay:"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
