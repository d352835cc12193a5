import { setTimeout as pause } from 'node:timers/promises'
import type { Several } from '#contract/deliveries.ts'
import { jobLimit } from '#contract/constants.ts'
import { formatCount } from '#shared/text/format.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { StoreReads } from '../../platform/store/store-port.ts'
import type { readStats } from '../../deliveries/store.ts'
import type { Search } from '../../search/search.ts'

const waitMs = 10_000
const pollMs = 50
const pageSize = 20_000

type IdStore = StoreReads<{ stats: typeof readStats; idsOf: Search['idsOf'] }>

/** The ids of a filter or a selection, oldest first. Throws like `idsForJob`, and `bad_input` if both or neither are given. */
export async function idsOf(
  { store, clock }: { store: IdStore; clock: Clock },
  { ids, filter, upTo }: Several,
): Promise<readonly number[]> {
  if ((ids === undefined) === (filter === undefined)) {
    throw new AppError('bad_input', 'Specify either delivery IDs or a filter.')
  }
  if (filter !== undefined) return idsForJob(store, { filter, upTo, asOf: clock.now() })
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

/**
 * The deliveries that match a filter, oldest first, including those that are not indexed yet. Throws `bad_filter`, `not_found` if none
 * match, and `bad_input` if there are too many for a job.
 */
export async function idsForJob(
  { reader }: IdStore,
  { filter, upTo, asOf }: { filter: string; upTo: number | null; asOf: number },
): Promise<number[]> {
  const newest = (await reader.call('stats')).newestId
  const last = Math.min(upTo ?? newest, newest)
  const ids: number[] = []
  let count = 0
  let after = 0
  const deadline = performance.now() + waitMs
  while (after < last) {
    const found = await reader.call('idsOf', { filter, after, upTo: last, asOf, limit: pageSize })
    count += found.ids.length
    // Beyond the limit of a job, they are only counted.
    if (count <= jobLimit) ids.push(...found.ids)
    if (found.complete && found.reached < last) {
      if (performance.now() > deadline) throw behind(found.reached, last)
      await pause(pollMs)
    }
    after = Math.max(after, found.reached)
  }
  if (count > jobLimit) throw tooMany(count)
  if (ids.length === 0) {
    throw new AppError('not_found', 'No delivery matches the filter.')
  }
  return ids
}

function behind(reached: number, last: number): AppError {
  return new AppError(
    'bad_input',
    `The search index is still being updated (delivery ${reached} of ${last}). Try again in a moment.`,
    { retry: 'later' },
  )
}

function tooMany(count: number): AppError {
  return new AppError(
    'bad_input',
    `${formatCount(count)} deliveries match, and at most ${formatCount(jobLimit)} can be selected. Narrow the filter.`,
  )
}
