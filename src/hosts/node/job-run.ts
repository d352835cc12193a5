import type { Attempt, Job, JobItem } from '#contract/sending.ts'
import { itemEvent, itemLine, jobSummary } from './attempt-text.ts'
import { say, writeJson, writeLine } from './output.ts'
import type { Session } from './session.ts'
import { counted } from './text.ts'

/** Items asked for at once. */
const pageSize = 500

/**
 * Follows a job to its end and tells of each of its items, in order of arrival. Ctrl+C pauses it, and says how it goes on. Resolves to the
 * exit code: 0 when all were answered with 2xx.
 */
export async function followJob(
  session: Session,
  begin: () => Promise<Job>,
  json: boolean,
): Promise<number> {
  const changes = new Changes()
  const unlisten = session.on('jobs.changed', ({ job }) => changes.take(job))
  let job = await begin()
  changes.follow(job)
  // It may be over by then, and then there is nothing to pause.
  const pause = (): void => void session.call('jobs.pause', { id: job.id }).catch(() => undefined)
  process.once('SIGINT', pause).once('SIGTERM', pause)
  try {
    if (!json)
      say(`Job ${job.id}: ${counted(job.total, 'delivery', 'deliveries')}, in order of arrival.`)
    let told = -1
    for (;;) {
      job = await changes.next()
      told = await tellSettled(session, job, told, json)
      if (isOver(job)) break
    }
  } finally {
    process.off('SIGINT', pause).off('SIGTERM', pause)
    unlisten()
  }
  if (json) writeJson({ event: 'done', ...job })
  else say(jobSummary(job))
  if (job.state === 'paused') {
    say(
      `${job.reason === null ? 'Paused.' : `Paused: ${job.reason}`} To go on: tabscope resend --continue ${job.id}`,
    )
  }
  return job.state === 'done' && job.ok === job.total ? 0 : 1
}

function isOver({ state, underWay }: Job): boolean {
  return state !== 'running' && underWay === 0
}

/** Tells of the items behind `told` that are settled, up to the first that is not. Resolves to the last one told of. */
async function tellSettled(
  session: Session,
  job: Job,
  told: number,
  json: boolean,
): Promise<number> {
  let last = told
  for (;;) {
    const items = await session.call('jobs.items', { id: job.id, after: last, limit: pageSize })
    for (const item of items) {
      if (item.state === 'waiting' || item.state === 'claimed') return last
      if (json) writeJson(itemEvent(job, item, await failedAttempt(session, item)))
      else writeLine(itemLine(item))
      last = item.position
    }
    if (items.length < pageSize) return last
  }
}

/** What was sent of an item that has an error; null where nothing was. */
async function failedAttempt(
  session: Session,
  { error, attemptId }: JobItem,
): Promise<Attempt | null> {
  return error === null || attemptId === null
    ? null
    : session.call('attempts.get', { id: attemptId })
}

/** The newest state of one job, for whoever waits for a newer one. */
class Changes {
  #followed: number | null = null
  readonly #early: Job[] = []
  #newest: Job | null = null
  #waiting: ((job: Job) => void) | null = null

  take(job: Job): void {
    // The first pushes may come before the answer that names the job.
    if (this.#followed === null) this.#early.push(job)
    else if (job.id === this.#followed) this.#give(job)
  }

  follow(job: Job): void {
    this.#followed = job.id
    this.#give(this.#early.findLast(({ id }) => id === job.id) ?? job)
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

  #give(job: Job): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) waiting(job)
    else this.#newest = job
  }
}
