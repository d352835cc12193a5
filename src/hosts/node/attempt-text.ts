import { isUtf8 } from 'node:buffer'
import {
  brokenResult,
  type Attempt,
  type AttemptSummary,
  type Job,
  type JobItem,
} from '#contract/sending.ts'
import { printable } from '../printable.ts'
import { coloured } from './output.ts'
import { unstopped } from './text.ts'

/** True when it was answered with 2xx. */
export function succeeded({ status }: { readonly status: number | null }): boolean {
  return status !== null && status >= 200 && status < 300
}

/** An attempt as scripts read it. The keys are stable. */
export function attemptEvent(attempt: AttemptSummary): object {
  const { id, at, ...rest } = attempt
  return { event: 'attempt', attemptId: id, at: Math.floor(at), ok: succeeded(attempt), ...rest }
}

/** The same with all that came back. A body that is no text comes in Base64. */
export function wholeAttemptEvent(attempt: Attempt, body: Uint8Array): object {
  const { answer } = attempt
  const text = isUtf8(body) ? Buffer.from(body).toString('utf8') : null
  return {
    ...attemptEvent(attempt),
    answer:
      answer === null
        ? null
        : {
            ...answer,
            body: text,
            ...(text === null ? { bodyBase64: Buffer.from(body).toString('base64') } : {}),
          },
  }
}

const verdictWords = {
  same: 'as before',
  fixed: 'fixed: the one before was not answered with 2xx',
  regressed: 'regressed: the one before was answered with 2xx',
} as const

const brokenWords = {
  refused: 'refused, as expected: the signature was broken on purpose',
  accepted: 'accepted, although the signature was broken on purpose',
} as const

/** An attempt as people read it: one line. */
export function attemptLine(attempt: AttemptSummary): string {
  const { deliveryId, method, url, status, error, took, signing, secretName, verdict } = attempt
  const broken = brokenResult(attempt)
  const expected = broken === null ? succeeded(attempt) : broken === 'refused'
  const style = expected ? 'green' : 'red'
  return [
    coloured('gray', (deliveryId === null ? '–' : String(deliveryId)).padStart(6)),
    coloured(style, status === null ? 'no answer' : String(status)),
    coloured('gray', `${took.toFixed(0)} ms`),
    printable(`${method} ${url}`),
    coloured('gray', signed(signing, secretName)),
    verdict === null ? '' : coloured(verdict === 'same' ? 'gray' : style, verdictWords[verdict]),
    broken === null ? '' : coloured(style, brokenWords[broken]),
    error === null ? '' : coloured('red', printable(error.message)),
  ]
    .filter((part) => part !== '')
    .join('  ')
}

function signed(signing: AttemptSummary['signing'], secretName: string | null): string {
  const by = secretName === null ? '' : ` with ${printable(secretName)}`
  switch (signing) {
    case 'kept':
      return 'signature as captured'
    case 'signed':
      return `signed${by}`
    case 'broken':
      return `signed wrongly on purpose${by}`
    case 'none':
      return 'not signed'
  }
}

/** An item of a job as scripts read it; `attempt` is what was sent of it, where there is one. */
export function itemEvent({ id, url }: Job, item: JobItem, attempt: AttemptSummary | null): object {
  const { deliveryId, position, attemptId, state, status } = item
  const error =
    attempt?.error ?? (item.error === null ? null : { code: state, message: item.error })
  const ok = state === 'ok'
  return {
    event: 'attempt',
    attemptId,
    ok,
    jobId: id,
    position,
    deliveryId,
    state,
    status,
    url,
    error,
  }
}

export function itemLine({ deliveryId, state, status, error }: JobItem): string {
  const words = { ok: 'green', failed: 'red', skipped: 'yellow', uncertain: 'yellow' } as const
  const style = state === 'waiting' || state === 'claimed' ? 'gray' : words[state]
  return [
    coloured('gray', String(deliveryId).padStart(6)),
    coloured(style, status === null ? state : String(status)),
    error === null ? '' : printable(error),
  ]
    .join('  ')
    .trimEnd()
}

/** What came of a job, in words. */
export function jobSummary(job: Job): string {
  const { total, ok, failed, skipped, uncertain, waiting } = job
  const parts = [
    `${ok} of ${total} answered with 2xx`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not sent`] : []),
    ...(uncertain > 0 ? [`${uncertain} may have arrived, and were not sent again`] : []),
    ...(waiting > 0 ? [`${waiting} still wait`] : []),
  ]
  const outcomes = job.outcomes
    .filter(({ status }) => status === null || status < 200 || status > 299)
    .map(({ status, error, count }) => `${count} × ${status ?? unstopped(error ?? 'no answer')}`)
  return printable(`${parts.join(', ')}.${outcomes.length > 0 ? ` ${outcomes.join(', ')}.` : ''}`)
}
