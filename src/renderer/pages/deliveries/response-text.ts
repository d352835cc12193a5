import type { DeliverySummary } from '#contract/models.ts'
import { formatDuration } from '#shared/text/format.ts'

type Answered = Pick<DeliverySummary, 'status' | 'responseMs' | 'respondedBy'>

/** The response for a table column: the status, "dropped" by a rule, or "none". */
export function statusLabel({ status, respondedBy }: Answered): string {
  if (status !== null) return String(status)
  return respondedBy === 'rule' ? 'dropped' : 'none'
}

/** The response in words: its status, how long it took, and whether a rule or the target produced it. */
export function describeResponse({ status, responseMs, respondedBy }: Answered): string {
  const by = respondedBy === null ? '' : byWords[respondedBy]
  if (status === null) {
    return respondedBy === 'rule' ? 'connection dropped by a response rule' : `no response${by}`
  }
  const took = responseMs === null ? '' : ` in ${formatDuration(responseMs)}`
  return `responded with ${status}${by}${took}`
}

const byWords = {
  rule: ' by a response rule',
  target: ' by the forward target',
  hold: ' by you, while it was held',
} as const satisfies Record<NonNullable<DeliverySummary['respondedBy']>, string>

export function describeSender(own: NonNullable<DeliverySummary['sentBy']>): string {
  return own === 'forward' ? 'forwarded by Tabscope: not forwarded again' : 'sent by Tabscope'
}
