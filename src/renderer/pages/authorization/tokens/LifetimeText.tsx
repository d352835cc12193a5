import type { TokenState } from '#contract/tokens.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { ago, clockMinutes, fullTime } from '#kit/text/time.ts'
import { isUsable, lifetimeOf, type Times } from './lifetime.ts'

interface Props {
  readonly token: Times
  readonly state: TokenState
  /** Milliseconds since the epoch. */
  readonly now: number
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
