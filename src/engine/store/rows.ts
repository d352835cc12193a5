import { Arrival, Finding, Verdict, type DeliverySummary, type Header } from '#contract/models.ts'
import { z } from 'zod'
import type { JournaledDelivery } from '../capture/journal-format.ts'
import { describe } from './describe.ts'

/** A row of `delivery`, as SQLite gives it. */
export interface DeliveryRow {
  readonly id: number
  readonly received_us: number
  readonly answered_us: number | null
  readonly method: string
  readonly path: string
  readonly endpoint_id: number | null
  readonly type: string | null
  readonly title: string
  readonly target: string | null
  readonly location_name: string | null
  readonly created_ms: number | null
  readonly verdict: string
  readonly findings: string | null
  readonly status: number | null
  readonly bytes: number
  readonly sha256: string
  readonly arrival: string
  readonly pinned: number
  readonly tags: string | null
  readonly noted: number
  readonly repeats_id: number | null
  readonly repeats_by: string | null
  readonly own: string | null
  readonly answered_by: string | null
  readonly via: string | null
  /** The verdict at arrival; null: it was never checked again. */
  readonly arrival_verdict: string | null
  /** When it was last checked again. */
  readonly rechecked_us: number | null
  /** Which secret made it `valid` then. */
  readonly recheck_secret_name: string | null
  /** 0: no answer came. */
  readonly sent: number | null
}

const Findings = z.array(Finding)
const Tags = z.array(z.string())
const Own = z.enum(['forward', 'send'])
const AnsweredBy = z.enum(['rule', 'target'])
export const Via = z.enum(['tunnel'])
const RepeatsBy = z.enum(['body', 'event'])

export function toSummary(row: DeliveryRow): DeliverySummary {
  return {
    id: row.id,
    receivedAt: row.received_us / 1000,
    method: row.method,
    path: row.path,
    endpointId: row.endpoint_id,
    type: row.type,
    title: row.title,
    target: row.target,
    locationName: row.location_name,
    createdAt: row.created_ms,
    verdict: Verdict.parse(row.verdict),
    ...(row.arrival_verdict === null
      ? {}
      : {
          recheck: {
            at: (row.rechecked_us ?? 0) / 1000,
            verdictAtArrival: Verdict.parse(row.arrival_verdict),
          },
        }),
    findings: row.findings === null ? [] : Findings.parse(JSON.parse(row.findings)),
    status: row.status,
    answeredIn: row.answered_us === null ? null : row.answered_us / 1000,
    bytes: row.bytes,
    sha256: row.sha256,
    arrival: Arrival.parse(row.arrival),
    pinned: row.pinned === 1,
    tags: row.tags === null ? [] : Tags.parse(JSON.parse(row.tags)),
    noted: row.noted === 1,
    repeats:
      row.repeats_id === null ? null : { id: row.repeats_id, by: RepeatsBy.parse(row.repeats_by) },
    own: row.own === null ? null : Own.parse(row.own),
    answeredBy: row.answered_by === null ? null : AnsweredBy.parse(row.answered_by),
    sent: row.sent === null ? null : { status: row.sent === 0 ? null : row.sent },
  }
}

/** The summary of a delivery that comes out of the journal; `answeredUs` from the first byte of its head. */
export function summaryOf(
  { meta, body }: JournaledDelivery,
  answeredUs: number | null,
  lost: boolean,
): DeliverySummary {
  const [id, receivedUs, method, path, , , endpointId, , , arrival, , bytes, status, ...told] = meta
  const [type, target, locationName, createdAt, verdict, , findings, own, answeredBy] = told
  const { title, sha256 } = describe(body)
  return {
    id,
    receivedAt: receivedUs / 1000,
    method,
    path,
    endpointId,
    type,
    title,
    target,
    locationName,
    createdAt,
    verdict,
    findings: [...findings],
    status: lost ? null : status,
    answeredIn: lost || answeredUs === null ? null : answeredUs / 1000,
    bytes,
    sha256,
    arrival,
    pinned: false,
    tags: [],
    noted: false,
    repeats: null,
    own: own ?? null,
    // Lost without a status to lose: what decided that no answer goes out stands.
    answeredBy: lost && status !== null ? null : (answeredBy ?? null),
    sent: null,
  }
}

/** Which secret made the verdict `valid`; `atArrival`: which made that at arrival. */
export function secretNameOf(row: DeliveryRow, atArrival: string | null): string | null {
  return row.arrival_verdict === null ? atArrival : row.recheck_secret_name
}

/** Header text of the journal and the store back to pairs. */
export function toHeaders(joined: string): Header[] {
  if (joined === '') return []
  const parts = joined.split('\n')
  const headers: Header[] = []
  for (let i = 0; i < parts.length; i += 2) headers.push([parts[i] ?? '', parts[i + 1] ?? ''])
  return headers
}
