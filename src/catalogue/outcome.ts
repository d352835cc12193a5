import type { DeliverySummary } from '#contract/models.ts'

export type Outcome = 'ok' | 'invalid' | 'missing' | 'rejected' | 'refused'

/** What is wrong with a delivery, here first. As in `outcomeSql` of the search. */
export function outcomeOf({
  verdict,
  lastAttempt,
  status,
}: Pick<DeliverySummary, 'verdict' | 'lastAttempt' | 'status'>): Outcome {
  if (verdict === 'invalid' || verdict === 'missing') return verdict
  if (lastAttempt !== null && !isAccepted(lastAttempt.status)) return 'rejected'
  return status === null || status >= 400 ? 'refused' : 'ok'
}

/** Whether a response is 2xx. Null: there was none. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** The signature is not valid, or the handler rejects it. `sent`: the status of its last response. */
export function isFailure(verdict: string, sent: number | null): boolean {
  if (verdict === 'invalid' || verdict === 'missing') return true
  return verdict === 'valid' && sent !== null && sent >= 300
}
