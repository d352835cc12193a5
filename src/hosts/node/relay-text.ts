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
  const { behind, behindSince, expiresAt, away, removed, nextTryAt } = relay
  const rows: (readonly [string, string])[] = [
    ['Relay', relay.name],
    ['State', relay.state.replaceAll('_', ' ')],
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
    ...relay.receivers.map(
      ({ name, up, seenAt, version, accepted, refused }) =>
        [
          'Receiver',
          `${name}  ${up ? 'up' : `last heard ${formatElapsed(now - seenAt)} ago`}, version ${version}, ${accepted} accepted, ${refused} refused`,
        ] as const,
    ),
    ...(away ? [['While away', awayText(away)] as const] : []),
    ...(removed ? [['Removed', removedText(removed)] as const] : []),
  ]
  return facts(rows)
}

function behindText(behind: number, since: number | null, now: number): string {
  if (behind === 0) return 'nothing waits'
  const age = since === null ? '' : `, the oldest for ${formatElapsed(now - since)}`
  return `${plural(behind, 'message', 'messages')} to read${age}`
}

function awayText({
  deliveries,
  firstId,
  lastId,
  from,
  to,
}: NonNullable<RelayView['away']>): string {
  return `${plural(deliveries, 'delivery', 'deliveries')} arrived, ${firstId} to ${lastId}, from ${formatTime(from)} to ${formatTime(to)}`
}

function removedText({ messages, from, to }: NonNullable<RelayView['removed']>): string {
  const since = from === null ? '' : ` from ${formatTime(from)}`
  const until = to === null ? '' : ` to ${formatTime(to)}`
  return `at most ${plural(messages, 'message', 'messages')}${since}${until} before they were read here`
}

/** What keeps deliveries from arriving, or took them; null: nothing. */
export function relayProblem({
  name,
  state,
  reason,
  removed,
  receivers,
}: RelayView): string | null {
  if (state === 'offline' || state === 'refused' || state === 'replaced') {
    return `The relay "${name}" is ${state}: ${reason ?? 'no reason is known.'}`
  }
  if (removed) return `The relay "${name}" removed ${removedText(removed)}.`
  const down = receivers.filter(({ up }) => up === false).map((receiver) => receiver.name)
  if (down.length > 0) return `No heartbeat of ${down.join(', ')} reaches the relay "${name}".`
  return null
}
