import type { Delivery, DeliverySummary, FindingData, Verdict } from '#contract/models.ts'
import {
  deliverySizeBound,
  recordHead,
  answeredSizeBound,
  writeAnswered,
  writeAnswers,
  writeDelivery,
  type AnsweredRecord,
  type AnswersRecord,
  type JournaledDelivery,
  type JournalRecord,
} from '#engine/capture/journal-format.ts'

export interface Overrides {
  readonly receivedUs?: number
  readonly type?: string | null
  readonly verdict?: Verdict
  readonly target?: string | null
  readonly locationName?: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt?: number | null
  readonly status?: number | null
  readonly findings?: readonly FindingData[]
  readonly own?: DeliverySummary['sentBy']
  readonly answeredBy?: DeliverySummary['respondedBy']
  readonly via?: Delivery['via']
  readonly headers?: string
  readonly trailers?: string
  readonly body?: Uint8Array
}

/** Time of the first delivery of a test, in microseconds since the epoch. */
export const firstUs = Date.parse('2026-03-14T21:00:00.000Z') * 1000

/** A delivery as written by capture, one per second. */
export function journaled(id: number, overrides: Overrides = {}): JournaledDelivery {
  const body = overrides.body ?? Buffer.from(`{"type":"OPEN_TAB","n":${id}}`)
  return {
    meta: [
      id,
      overrides.receivedUs ?? firstUs + id * 1_000_000,
      'POST',
      '/hooks/sandbox?x=1',
      '1.1',
      '127.0.0.1',
      1,
      'Sandbox',
      'Service',
      'complete',
      null,
      body.byteLength,
      overrides.status === undefined ? 200 : overrides.status,
      overrides.type === undefined ? 'OPEN_TAB' : overrides.type,
      overrides.target === undefined ? `tab-${id}` : overrides.target,
      overrides.locationName === undefined ? 'Bar “Zoë”' : overrides.locationName,
      overrides.createdAt === undefined ? 1_773_522_000_123 : overrides.createdAt,
      overrides.verdict ?? 'valid',
      'current',
      overrides.findings ?? [],
      // Absent fields take the same space as in older journals.
      ...laterFields(overrides),
    ],
    headers: overrides.headers ?? 'Host\n127.0.0.1\nX-Twice\na\nX-Twice\nb',
    trailers: overrides.trailers ?? '',
    body,
  }
}

function laterFields({
  own,
  answeredBy,
  via,
}: Overrides): [
  own?: DeliverySummary['sentBy'],
  answeredBy?: DeliverySummary['respondedBy'],
  via?: Delivery['via'],
] {
  if (via !== undefined) return [own ?? null, answeredBy ?? null, via]
  return own === undefined && answeredBy === undefined ? [] : [own ?? null, answeredBy ?? null]
}

export function deliveryRecord(id: number, overrides: Overrides = {}): JournalRecord {
  return { kind: 'delivery', delivery: journaled(id, overrides) }
}

/** Records that deliveries `from` to `to` got a response one millisecond after the last of them was received. */
export function answersRecord(from: number, to: number, lost: number[] = []): JournalRecord {
  const answers: AnswersRecord = { from, to, atUs: firstUs + to * 1_000_000 + 1000, lost }
  return { kind: 'answers', answers }
}

/** Records a late response of a delivery; default: after 5 s. */
export function answeredRecord(id: number, overrides: Partial<AnsweredRecord> = {}): JournalRecord {
  const atUs = firstUs + id * 1_000_000 + 5_000_000
  const answered = {
    id,
    atUs,
    status: 200,
    answeredBy: 'rule',
    reason: null,
    ...overrides,
  } as const
  return { kind: 'answered', answered }
}

/** Records in journal format, concatenated. */
export function encode(records: readonly JournalRecord[]): Buffer {
  return Buffer.concat(records.map(encodeOne))
}

function encodeOne(record: JournalRecord): Buffer {
  if (record.kind === 'answers') {
    const into = Buffer.alloc(recordHead + 128 + record.answers.lost.length * 17)
    return into.subarray(0, writeAnswers(into, 0, record.answers))
  }
  if (record.kind === 'answered') {
    const into = Buffer.alloc(answeredSizeBound(record.answered))
    return into.subarray(0, writeAnswered(into, 0, record.answered))
  }
  const { meta, headers, trailers, body } = record.delivery
  const text = JSON.stringify(meta)
  const into = Buffer.alloc(deliverySizeBound(text, headers, trailers, body))
  return into.subarray(0, writeDelivery(into, 0, text, headers, trailers, body))
}
