import type { DeliverySummary } from '#contract/models.ts'
import { formatDuration } from '#shared/text/format.ts'

type Answered = Pick<DeliverySummary, 'status' | 'answeredIn' | 'answeredBy'>

/** The response for a table column: the status, "dropped" by a rule, or "none". */
export function statusLabel({ status, answeredBy }: Answered): string {
  if (status !== null) return String(status)
  return answeredBy === 'rule' ? 'dropped' : 'none'
}

/** The response in words: its status, how long it took, and whether a rule or the target produced it. */
export function describeResponse({ status, answeredIn, answeredBy }: Answered): string {
  const by = answeredBy === null ? '' : byWords[answeredBy]
  if (status === null) {
    return answeredBy === 'rule' ? 'connection dropped by a response rule' : `no response${by}`
  }
  const took = answeredIn === null ? '' : ` in ${formatDuration(answeredIn)}`
  return `responded with ${status}${by}${took}`
}

const byWords = {
  rule: ' by a response rule',
  target: ' by the forward target',
} as const satisfies Record<NonNullable<DeliverySummary['answeredBy']>, string>

export function describeSender(own: NonNullable<DeliverySummary['own']>): string {
  return own === 'forward' ? 'forwarded by Tabscope: not forwarded again' : 'sent by Tabscope'
}
