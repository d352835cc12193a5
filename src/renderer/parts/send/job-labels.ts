import type { Job, JobPace, SignChoice } from '#contract/sending.ts'
import { statusWord } from '#kit/text/status.ts'
import { formatCount, formatDuration, plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import { jobAddress } from '#client/addresses/pages.ts'
import { setJob } from '#client/state/jobs.ts'

/** The subject of a job: "34 selected deliveries", "1,204 deliveries matching a filter". */
export function subjectOf({ total, filter }: Pick<Job, 'total' | 'filter'>): string {
  if (filter === null) return plural(total, 'selected delivery', 'selected deliveries')
  const all = plural(total, 'delivery', 'deliveries')
  return filter.trim() === '' ? `All ${all}` : `${all} matching a filter`
}

/** How many deliveries are finished, with any result. */
export function finishedCount({
  ok,
  failed,
  skipped,
}: Pick<Job, 'ok' | 'failed' | 'skipped'>): number {
  return ok + failed + skipped
}

/** The label of the expected result of a job. */
export function expectedWord({ sign }: Pick<Job, 'sign'>): string {
  return sign.how === 'broken' ? 'rejected as expected' : 'got a 2xx response'
}

/** A summary of the results, in one sentence. */
export function summaryOf(job: Job): string {
  const { ok, failed, skipped, uncertain, total, waiting, inFlight } = job
  const parts = [`${formatCount(ok)} of ${formatCount(total)} ${expectedWord(job)}`]
  if (failed > 0) parts.push(`${formatCount(failed)} failed`)
  if (skipped > 0) parts.push(`${formatCount(skipped)} skipped`)
  if (uncertain > 0) parts.push(`${formatCount(uncertain)} uncertain`)
  const rest = waiting + inFlight
  if (rest > 0) parts.push(`${formatCount(rest)} not sent`)
  return `${parts.join(', ')}.`
}

/** Why deliveries of a job failed, most frequent reason first: "40 × 503 Service Unavailable, 15 × connection refused". Empty if none failed. */
export function failuresOf({ results, sign }: Pick<Job, 'results' | 'sign'>): string {
  const [from, to] = sign.how === 'broken' ? [400, 499] : [200, 299]
  return results
    .filter(
      ({ status, error }) => error !== null || status === null || status < from || status > to,
    )
    .toSorted((a, b) => b.count - a.count)
    .map((outcome) => `${formatCount(outcome.count)} × ${outcomeWord(outcome).replace(/\.$/, '')}`)
    .join(', ')
}

export function paceLabel(pace: JobPace): string {
  switch (pace.how) {
    case 'one_by_one':
      return pace.stopOnFailure
        ? 'one by one, until one fails'
        : 'one by one, each after the previous response'
    case 'rate':
      return `${formatCount(pace.perSecond)} per second`
    case 'spacing':
      return `original timing${
        pace.speed === 1 ? '' : `, ${formatCount(pace.speed)} times as fast`
      }, gaps up to ${formatDuration(pace.longestGap)}`
    case 'concurrent':
      return `${formatCount(pace.concurrency)} in parallel`
  }
}

export function signatureLabel(
  sign: SignChoice,
  endpointName: (endpointId: number) => string,
): string {
  switch (sign.how) {
    case 'auto':
      return 'as captured, or recomputed if edited'
    case 'keep':
      return 'as captured'
    case 'none':
      return 'removed'
    case 'secret':
      return `recomputed with the ${sign.which} secret of ${
        sign.endpointId === null ? 'each delivery’s endpoint' : endpointName(sign.endpointId)
      }`
    case 'broken':
      return 'deliberately invalid'
  }
}

/** "200 OK", or the first sentence of the error: what to do about it does not fit in a list. */
export function outcomeWord({ status, error }: Job['results'][number]): string {
  if (error !== null && status === null)
    return `${error.split('. ')[0]}${error.includes('. ') ? '.' : ''}`
  return status === null ? 'no response' : `${status} ${statusWord(status)}`
}

export interface ProgressPart {
  readonly name: 'ok' | 'failed' | 'skipped' | 'uncertain' | 'inFlight' | 'waiting'
  readonly word: string
  readonly color: string
  readonly count: number
}

/** The parts of the progress bar, in order. */
export function progressParts(job: Job): readonly ProgressPart[] {
  return [
    { name: 'ok', word: expectedWord(job), color: 'var(--valid)', count: job.ok },
    { name: 'failed', word: 'failed', color: 'var(--invalid)', count: job.failed },
    { name: 'skipped', word: 'skipped', color: 'var(--chart-quiet)', count: job.skipped },
    { name: 'uncertain', word: 'uncertain', color: 'var(--warning)', count: job.uncertain },
    { name: 'inFlight', word: 'in progress', color: 'var(--info)', count: job.inFlight },
    { name: 'waiting', word: 'waiting', color: 'var(--sunken)', count: job.waiting },
  ]
}

/** Pauses a job. Requests in progress are completed. */
export function pauseJob(client: Client, id: number): void {
  client.call('jobs.pause', { id }).then(setJob, toastError)
}

/** Resumes a job. `uncertain`: whether to skip or re-send deliveries with an unknown result. */
export function resumeJob(client: Client, id: number, uncertain: 'skip' | 'send'): void {
  client.call('jobs.resume', { id, uncertain }).then(setJob, toastError)
}

/** Cancels a job. Nothing more is sent. */
export function cancelJob(client: Client, id: number): void {
  client.call('jobs.cancel', { id }).then(setJob, toastError)
}

/** Starts a job that re-sends the failed deliveries of a finished job with the same options, and opens its page. */
export async function resendFailed(client: Client, id: number): Promise<void> {
  const job = await withConfirmation(client, () => client.call('jobs.resendFailed', { id }))
  if (job === null) return
  setJob(job)
  location.assign(jobAddress(job.id))
}
