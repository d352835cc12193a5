import type { Job, JobItem } from '#contract/sending.ts'

/** Which items are listed: all, or those of one state. */
export type Shown = 'all' | JobItem['state']

/** Items asked for at once, and the most that the contract gives. */
export const itemsAtOnce = 200
export const itemsMost = 1000

/** The list with its beginning as it is now; what stands behind the end of that stays. `asked`: how many were asked for. */
export function withFreshStart(
  held: readonly JobItem[],
  fresh: readonly JobItem[],
  asked: number,
): JobItem[] {
  const last = fresh.at(-1)?.position
  // Fewer than were asked for: there are no more.
  if (fresh.length < asked || last === undefined) return [...fresh]
  return [...fresh, ...held.filter(({ position }) => position > last)]
}

/** How many items there are of a kind. */
export function countOf(job: Job, shown: Shown): number {
  switch (shown) {
    case 'all':
      return job.total
    case 'claimed':
      return job.underWay
    case 'waiting':
    case 'uncertain':
    case 'ok':
    case 'failed':
    case 'skipped':
      return job[shown]
  }
}

/** What is worth looking at first: what one has to decide about, what failed, else all. */
export function firstShown(job: Job): Shown {
  if (job.uncertain > 0) return 'uncertain'
  return job.failed > 0 ? 'failed' : 'all'
}
