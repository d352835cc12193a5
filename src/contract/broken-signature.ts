import type { AttemptSummary } from './sending.ts'

/** Whether a response is as expected: it has a 2xx status, or 4xx where the signature was broken on purpose. */
export function isExpected(attempt: Pick<AttemptSummary, 'signing' | 'status' | 'error'>): boolean {
  const { signing, status, error } = attempt
  if (signing === 'broken') return brokenResult(attempt) === 'refused'
  return error === null && status !== null && status >= 200 && status < 300
}

/**
 * What a target did with a signature that was broken on purpose: `refused` (4xx) is the expected result. Null: the signature was not broken,
 * or the response says neither.
 */
export function brokenResult({
  signing,
  status,
  error,
}: Pick<AttemptSummary, 'signing' | 'status' | 'error'>): 'refused' | 'accepted' | null {
  if (signing !== 'broken' || status === null || error !== null) return null
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 400 && status < 500 ? 'refused' : null
}
