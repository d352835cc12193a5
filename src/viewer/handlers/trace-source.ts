import { idsOf } from '#catalogue/ids.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { PageSummary } from '#contract/log-page.ts'
import {
  traceBodyLimit,
  type Found,
  type Head,
  type TraceSource,
  type Traced,
} from '#engine/traces/model.ts'
import type { PageLog } from '../log/log.ts'
import { payloadOf } from '../log/texts.ts'

/** Data source for traces: an index of the ids in all deliveries, built once for the page. */
export interface TraceRecords {
  readonly source: () => TraceSource
  readonly traced: (id: number) => Traced | null
}

/** Creates the source. The first query reads all deliveries. */
export function createTraceRecords(log: PageLog): TraceRecords {
  const known = new Map<number, Traced | null>()
  let mentions: Map<string, number[]> | null = null

  const traced = (id: number): Traced | null => {
    const before = known.get(id)
    if (before !== undefined) return before
    const found = readTraced(log, id)
    known.set(id, found)
    return found
  }

  const mentioning = (id: string): readonly number[] => {
    mentions ??= mentionsIn(log.rows, traced)
    return mentions.get(id) ?? []
  }

  return {
    traced,
    source: () => sourceOf(log, traced, mentioning),
  }
}

function readTraced(log: PageLog, id: number): Traced | null {
  const row = rowOf(log, id)
  if (row === null) return null
  let payload: Payload = {}
  try {
    if (row.bytes <= traceBodyLimit) payload = payloadOf(log.content(id)) ?? {}
  } catch {
    // A damaged block is reported when the delivery is opened. Here it is treated as a delivery without a body.
  }
  return { row, payload }
}

function rowOf(log: PageLog, id: number): PageSummary | null {
  try {
    return log.row(id)
  } catch {
    return null
  }
}

function mentionsIn(
  rows: readonly PageSummary[],
  traced: (id: number) => Traced | null,
): Map<string, number[]> {
  const mentions = new Map<string, number[]>()
  for (const { id, target } of rows) {
    const ids = new Set(idsOf(traced(id)?.payload ?? {}).map((mentioned) => mentioned.id))
    if (target !== null) ids.add(target)
    for (const mentioned of ids) {
      const list = mentions.get(mentioned)
      if (list) list.push(id)
      else mentions.set(mentioned, [id])
    }
  }
  return mentions
}

function sourceOf(
  log: PageLog,
  traced: (id: number) => Traced | null,
  mentioning: (id: string) => readonly number[],
): TraceSource {
  const unread = new Set<number>()
  const read = (id: number): Traced | null => {
    const found = traced(id)
    if (found && found.row.bytes > traceBodyLimit) unread.add(id)
    return found
  }
  const readAll = (ids: readonly number[]): Traced[] =>
    ids
      .map(read)
      .filter((one) => one !== null)
      .toSorted((a, b) => a.row.id - b.row.id)
  return {
    read,
    mentioning: (id, { around, limit, wanted = () => true }): Found => {
      const nearest = mentioning(id)
        .filter((one) => wanted(headOf(log.row(one))))
        .toSorted((a, b) => Math.abs(a - around) - Math.abs(b - around))
      return { found: readAll(nearest.slice(0, limit)), cut: nearest.length > limit }
    },
    receivedBetween: (type, { from, to, limit, wanted = () => true }): Found => {
      const fitting = log.rows.filter(
        (row) =>
          row.type === type &&
          row.receivedAt >= from &&
          row.receivedAt <= to &&
          wanted(headOf(row)),
      )
      return {
        found: readAll(fitting.slice(0, limit).map(({ id }) => id)),
        cut: fitting.length > limit,
      }
    },
    unread: () => unread.size,
  }
}

function headOf({ id, type, target, locationName }: PageSummary): Head {
  return { id, type, target, location: locationName }
}
