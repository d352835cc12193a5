import { arrivedAtMost } from '#contract/arrived.ts'
import type { DeliverySummary } from '#contract/models.ts'

/** A delivery whose signature did not hold, or was not there. */
export type Failure = Omit<Arrived, 'verdict'> & { readonly verdict: 'invalid' | 'missing' }

type Arrived = Pick<DeliverySummary, 'id' | 'receivedAt' | 'endpointId' | 'verdict'>

/** How many deliveries failed since somebody last looked. */
export interface Unseen {
  readonly count: number
  /** False: there may be more, since under a flood not every delivery is told. */
  readonly isAll: boolean
}

/** What failed of what has just arrived, unseen. */
export interface News {
  readonly failed: readonly Failure[]
  readonly isAll: boolean
}

/** Deliveries that failed their signature check while nobody looked. */
export interface Failures {
  readonly unseen: Unseen
  /** Takes what was pushed; answers those of it that failed unseen. */
  take(rows: readonly Arrived[], looking: boolean): News
  /** Somebody looks: nothing is unseen. */
  seen(): void
  /** The engine was started (milliseconds since the epoch): what it received before is not news, though it is pushed now. */
  begin(startedAt: number): void
}

export function createFailures(): Failures {
  let unseen: Unseen = { count: 0, isAll: true }
  let startedAt = 0
  let newestId = 0

  return {
    get unseen() {
      return unseen
    },
    take(rows, looking) {
      const fresh = rows.filter((row) => row.id > newestId)
      const isAll = rows.length < arrivedAtMost || (fresh[0]?.id ?? 0) <= newestId + 1
      newestId = Math.max(newestId, ...rows.map(({ id }) => id))
      const failed = looking
        ? []
        : fresh.flatMap(failureOf).filter(({ receivedAt }) => receivedAt >= startedAt)
      if (!looking) unseen = { count: unseen.count + failed.length, isAll: unseen.isAll && isAll }
      return { failed, isAll }
    },
    seen() {
      unseen = { count: 0, isAll: true }
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
