import type { Job, JobItem, JobPace, SignChoice } from '#contract/sending.ts'
import { statusWord } from '../../ui/text/status.ts'
import { count, counted } from '../../ui/text/numbers.ts'
import { span } from '../../ui/text/time.ts'

export const jobStateLabels = {
  running: 'Running',
  paused: 'Paused',
  interrupted: 'Interrupted',
  done: 'Done',
  cancelled: 'Cancelled',
} as const satisfies Record<Job['state'], string>

export const jobItemLabels = {
  waiting: 'waiting',
  claimed: 'under way',
  uncertain: 'uncertain',
  ok: 'answered with 2xx',
  failed: 'failed',
  skipped: 'left out',
} as const satisfies Record<JobItem['state'], string>

/** What it is about: "34 chosen deliveries", "1,204 deliveries of a filter". */
export function subjectOf({ total, filter }: Pick<Job, 'total' | 'filter'>): string {
  if (filter === null) return `${count(total)} chosen ${total === 1 ? 'delivery' : 'deliveries'}`
  const all = counted(total, 'delivery', 'deliveries')
  return filter.trim() === '' ? `All ${all}` : `${all} of a filter`
}

/** How many are over, whatever came of them. */
export function overOf({ ok, failed, skipped }: Pick<Job, 'ok' | 'failed' | 'skipped'>): number {
  return ok + failed + skipped
}

/** What the expected result of a job is called. */
export function expectedWord({ sign }: Pick<Job, 'sign'>): string {
  return sign.how === 'broken' ? 'refused as expected' : 'answered with 2xx'
}

/** What came of it, in a sentence or two. */
export function summaryOf(job: Job): string {
  const { ok, failed, skipped, uncertain, total, waiting, underWay } = job
  const parts = [`${count(ok)} of ${count(total)} ${expectedWord(job)}`]
  if (failed > 0) parts.push(`${count(failed)} failed`)
  if (skipped > 0) parts.push(`${count(skipped)} left out`)
  if (uncertain > 0) parts.push(`${count(uncertain)} uncertain`)
  const rest = waiting + underWay
  if (rest > 0) parts.push(`${count(rest)} not sent`)
  return `${parts.join(', ')}.`
}

/** What kept deliveries of a job from success, most frequent first: "40 × 503 Service Unavailable, 15 × connection refused". Empty: nothing did. */
export function failuresOf({ outcomes, sign }: Pick<Job, 'outcomes' | 'sign'>): string {
  const [from, to] = sign.how === 'broken' ? [400, 499] : [200, 299]
  return outcomes
    .filter(
      ({ status, error }) => error !== null || status === null || status < from || status > to,
    )
    .toSorted((one, other) => other.count - one.count)
    .map((outcome) => `${count(outcome.count)} × ${outcomeWord(outcome).replace(/\.$/, '')}`)
    .join(', ')
}

/** How fast they go out. */
export function paceLabel(pace: JobPace): string {
  switch (pace.how) {
    case 'one_by_one':
      return pace.stopOnFailure
        ? 'one by one, until one fails'
        : 'one by one, each when the one before is answered'
    case 'rate':
      return `${count(pace.perSecond)} a second`
    case 'spacing':
      return `as far apart as they arrived${
        pace.speed === 1 ? '' : `, ${count(pace.speed)} times as fast`
      }, no gap longer than ${span(pace.longestGap)}`
    case 'at_once':
      return `${count(pace.width)} at once`
  }
}

/** What becomes of their signatures. */
export function signatureLabel(sign: SignChoice, nameOf: (endpointId: number) => string): string {
  switch (sign.how) {
    case 'auto':
      return 'as captured, or computed again when edited'
    case 'keep':
      return 'as captured'
    case 'none':
      return 'left out'
    case 'secret':
      return `computed again, with the ${sign.which} secret of ${
        sign.endpointId === null ? 'each one’s endpoint' : nameOf(sign.endpointId)
      }`
    case 'broken':
      return 'broken on purpose'
  }
}

/** "200 OK", or the error in words. */
export function outcomeWord({ status, error }: Job['outcomes'][number]): string {
  return status === null ? (error ?? 'no response') : `${status} ${statusWord(status)}`
}

export interface Share {
  readonly name: 'ok' | 'failed' | 'skipped' | 'uncertain' | 'underWay' | 'waiting'
  readonly word: string
  readonly color: string
  readonly count: number
}

/** The parts of its progress bar, in order. */
export function sharesOf(job: Job): readonly Share[] {
  return [
    { name: 'ok', word: expectedWord(job), color: 'var(--valid)', count: job.ok },
    { name: 'failed', word: 'failed', color: 'var(--invalid)', count: job.failed },
    { name: 'skipped', word: 'left out', color: 'var(--chart-quiet)', count: job.skipped },
    { name: 'uncertain', word: 'uncertain', color: 'var(--missing)', count: job.uncertain },
    { name: 'underWay', word: 'under way', color: 'var(--info)', count: job.underWay },
    { name: 'waiting', word: 'waiting', color: 'var(--sunken)', count: job.waiting },
  ]
}
