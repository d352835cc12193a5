import { formatDuration as span } from '#shared/text/format.ts'
import type { DeliverySummary } from '#contract/models.ts'

type Answered = Pick<DeliverySummary, 'status' | 'answeredIn' | 'answeredBy'>

/** What was answered, as short as a column: the status, "dropped" by a rule, or "none". */
export function statusWordOf({ status, answeredBy }: Answered): string {
  if (status !== null) return String(status)
  return answeredBy === 'rule' ? 'dropped' : 'none'
}

/** What was answered, when, and by what where it was not the usual. */
export function answerOf({ status, answeredIn, answeredBy }: Answered): string {
  const by = answeredBy === null ? '' : byWords[answeredBy]
  if (status === null) {
    return answeredBy === 'rule' ? 'connection dropped by a response rule' : `not answered${by}`
  }
  const took = answeredIn === null ? '' : ` in ${span(answeredIn)}`
  return `answered ${status}${by}${took}`
}

const byWords = {
  rule: ' by a response rule',
  target: ' by the target it was passed through to',
} as const satisfies Record<NonNullable<DeliverySummary['answeredBy']>, string>

/** Whose it is, where it is Tabscope's own. */
export function ownSentence(own: NonNullable<DeliverySummary['own']>): string {
  return own === 'forward'
    ? 'forwarded by Tabscope itself: not forwarded again'
    : 'sent by Tabscope itself'
}
