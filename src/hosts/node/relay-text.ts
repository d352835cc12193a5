import type { RelayView } from '#contract/relay.ts'
import { AppError } from '#engine/platform/errors.ts'
import { formatElapsed, plural } from '#shared/text/format.ts'
import type { Session } from './session.ts'
import { facts, formatTime } from './text.ts'

/** Case-insensitive. Throws `not_found` with the available names. */
export async function relayNamed(session: Session, name: string): Promise<RelayView> {
  const relays = await session.call('relay.list', {})
  const found = relays.find((relay) => relay.name.toLowerCase() === name.trim().toLowerCase())
  if (found) return found
  const available = relays.map((relay) => relay.name).join(', ') || 'none'
  throw new AppError('not_found', `Relay "${name}" does not exist. Available: ${available}.`)
}

export function relayText(relay: RelayView): string {
  const now = Date.now()
  const { behind, behindSince, expiresAt, lastReceivedAt, nextTryAt } = relay
  const rows: (readonly [string, string])[] = [
    ['Relay', relay.name],
    ['State', relay.state],
    ...(relay.reason === null ? [] : [['Reason', relay.reason] as const]),
    ...(nextTryAt === null ? [] : [['Next try', formatTime(nextTryAt)] as const]),
    ['Server', relay.servers.join(', ')],
    ['User', relay.user],
    ['Endpoints', relay.endpoints.includes('*') ? 'all' : relay.endpoints.join(', ')],
    ['Forwards', relay.forward ? 'yes, but not what waited while Tabscope was away' : 'no'],
    ['Deliveries', String(relay.deliveries)],
    ['Position', String(relay.position)],
    ...(behind === null ? [] : [['Behind', behindText(behind, behindSince, now)] as const]),
    ...(expiresAt === null
      ? []
      : [['Expires', `the oldest of them on ${formatTime(expiresAt)}`] as const]),
    ...(lastReceivedAt === null
      ? []
      : [
          ['Last received', `${formatElapsed(now - lastReceivedAt)} ago, by any receiver`] as const,
        ]),
  ]
  return facts(rows)
}

function behindText(behind: number, since: number | null, now: number): string {
  if (behind === 0) return 'nothing waits'
  const age = since === null ? '' : `, the oldest for ${formatElapsed(now - since)}`
  return `${plural(behind, 'message', 'messages')} to read${age}`
}

/** What keeps deliveries from arriving; null: nothing. */
export function relayProblem({ name, state, reason }: RelayView): string | null {
  return state === 'offline' || state === 'refused' || state === 'replaced'
    ? `The relay "${name}" is ${state}: ${reason ?? 'no reason is known.'}`
    : null
}
