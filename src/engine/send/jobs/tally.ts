import type { Job } from '#contract/sending.ts'

/** So many kinds of outcomes are told; the store counts likewise. */
const toldOutcomes = 20

type Counted = 'waiting' | 'underWay' | 'ok' | 'failed' | 'skipped' | 'uncertain'

/** How far a job is, counted along. */
export class Tally {
  #job: Job
  readonly #outcomes: Map<string, Job['outcomes'][number]>

  constructor(job: Job) {
    this.#job = job
    this.#outcomes = new Map(job.outcomes.map((outcome) => [keyOf(outcome), outcome]))
  }

  get job(): Job {
    const outcomes = [...this.#outcomes.values()].toSorted((a, b) => b.count - a.count)
    return { ...this.#job, outcomes: outcomes.slice(0, toldOutcomes) }
  }

  /** Whether anything waits or is under way. */
  get isOver(): boolean {
    return this.#job.waiting + this.#job.underWay === 0
  }

  set(change: Partial<Pick<Job, 'state' | 'reason' | 'endedAt'>>): void {
    this.#job = { ...this.#job, ...change }
  }

  move(from: Counted, to: Counted, count = 1): void {
    this.#job = {
      ...this.#job,
      [from]: this.#job[from] - count,
      [to]: this.#job[to] + count,
    }
  }

  /** One came to its end. `error` as a sentence. */
  ended(as: 'ok' | 'failed' | 'skipped', status: number | null, error: string | null): void {
    this.move('underWay', as)
    const key = keyOf({ status, error })
    const count = (this.#outcomes.get(key)?.count ?? 0) + 1
    this.#outcomes.set(key, { status, error, count })
  }

  /** What the store says, where it was asked. */
  replace(job: Job): void {
    this.#job = job
    this.#outcomes.clear()
    for (const outcome of job.outcomes) this.#outcomes.set(keyOf(outcome), outcome)
  }
}

function keyOf({ status, error }: { status: number | null; error: string | null }): string {
  return `${status ?? ''} ${error ?? ''}`
}
