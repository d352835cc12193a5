import type { RelayView } from '#contract/relay.ts'
import { formatCount } from '#shared/text/format.ts'

export type RelayTone = 'valid' | 'warning' | 'invalid' | 'unsigned' | 'info'

interface StateLabel {
  /** Lower case, for use within a sentence. */
  readonly word: string
  readonly tone: RelayTone
}

export const relayStateLabels = {
  paused: { word: 'paused', tone: 'unsigned' },
  connecting: { word: 'connecting', tone: 'info' },
  live: { word: 'live', tone: 'valid' },
  offline: { word: 'offline', tone: 'invalid' },
  refused: { word: 'refused', tone: 'invalid' },
  replaced: { word: 'replaced', tone: 'warning' },
} as const satisfies Record<RelayView['state'], StateLabel>

/** From this time before the relay deletes unread messages, they are a problem, in milliseconds. */
export const expiresSoonMs = 24 * 3_600_000

/** What waits for less long is about to be stored. */
const behindMs = 60_000

export function expiresSoon(
  { behind, expiresAt }: Pick<RelayView, 'behind' | 'expiresAt'>,
  now: number,
): boolean {
  return behind !== 0 && expiresAt !== null && expiresAt - now < expiresSoonMs
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
  const { state, behind, behindSince } = relay
  const count = behind === null || behind === 0 ? null : `${formatCount(behind)} behind`
  if (state === 'paused' || state === 'connecting') {
    return expiresSoon(relay, now) ? { tone: 'warning', word: 'Relay expires soon', count } : null
  }
  const { word, tone } = relayStateLabels[state]
  if (state !== 'live') return { tone, word: `Relay ${word}`, count }
  if (count === null) return null
  if (expiresSoon(relay, now)) return { tone: 'warning', word: 'Relay expires soon', count }
  const isBehind = behindSince !== null && now - behindSince > behindMs
  return isBehind ? { tone: 'info', word: 'Relay catching up', count } : null
}
