import type { DeliverySummary } from '#contract/models.ts'

/** A delivery whose signature did not hold, or was not there. */
export type Failure = Omit<Arrived, 'verdict'> & { readonly verdict: 'invalid' | 'missing' }

type Arrived = Pick<DeliverySummary, 'id' | 'receivedAt' | 'endpointId' | 'verdict'>

/** Deliveries that failed their signature check while nobody looked. */
export interface Failures {
  readonly count: number
  /** Takes what was pushed; answers those of it that failed unseen. */
  take(rows: readonly Arrived[], looking: boolean): Failure[]
  /** Somebody looks: nothing is unseen. */
  seen(): void
  /** The engine was started (milliseconds since the epoch): what it received before is not news, though it is pushed now. */
  begin(startedAt: number): void
}

export function createFailures(): Failures {
  let count = 0
  let startedAt = 0
  let newestId = 0

  return {
    get count() {
      return count
    },
    take(rows, looking) {
      const failed = rows.filter((row) => row.id > newestId).flatMap(failureOf)
      newestId = Math.max(newestId, ...rows.map(({ id }) => id))
      const news = looking ? [] : failed.filter(({ receivedAt }) => receivedAt >= startedAt)
      count += news.length
      return news
    },
    seen() {
      count = 0
    },
    begin(at) {
      startedAt = at
    },
  }
}

function failureOf({ id, receivedAt, endpointId, verdict }: Arrived): Failure[] {
  return verdict === 'invalid' || verdict === 'missing'
    ? [{ id, receivedAt, endpointId, verdict }]
    : []
}
