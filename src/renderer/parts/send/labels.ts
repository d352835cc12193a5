import { brokenResult } from '#contract/broken-signature.ts'
import type { AttemptError, AttemptSummary } from '#contract/sending.ts'
import { statusTone, statusWord, type StatusTone } from '#kit/text/status.ts'
import { shortText } from '#kit/text/visible.ts'

/** Short reasons for a missing or incomplete response. The error itself has the full message. */
export const attemptErrorLabels = {
  unresolved: 'name not found',
  refused: 'connection refused',
  proxy: 'proxy failed',
  reset: 'connection reset',
  tls: 'TLS failed',
  timeout: 'timed out',
  aborted: 'cancelled',
  malformed: 'not an HTTP response',
  unreachable: 'unreachable',
  invalid_request: 'cannot be sent',
  unconfirmed: 'not confirmed',
  gone: 'gone',
} as const satisfies Record<AttemptError['code'], string>

export const comparisonLabels = {
  same: 'same as before',
  fixed: 'fixed',
  regressed: 'regressed',
} as const satisfies Record<NonNullable<AttemptSummary['comparison']>, string>

/** How the target handled a deliberately broken signature. */
export const brokenSignatureLabels = {
  refused: 'rejected as expected',
  accepted: 'accepted with a broken signature',
} as const

interface Outcome {
  readonly tone: StatusTone
  /** "200 OK", or the reason for a missing response. */
  readonly word: string
}

/** The result of an attempt. An incomplete response shows both its status and the error. */
export function outcomeOf({ status, error }: Pick<AttemptSummary, 'status' | 'error'>): Outcome {
  if (status === null)
    return { tone: 'invalid', word: error ? attemptErrorLabels[error.code] : 'no response' }
  const word = `${status} ${statusWord(status)}`
  return error
    ? { tone: 'invalid', word: `${word}, then ${attemptErrorLabels[error.code]}` }
    : { tone: statusTone(status), word }
}

/** Short labels for what differs from the captured delivery. */
export function marksOf(row: AttemptSummary): string[] {
  const marks: string[] = []
  // A draft without a delivery has nothing to differ from.
  if (row.scriptFailed) marks.push('script failed')
  if (row.deliveryId !== null && row.edited) marks.push(row.bodyEdited ? 'body edited' : 'edited')
  if (row.signing === 'signed') marks.push('re-signed')
  if (row.signing === 'broken') marks.push('signature broken on purpose')
  if (row.signing === 'none') marks.push('unsigned')
  if (row.tryNumber > 1) marks.push(`try ${row.tryNumber}`)
  return marks
}

/** "current of Main" as words. */
export function describeSecret(secretName: string): string {
  return secretName.replace(/^(current|previous) of /, 'the $1 secret of ')
}

/** Describes the signature header that was sent. */
export function signingSentence({ signing, secretName }: AttemptSummary): string {
  switch (signing) {
    case 'kept':
      return 'The signature is as captured.'
    case 'signed':
      return secretName === null ? 'Re-signed.' : `Re-signed with ${describeSecret(secretName)}.`
    case 'broken':
      return 'The signature is broken on purpose.'
    case 'none':
      return 'No signature.'
  }
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host || url
}

/** The notification after a re-send: the result and its comparison with the previous attempt. */
export function resultSentence(attempt: AttemptSummary): string {
  const { word } = outcomeOf(attempt)
  const to = `to ${shortText(hostOf(attempt.url), 60)}`
  const what = attempt.deliveryId === null ? `Sent ${to}` : `#${attempt.deliveryId} re-sent ${to}`
  const broken = brokenResult(attempt)
  const verdict =
    broken !== null
      ? `, ${brokenSignatureLabels[broken]}`
      : attempt.comparison === null
        ? ''
        : `, ${comparisonLabels[attempt.comparison]}`
  const why = attempt.status === null && attempt.error ? ` ${attempt.error.message}` : ''
  return `${what}: ${word}${verdict}.${why}`
}

/** Whether the attempt succeeded: a 2xx response, or a rejection if its signature was broken on purpose. */
export function hasSucceeded(row: Pick<AttemptSummary, 'status' | 'error' | 'signing'>): boolean {
  const broken = brokenResult(row)
  if (broken !== null) return broken === 'refused'
  const { status, error } = row
  return status !== null && status >= 200 && status < 300 && error === null
}
