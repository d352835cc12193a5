import type { Job } from '#contract/sending.ts'

/** So many kinds of outcomes are told; the store counts likewise. */
const toldOutcomes = 20

type Counted = 'waiting' | 'underWay' | 'ok' | 'failed' | 'skipped' | 'uncertain'

/** How far a job is, counted along. */
export class Tally {
  #job: Job
  /** Counted in place: a new job for each of many thousands of items would be most of the garbage. */
  #counts: Record<Counted, number>
  readonly #outcomes: Map<string, Job['outcomes'][number]>

  constructor(job: Job) {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes = new Map(job.outcomes.map((outcome) => [keyOf(outcome), { ...outcome }]))
  }

  get job(): Job {
    const outcomes = [...this.#outcomes.values()]
      .toSorted((a, b) => b.count - a.count)
      .map((outcome) => ({ ...outcome }))
    return { ...this.#job, ...this.#counts, outcomes: outcomes.slice(0, toldOutcomes) }
  }

  /** Whether anything waits or is under way. */
  get isOver(): boolean {
    return this.#counts.waiting + this.#counts.underWay === 0
  }

  set(change: Partial<Pick<Job, 'state' | 'reason' | 'endedAt'>>): void {
    this.#job = { ...this.#job, ...change }
  }

  move(from: Counted, to: Counted, count = 1): void {
    this.#counts[from] -= count
    this.#counts[to] += count
  }

  /** One came to its end. `error` as a sentence. */
  ended(as: 'ok' | 'failed' | 'skipped', status: number | null, error: string | null): void {
    this.move('underWay', as)
    const key = keyOf({ status, error })
    const known = this.#outcomes.get(key)
    if (known) known.count += 1
    else this.#outcomes.set(key, { status, error, count: 1 })
  }

  /** What the store says, where it was asked. */
  replace(job: Job): void {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes.clear()
    for (const outcome of job.outcomes) this.#outcomes.set(keyOf(outcome), { ...outcome })
  }
}

function countsOf({
  waiting,
  underWay,
  ok,
  failed,
  skipped,
  uncertain,
}: Job): Record<Counted, number> {
  return { waiting, underWay, ok, failed, skipped, uncertain }
}

function keyOf({ status, error }: { status: number | null; error: string | null }): string {
  return `${status ?? ''} ${error ?? ''}`
}
