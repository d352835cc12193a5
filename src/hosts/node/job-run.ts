import type { AttemptSummary, Job, JobItem } from '#contract/sending.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { attemptLine, attemptTable } from './attempt-text.ts'
import type { ExitCode } from './command-line/command.ts'
import { globals } from './command-line/globals.ts'
import { colored, print, printMessage, writeJson, writeLine } from './output.ts'
import type { Session } from './session.ts'
import { withoutFullStop } from './text.ts'
import { onInterrupt } from './io.ts'

const pageSize = 500

/** Prints each item, in order of arrival. Resolves to 0 if every response is as expected, 130 if Ctrl+C paused the job. */
export async function followJob(session: Session, begin: () => Promise<Job>): Promise<ExitCode> {
  const changes = new Changes()
  const attempts = new Attempts(session)
  const unlisten = [
    session.on('jobs.changed', ({ job }) => changes.add(job)),
    session.on('attempts.made', ({ rows }) => attempts.add(rows)),
  ]
  let id: number | null = null
  let interrupted = false
  const pause = (): void => {
    interrupted = true
    // Fails if the job has already ended.
    if (id !== null) void session.call('jobs.pause', { id }).catch(() => undefined)
  }
  const offInterrupt = onInterrupt(pause)
  let job: Job
  try {
    job = await begin()
    id = job.id
    if (interrupted) pause()
    attempts.follow(id)
    changes.follow(job)
    if (!globals.json) {
      printMessage(
        `Job ${id}: ${plural(job.total, 'delivery', 'deliveries')}, in order of arrival.`,
      )
    }
    let printed = -1
    for (;;) {
      job = await changes.next()
      printed = await printSettled(session, job, printed, attempts)
      if (isOver(job)) break
    }
  } finally {
    offInterrupt()
    for (const stop of unlisten) stop()
  }
  if (globals.json) writeJson('done', { sent: job.ok, failed: job.failed, job })
  else printMessage(jobSummary(job))
  if (job.state === 'paused') {
    const reason = job.reason === null ? '' : `: ${withoutFullStop(job.reason)}`
    printMessage(`Paused${escapeControls(reason)}. To resume it: tabscope job resume ${job.id}`)
  }
  if (interrupted && job.state === 'paused') return 130
  return job.state === 'done' && job.ok === job.total ? 0 : 1
}

function isOver({ state, inFlight }: Job): boolean {
  return state !== 'running' && inFlight === 0
}

/** Up to the first unsettled one. Resolves to the position of the last printed item. */
async function printSettled(
  session: Session,
  job: Job,
  printed: number,
  attempts: Attempts,
): Promise<number> {
  let last = printed
  for (;;) {
    const items = await session.call('jobs.items', { id: job.id, after: last, limit: pageSize })
    for (const item of items) {
      if (item.state === 'waiting' || item.state === 'claimed') return last
      if (last === -1 && !globals.json && !globals.quiet) writeLine(attemptTable.header())
      await printItem(job, item, attempts)
      last = item.position
    }
    if (items.length < pageSize) return last
  }
}

/** Its attempt, or the item itself if there is none. */
export async function printItem(job: Job, item: JobItem, attempts: Attempts): Promise<void> {
  const attempt = await attempts.of(item)
  if (attempt === null) print('job_item', { ...item, jobId: job.id }, () => itemLine(item))
  else print('attempt', attempt, () => attemptLine(attempt))
}

export class Attempts {
  readonly #session: Session
  readonly #made = new Map<number, AttemptSummary>()
  /** While unknown, the attempts of all jobs are collected. */
  #jobId: number | null = null

  constructor(session: Session) {
    this.#session = session
  }

  add(rows: readonly AttemptSummary[]): void {
    for (const row of rows) {
      if (row.jobId === (this.#jobId ?? row.jobId)) this.#made.set(row.id, row)
    }
  }

  follow(jobId: number): void {
    this.#jobId = jobId
  }

  /** Nothing was sent, or retention deleted the attempt: null. */
  async of({ attemptId }: Pick<JobItem, 'attemptId'>): Promise<AttemptSummary | null> {
    if (attemptId === null) return null
    const made = this.#made.get(attemptId)
    this.#made.delete(attemptId)
    return made ?? attemptOf(this.#session, attemptId)
  }
}

async function attemptOf(session: Session, id: number): Promise<AttemptSummary | null> {
  try {
    return await session.call('attempts.get', { id })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

function itemLine({ deliveryId, state, status, error }: JobItem): string {
  const styles = { ok: 'green', failed: 'red', skipped: 'yellow', uncertain: 'yellow' } as const
  const style = state === 'waiting' || state === 'claimed' ? 'gray' : styles[state]
  return [
    '–'.padStart(6),
    String(deliveryId).padStart(8),
    colored(style, status === null ? state.replace('claimed', 'sending') : String(status)),
    error === null ? '' : escapeControls(error),
  ]
    .join('  ')
    .trimEnd()
}

/** `2 of 3 succeeded, 1 failed. 1 × 500.` */
export function jobSummary(job: Job): string {
  const { total, ok, failed, skipped, uncertain, waiting, sign } = job
  const succeeded = sign.how === 'broken' ? 'refused as expected' : 'succeeded'
  const parts = [
    `${ok} of ${total} ${succeeded}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not sent`] : []),
    ...(uncertain > 0 ? [`${uncertain} possibly received, not sent again`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ]
  const isExpected = (status: number | null): boolean =>
    sign.how !== 'broken' && status !== null && status >= 200 && status < 300
  const results = job.results
    .filter(({ status, error }) => error !== null || !isExpected(status))
    .map(({ status, error, count }) => `${count} × ${withoutFullStop(error ?? String(status))}`)
  return escapeControls(
    `${parts.join(', ')}.${results.length > 0 ? ` ${results.join(', ')}.` : ''}`,
  )
}

class Changes {
  #followed: number | null = null
  readonly #early: Job[] = []
  #newest: Job | null = null
  #waiting: ((job: Job) => void) | null = null

  add(job: Job): void {
    // The first pushes may be received before the response that names the job.
    if (this.#followed === null) this.#early.push(job)
    else if (job.id === this.#followed) this.#set(job)
  }

  follow(job: Job): void {
    this.#followed = job.id
    this.#set(this.#early.findLast(({ id }) => id === job.id) ?? job)
  }

  async next(): Promise<Job> {
    const job = this.#newest
    this.#newest = null
    return (
      job ??
      new Promise((resolve) => {
        this.#waiting = resolve
      })
    )
  }

  #set(job: Job): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) waiting(job)
    else this.#newest = job
  }
}
