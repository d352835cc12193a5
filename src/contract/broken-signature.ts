import type { AttemptSummary } from './sending.ts'

/** 2xx, or 4xx if the signature was intentionally broken. */
export function isExpected(attempt: Pick<AttemptSummary, 'signing' | 'status' | 'error'>): boolean {
  const { signing, status, error } = attempt
  if (signing === 'broken') return brokenResult(attempt) === 'refused'
  return error === null && status !== null && status >= 200 && status < 300
}

/** `refused` (4xx) is the expected result for an intentionally broken signature. Null: it was not broken, or the response is inconclusive. */
export function brokenResult({
  signing,
  status,
  error,
}: Pick<AttemptSummary, 'signing' | 'status' | 'error'>): 'refused' | 'accepted' | null {
  if (signing !== 'broken' || status === null || error !== null) return null
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 400 && status < 500 ? 'refused' : null
}
