import { unknownTime } from '#contract/constants.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { PageSummary } from '#contract/log-page.ts'
import type { DeliveryGroup } from '#contract/deliveries.ts'
import { describeGroup, groupsOfRow, maxGroups } from '#engine/search/group-classes.ts'
import { receivedBy } from '#engine/search/matching.ts'
import {
  bucketsFor,
  classesOf,
  type ClassKey,
  type TimelineKind,
} from '#engine/search/timeline-classes.ts'
import type { PageLog } from '../log/log.ts'
import { read, type PageSearch } from '../search/search.ts'
import { receivedUs } from '../search/term-test.ts'

type Input = ParsedInput<'deliveries.timeline'>
type Timeline = CallOutput<'deliveries.timeline'>

/** Counts the results of a search so far in time intervals. Throws `bad_filter`. */
export function timelineOf(log: PageLog, search: PageSearch, input: Input, now: number): Timeline {
  const asOf = input.asOf ?? now
  const { rows, complete, searched } = search.ask({ filter: input.filter, upTo: input.upTo, asOf })
  const span = spanOf(log, input, asOf)
  const buckets = bucketsFor(span?.from ?? asOf, span?.to ?? asOf, input.buckets)
  const from = Math.ceil((input.from ?? 0) * 1000)
  const to = input.to === null ? Infinity : Math.ceil(input.to * 1000)
  const first = buckets.from / buckets.width
  const totals = new Map<ClassKey, number>()
  const counts = new Map<ClassKey, number[]>()
  for (const row of rows) {
    const us = receivedUs(row.receivedAt)
    if (us < from || us >= to) continue
    const key = classOf(input.by, row)
    totals.set(key, (totals.get(key) ?? 0) + 1)
    const at = Math.floor(us / (buckets.width * 1000)) - first
    const inBuckets = counts.get(key) ?? Array.from({ length: buckets.count }, () => 0)
    counts.set(key, inBuckets)
    if (at >= 0 && at < inBuckets.length) inBuckets[at] = (inBuckets[at] ?? 0) + 1
  }
  const length = span === null ? 0 : buckets.count
  return {
    from: buckets.from,
    bucketMs: buckets.width,
    series: classesOf(input.by, totals).map(({ key, label, term, of }) => ({
      key,
      label,
      term,
      counts: Array.from({ length }, (_, at) =>
        of.reduce<number>((sum, one) => sum + (counts.get(one)?.[at] ?? 0), 0),
      ),
    })),
    complete,
    searched,
  }
}

/** As `deliveries.groups` of the engine. Throws `bad_filter`. */
export function groupsOf(
  log: PageLog,
  search: PageSearch,
  input: ParsedInput<'deliveries.groups'>,
  now: number,
): CallOutput<'deliveries.groups'> {
  const { by } = input
  const asOf = input.asOf ?? now
  const { rows, ...progress } = search.ask({ filter: input.filter, upTo: input.upTo, asOf })
  const found = new Map<string, PageSummary[]>()
  for (const row of rows) {
    for (const key of groupsOfRow(by, row)) {
      const group = found.get(key)
      if (group) group.push(row)
      else found.set(key, [row])
    }
  }
  const endpoints = new Map(log.endpoints.map(({ id, name }) => [id, name]))
  const groups = [...found].flatMap(([key, of]) => {
    const [first, ...more] = of.toSorted((a, b) => a.id - b.id)
    const last = more.at(-1) ?? first
    if (!first || !last) return []
    const described = describeGroup(by, key, last, { endpoints })
    return [{ key, ...described, count: of.length, firstAt: first.receivedAt, last }]
  })
  const order =
    by === 'tab' ? (group: DeliveryGroup) => group.last.id : (group: DeliveryGroup) => group.count
  return {
    groups: groups.toSorted((a, b) => order(b) - order(a)).slice(0, maxGroups),
    complete: progress.complete,
    searched: progress.searched,
  }
}

/** Returns the requested time range; null: it contains no deliveries. */
function spanOf(
  log: PageLog,
  { filter, from, to }: Input,
  asOf: number,
): { from: number; to: number } | null {
  const received = receivedBy(read(filter), { asOf })
  let [first, last] = [Infinity, -Infinity]
  for (const { receivedAt } of log.rows) {
    if (receivedAt === unknownTime) continue
    first = Math.min(first, receivedAt)
    last = Math.max(last, receivedAt)
  }
  if (first > last) return null
  const begin = from ?? Math.max(first, received.from === null ? first : received.from / 1000)
  // `to` and `before:` are exclusive: subtract one microsecond.
  const before = received.to === null ? Infinity : (received.to - 1) / 1000
  const until = to === null ? Math.min(last, before) : to - 0.001
  return until < begin ? null : { from: begin, to: until }
}

/** Equivalent to `classSql` of the engine. */
function classOf(by: TimelineKind, row: PageSummary): ClassKey {
  switch (by) {
    case 'verdict':
      return row.verdict
    case 'type':
      return row.type
    case 'lag': {
      if (row.createdAt === null || row.receivedAt === unknownTime) return null
      const lag = receivedUs(row.receivedAt) - row.createdAt * 1000
      return stepOf([0, 100_000, 1_000_000, 5_000_000, 60_000_000], lag)
    }
    case 'size':
      return stepOf([1, 1000, 10_000, 100_000, 1_000_000], row.bytes)
  }
}

/** Returns the number of limits that the value reaches. */
function stepOf(limits: readonly number[], value: number): number {
  return limits.filter((limit) => value >= limit).length
}
