import type { TokenState, TokenView } from '#contract/tokens.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { ago, clockMinutes, fullTime } from '../../../ui/text/time.ts'
import { isUsable, lifetimeOf } from './lifetime.ts'

interface Props {
  readonly token: Pick<
    TokenView,
    'initiated' | 'expires' | 'expiresIn' | 'obtainedAt' | 'dueBeforeSeconds'
  >
  readonly state: TokenState
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The lifetime of a token as a bar with the current time, and as text. */
export function LifetimeBar({ token, state, now }: Props) {
  const life = lifetimeOf(token, now)
  if (!life) {
    return (
      <Text as="p" tone="mid">
        {token.expires === null
          ? 'The service returned no expiry time.'
          : 'The service returned an expiry before the issue time.'}{' '}
        Obtained {ago(token.obtainedAt, now)}.
      </Text>
    )
  }
  // Near either end the labels would overlap.
  const dueFits = life.due > 16 && life.due < 84
  // A log does not contain when a token is due.
  const hasDue = life.dueAt < life.end
  const expired = now >= life.end
  const text = expired
    ? `Expired ${ago(life.end, now)}, at ${clockMinutes(life.end)}.`
    : now < life.dueAt
      ? `${formatElapsed(life.end - now)} left, due at ${clockMinutes(life.dueAt)}.`
      : `${formatElapsed(life.end - now)} left, due since ${clockMinutes(life.dueAt)}.`
  return (
    <Stack gap={2} className="life" data-state={state}>
      <Text as="p" tone="mid">
        {isUsable(state) || expired ? text : text.replace(' left', ' of its lifetime left')}
      </Text>
      <div
        className="life-bar"
        role="img"
        aria-label={`Issued ${fullTime(life.start)}; due ${fullTime(life.dueAt)}; expires ${fullTime(life.end)}; ${Math.round(life.now)}% of its lifetime elapsed`}
      >
        <span className="life-lived" style={{ width: `${life.now}%` }} />
        <span className="life-due" style={{ left: `${life.due}%` }} />
        <span className="life-now" style={{ left: `${life.now}%` }} />
      </div>
      <Row justify="between" tone="dim" size="xs" className="life-scale" aria-hidden>
        <span title={fullTime(life.start)}>issued {clockMinutes(life.start)}</span>
        {dueFits && (
          <Text
            tone="warning"
            className="life-scale-due"
            style={{ left: `${life.due}%` }}
            title={fullTime(life.dueAt)}
          >
            due {clockMinutes(life.dueAt)}
          </Text>
        )}
        <span title={fullTime(life.end)}>
          {hasDue && !dueFits && (
            <Text tone="warning" className="life-scale-beside" title={fullTime(life.dueAt)}>
              due {clockMinutes(life.dueAt)}
            </Text>
          )}
          ends {clockMinutes(life.end)}
        </span>
      </Row>
    </Stack>
  )
}
