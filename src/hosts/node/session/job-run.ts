import type { AttemptSummary, Job, JobItem } from '#contract/sending.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { attemptLine, attemptTable } from '../output/attempt-text.ts'
import type { ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { colored, print, printMessage, writeJson, writeLine } from '../output/output.ts'
import type { Session } from './session.ts'
import { withoutFullStop } from '../output/text.ts'
import { onInterrupt } from '../command-line/io.ts'

const pageSize = 500

/** Prints each item, in order of arrival. Resolves to 0 if every response is as expected, 130 if Ctrl+C paused the job. */
export async function followJob(session: Session, begin: () => Promise<Job>): Promise<ExitCode> {
  const { job, interrupted } = await followItems(session, begin, {
    onInterrupt: 'jobs.pause',
    started: ({ id, total }) => {
      if (globals.json) return
      printMessage(`Job ${id}: ${plural(total, 'delivery', 'deliveries')}, in order of arrival.`)
    },
    item: async (item, of) => {
      if (item.position === 0 && !globals.json && !globals.quiet) writeLine(attemptTable.header())
      await printItem(session, of, item)
    },
  })
  if (globals.json) writeJson('done', { sent: job.ok, failed: job.failed, job })
  else printMessage(jobSummary(job))
  if (job.state === 'paused') {
    const reason = job.reason === null ? '' : `: ${withoutFullStop(job.reason)}`
    printMessage(`Paused${escapeControls(reason)}. To resume it: tabscope job resume ${job.id}`)
  }
  if (interrupted && job.state === 'paused') return 130
  return job.state === 'done' && job.ok === job.total ? 0 : 1
}

interface Following {
  readonly onInterrupt: 'jobs.pause' | 'jobs.cancel'
  readonly started: (job: Job) => void
  /** In order, up to the first one without a result. At the end, also those after it that have one. */
  readonly item: (item: JobItem, job: Job) => unknown
}

/** Resolves when nothing more is sent. */
export async function followItems(
  session: Session,
  begin: () => Promise<Job>,
  { onInterrupt: stopCall, started, item: print }: Following,
): Promise<{ job: Job; interrupted: boolean }> {
  const changes = new Changes()
  const unlisten = session.on('jobs.changed', ({ job }) => changes.add(job))
  let id: number | null = null
  let interrupted = false
  const stop = (): void => {
    interrupted = true
    // Fails if the job has already ended.
    if (id !== null) void session.call(stopCall, { id }).catch(() => undefined)
  }
  const offInterrupt = onInterrupt(stop)
  try {
    let job = await begin()
    id = job.id
    if (interrupted) stop()
    changes.follow(job)
    started(job)
    let printed = -1
    for (;;) {
      job = await changes.next()
      for await (const item of itemsAfter(session, job.id, printed)) {
        if (isPending(item)) break
        await print(item, job)
        printed = item.position
      }
      if (isOver(job)) break
    }
    for await (const item of itemsAfter(session, job.id, printed)) {
      if (!isPending(item)) await print(item, job)
    }
    return { job, interrupted }
  } finally {
    offInterrupt()
    unlisten()
  }
}

function isOver({ state, inFlight }: Job): boolean {
  return state !== 'running' && inFlight === 0
}

function isPending({ state }: JobItem): boolean {
  return state === 'waiting' || state === 'claimed'
}

async function* itemsAfter(session: Session, id: number, after: number): AsyncGenerator<JobItem> {
  for (let last = after; ;) {
    const items = await session.call('jobs.items', { id, after: last, limit: pageSize })
    yield* items
    last = items.at(-1)?.position ?? last
    if (items.length < pageSize) return
  }
}

/** Its attempt, or the item itself if nothing was sent, or retention deleted the attempt. */
export async function printItem(session: Session, job: Job, item: JobItem): Promise<void> {
  const attempt = item.attemptId === null ? null : await attemptOf(session, item.attemptId)
  if (attempt === null) print('job_item', { ...item, jobId: job.id }, () => itemLine(item))
  else print('attempt', attempt, () => attemptLine(attempt))
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
