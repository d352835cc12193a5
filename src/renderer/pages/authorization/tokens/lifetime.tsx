import { formatElapsed } from '#shared/text/format.ts'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { ago, clockMinutes, fullTime } from '#kit/text/time.ts'

export type Times = Pick<
  TokenView,
  'initiated' | 'expires' | 'expiresIn' | 'obtainedAt' | 'dueBeforeSeconds'
>

/** When a token was issued, is due and expires, in milliseconds since the epoch. Null if the service returned no expiry, or an expiry before the issue time. */
export function lifetimeOf(token: Times) {
  if (token.expires === null) return null
  const end = token.expires * 1000
  const issued =
    token.initiated ?? (token.expiresIn === null ? null : token.expires - token.expiresIn)
  const start = issued === null ? token.obtainedAt : issued * 1000
  if (end <= start) return null
  return { start, dueAt: Math.max(start, end - token.dueBeforeSeconds * 1000), end }
}

/** For a chip: `17 h left`, `12 min left`, `3 h ago`. Null if there is no expiry. */
export function shortLeft(token: Pick<TokenView, 'expires'>, now: number): string | null {
  if (token.expires === null) return null
  const left = token.expires * 1000 - now
  return `${formatElapsed(Math.abs(left), 1)} ${left > 0 ? 'left' : 'ago'}`
}

/** The state of a token at `now`, in milliseconds since the epoch. */
export function stateAt(token: TokenView, now: number): TokenState {
  return tokenStateAt(token, now / 1000)
}

/** When the state of a token next changes without any event, in milliseconds since the epoch; null if it does not. */
function nextChange(token: TokenView, now: number): number | null {
  const { status, expires } = token
  if ((status !== 'good' && status !== 'suspect') || expires === null) return null
  const end = expires * 1000
  if (status === 'suspect') return now < end ? end : null
  const due = end - token.dueBeforeSeconds * 1000
  if (now < due) return due
  return now < end ? end : null
}

/** The earliest such change of several tokens; null if none changes. */
export function nextStateChange(tokens: readonly TokenView[], now: number): number | null {
  const all = tokens.map((token) => nextChange(token, now)).filter((at) => at !== null)
  return all.length === 0 ? null : Math.min(...all)
}

const order: Readonly<Record<TokenState, number>> = {
  active: 0,
  due: 1,
  suspect: 1,
  unavailable: 2,
  invalid: 2,
  expired: 3,
  revoked: 3,
  forgotten: 4,
}

/** Sorts usable tokens first. Equal ones keep their order, newest first. */
export function byUse(tokens: readonly TokenView[], now: number): TokenView[] {
  return tokens.toSorted((a, b) => order[stateAt(a, now)] - order[stateAt(b, now)])
}

export function isUsable(state: TokenState): boolean {
  return state === 'active' || state === 'due' || state === 'suspect'
}

interface Props {
  token: Times
  state: TokenState
  /** Milliseconds since the epoch. */
  now: number
}

/** When a token was issued, is due and expires. */
export function LifetimeText({ token, state, now }: Props) {
  const life = lifetimeOf(token)
  if (!life) {
    return (
      <p className="text-mid">
        {token.expires === null
          ? 'The service returned no expiry time.'
          : 'The service returned an expiry before the issue time.'}{' '}
        Obtained {ago(token.obtainedAt, now)}.
      </p>
    )
  }
  const { start, dueAt, end } = life
  const left = `${formatElapsed(end - now)} ${isUsable(state) ? 'left' : 'of its lifetime left'}`
  // A log does not contain when a token is due.
  const due = dueAt < end && `, due ${now < dueAt ? 'at' : 'since'} ${clockMinutes(dueAt)}`
  return (
    <p className="text-mid" title={`Issued ${fullTime(start)}, expires ${fullTime(end)}`}>
      {now >= end
        ? `Expired ${ago(end, now)}, at ${clockMinutes(end)}.`
        : `${left}${due || ''}. Issued at ${clockMinutes(start)}, expires at ${clockMinutes(end)}.`}
    </p>
  )
}
