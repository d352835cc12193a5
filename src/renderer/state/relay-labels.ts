import type { RelayView } from '#contract/relay.ts'
import { formatCount, formatElapsed, plural } from '#shared/text/format.ts'
import { dayTime, shortDate } from '../ui/text/time.ts'

export type RelayTone = 'valid' | 'warning' | 'invalid' | 'unsigned' | 'info'

interface StateLabel {
  /** Lower case, for use within a sentence. */
  readonly word: string
  readonly tone: RelayTone
}

export const relayStateLabels = {
  paused: { word: 'paused', tone: 'unsigned' },
  connecting: { word: 'connecting', tone: 'info' },
  catching_up: { word: 'catching up', tone: 'info' },
  live: { word: 'live', tone: 'valid' },
  offline: { word: 'offline', tone: 'invalid' },
  refused: { word: 'refused', tone: 'invalid' },
  replaced: { word: 'replaced', tone: 'warning' },
} as const satisfies Record<RelayView['state'], StateLabel>

/** From this time before the relay deletes unread messages, they are a problem, in milliseconds. */
const expiresSoonMs = 24 * 3_600_000

type Lag = Pick<RelayView, 'state' | 'behind' | 'behindSince' | 'expiresAt'>

const connected: readonly RelayView['state'][] = ['live', 'catching_up', 'replaced']

export function expiresSoon({ behind, expiresAt }: Lag, now: number): boolean {
  return behind !== 0 && expiresAt !== null && expiresAt - now < expiresSoonMs
}

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

interface Problem {
  readonly tone: RelayTone
  /** "Relay offline" */
  readonly word: string
  /** "412 behind"; null: nothing, or unknown. */
  readonly count: string | null
}

/** What the connection bar shows of a relay, the most urgent first; null: it is live, paused or about to be live. */
export function relayProblem(relay: RelayView, now: number): Problem | null {
  const { state, behind } = relay
  const count = behind === null || behind === 0 ? null : `${formatCount(behind)} behind`
  if (state === 'paused' || state === 'connecting') {
    return expiresSoon(relay, now) ? { tone: 'warning', word: 'Relay expires soon', count } : null
  }
  const { word, tone } = relayStateLabels[state]
  if (tone === 'invalid' || tone === 'warning') return { tone, word: `Relay ${word}`, count }
  if (count === null) return null
  return expiresSoon(relay, now)
    ? { tone: 'warning', word: 'Relay expires soon', count }
    : state === 'live'
      ? null
      : { tone, word: 'Relay catching up', count }
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

/** A filter for exactly the deliveries that were received while this desktop was away. */
export function awayFilter(relay: Pick<RelayView, 'name' | 'away'>): string {
  const { away } = relay
  return away === null
    ? relayFilter(relay)
    : `${relayFilter(relay)} number:>=${away.firstId} number:<=${away.lastId}`
}
