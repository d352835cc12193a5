import type { TokenState, TokenView } from '#contract/tokens.ts'
import { ago, clockMinutes, fullTime } from '../../../components/text/time.ts'
import { isUsable, lifetimeOf, longSpan } from './lifetime.ts'

interface Props {
  readonly token: Pick<
    TokenView,
    'initiated' | 'expires' | 'expiresIn' | 'obtainedAt' | 'dueBefore'
  >
  readonly state: TokenState
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The life of a token as a bar with "now", and the same in words. */
export function LifetimeBar({ token, state, now }: Props) {
  const life = lifetimeOf(token, now)
  if (!life) {
    return (
      <p className="life-words">
        {token.expires === null
          ? 'The service did not say when it ends.'
          : 'The service says that it ended before it began.'}{' '}
        Obtained {ago(token.obtainedAt, now)}.
      </p>
    )
  }
  // Near either end the words would lie over each other.
  const inside = life.due > 16 && life.due < 84
  // In a log nobody knows when it was due.
  const due = life.dueAt < life.end
  const over = now >= life.end
  const words = over
    ? `Ended ${ago(life.end, now)}, at ${clockMinutes(life.end)}.`
    : now < life.dueAt
      ? `${longSpan(life.end - now)} left, due at ${clockMinutes(life.dueAt)}.`
      : `${longSpan(life.end - now)} left, due since ${clockMinutes(life.dueAt)}.`
  return (
    <div className="life" data-state={state}>
      <p className="life-words">
        {isUsable(state) || over ? words : words.replace(' left', ' of its time left')}
      </p>
      <div
        className="life-bar"
        role="img"
        aria-label={`Issued ${fullTime(life.start)}; due ${fullTime(life.dueAt)}; ends ${fullTime(life.end)}; now at ${Math.round(life.now)} % of its life`}
      >
        <span className="life-lived" style={{ width: `${life.now}%` }} />
        <span className="life-due" style={{ left: `${life.due}%` }} />
        <span className="life-now" style={{ left: `${life.now}%` }} />
      </div>
      <div className="life-scale" aria-hidden>
        <span title={fullTime(life.start)}>issued {clockMinutes(life.start)}</span>
        {inside && (
          <span
            className="life-scale-due"
            style={{ left: `${life.due}%` }}
            title={fullTime(life.dueAt)}
          >
            due {clockMinutes(life.dueAt)}
          </span>
        )}
        <span title={fullTime(life.end)}>
          {due && !inside && (
            <span className="life-scale-beside" title={fullTime(life.dueAt)}>
              due {clockMinutes(life.dueAt)}
            </span>
          )}
          ends {clockMinutes(life.end)}
        </span>
      </div>
    </div>
  )
}
