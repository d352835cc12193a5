import type { RelayView } from '#contract/relay.ts'
import { formatElapsed, plural } from '#shared/text/format.ts'
import { facts, formatTime } from './text.ts'

export function relayText(relay: RelayView): string {
  const now = Date.now()
  const { expiresAt, lastReceivedAt, nextTryAt } = relay
  return facts([
    ['Relay', relay.name],
    ['State', relay.state],
    ['Reason', relay.reason],
    ['Next try', nextTryAt && formatTime(nextTryAt)],
    ['Server', relay.servers.join(', ')],
    ['User', relay.user],
    ['Endpoints', relay.endpoints.includes('*') ? 'all' : relay.endpoints.join(', ')],
    ['Forwards', relay.forward ? 'yes, but not what waited while Tabscope was away' : 'no'],
    ['Deliveries', relay.deliveries],
    ['Skipped', relay.skipped === 0 ? null : plural(relay.skipped, 'message', 'messages')],
    ['Position', relay.position],
    ['Behind', behindText(relay, now)],
    ['Expires', expiresAt && `the oldest of them on ${formatTime(expiresAt)}`],
    [
      'Last received',
      lastReceivedAt && `${formatElapsed(now - lastReceivedAt)} ago, by any receiver`,
    ],
  ])
}

function behindText({ state, behind, behindSince }: RelayView, now: number): string {
  if (behind === null) return 'unknown'
  if (behind === 0) {
    return state === 'live' ? 'nothing waits' : 'unknown; nothing waited when it was last connected'
  }
  const age = behindSince === null ? '' : `, the oldest for ${formatElapsed(now - behindSince)}`
  return `${plural(behind, 'message', 'messages')} to read${age}`
}

/** What keeps deliveries from arriving; null: nothing. */
export function relayProblem({ name, state, reason }: RelayView): string | null {
  return state === 'offline' || state === 'refused' || state === 'replaced'
    ? `The relay "${name}" is ${state}: ${reason ?? 'no reason is known.'}`
    : null
}
