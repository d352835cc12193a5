import { crc32 } from 'node:zlib'
import type { Arrival, Delivery, DeliverySummary, Finding, Verdict } from '#contract/models.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The journal is a chain of segment files named by the logical position of their first byte. A record is
 *
 *   u32 length of what follows the two, u32 CRC-32 of it, u8 kind, payload
 *
 * little-endian. A torn tail (power lost while writing) fails its CRC and was never answered.
 */
export const recordHead = 8
export const recordKinds = { delivery: 1, answers: 2, answered: 3 } as const

/** What a delivery record says beside its headers and body. An array, since names would double its size. */
export type DeliveryMeta = [
  id: number,
  /** Microseconds since the epoch. */
  receivedUs: number,
  method: string,
  path: string,
  httpVersion: string,
  remoteAddress: string,
  endpointId: number | null,
  endpointName: string | null,
  brand: string,
  arrival: Arrival,
  reason: string | null,
  bytes: number,
  /** The status that is about to be answered; null: none can be, or it is decided later and told by an `answered` record. */
  status: number | null,
  type: string | null,
  target: string | null,
  locationName: string | null,
  createdAt: number | null,
  verdict: Verdict,
  secretName: string | null,
  findings: readonly Finding[],
  /** Over a connection of our own sender. Absent in journals of before. */
  own?: DeliverySummary['own'],
  /** What decided about the answer, where that is known by now. */
  answeredBy?: DeliverySummary['answeredBy'],
  /** How it got here. Absent where it came straight to the listener. */
  via?: Delivery['via'],
  /** Response rules that counted it. Absent where none did. */
  rules?: CountedBy,
]

/** IDs of the response rules that a delivery counts for. */
export interface CountedBy {
  readonly met: readonly number[]
  /** The one of them that decides about the response; null: none does. */
  readonly applied: number | null
}

export interface JournaledDelivery {
  readonly meta: DeliveryMeta
  /** Header names and values in turn, joined by line feeds, which neither can hold. Latin-1. */
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array
}

/**
 * A group was answered: deliveries `from` to `to` at `atUs`, but for those in `lost`: their senders were gone, or they are answered
 * later, or never.
 */
export interface AnswersRecord {
  readonly from: number
  readonly to: number
  readonly atUs: number
  readonly lost: readonly number[]
}

/** One delivery was answered after its group: a delay was over, or its target had answered. Never before its own delivery record. */
export interface AnsweredRecord {
  readonly id: number
  readonly atUs: number
  /** Null: the connection was dropped, or its sender was gone. */
  readonly status: number | null
  readonly answeredBy: DeliverySummary['answeredBy']
  /** What there is to say of it, as a sentence; null: nothing. */
  readonly reason: string | null
}

export type JournalRecord =
  | { kind: 'delivery'; delivery: JournaledDelivery }
  | { kind: 'answers'; answers: AnswersRecord }
  | { kind: 'answered'; answered: AnsweredRecord }

/** Most bytes a delivery's record can take. */
export function deliverySizeBound(
  metaText: string,
  headers: string,
  trailers: string,
  body: Uint8Array,
): number {
  return recordHead + 13 + metaText.length * 3 + headers.length + trailers.length + body.byteLength
}

/** Writes a delivery's record at `at`; returns the position after it. The buffer must hold `deliverySizeBound` bytes more. */
export function writeDelivery(
  into: Buffer,
  at: number,
  metaText: string,
  headers: string,
  trailers: string,
  body: Uint8Array,
): number {
  let p = at + recordHead
  into[p] = recordKinds.delivery
  const lengths = p + 1
  p = lengths + 12
  const meta = into.write(metaText, p, 'utf8')
  p += meta
  const head = into.write(headers, p, 'latin1')
  p += head
  const trail = into.write(trailers, p, 'latin1')
  p += trail
  into.set(body, p)
  p += body.byteLength
  into.writeUInt32LE(meta, lengths)
  into.writeUInt32LE(head, lengths + 4)
  into.writeUInt32LE(trail, lengths + 8)
  return seal(into, at, p)
}

/** Most bytes an answers record can take: three numbers, and one for each that was lost. */
export function answersSizeBound(answers: AnswersRecord): number {
  return recordHead + 128 + answers.lost.length * 17
}

export function writeAnswers(into: Buffer, at: number, answers: AnswersRecord): number {
  let p = at + recordHead
  into[p] = recordKinds.answers
  p += 1
  p += into.write(JSON.stringify(answers), p, 'latin1')
  return seal(into, at, p)
}

/** Most bytes the record of a late answer can take. In JSON a character of its reason is six at most. */
export function answeredSizeBound({ reason }: AnsweredRecord): number {
  return recordHead + 160 + (reason?.length ?? 0) * 6
}

export function writeAnswered(into: Buffer, at: number, answered: AnsweredRecord): number {
  let p = at + recordHead
  into[p] = recordKinds.answered
  p += 1
  p += into.write(JSON.stringify(answered), p, 'utf8')
  return seal(into, at, p)
}

function seal(into: Buffer, from: number, to: number): number {
  into.writeUInt32LE(to - from - recordHead, from)
  into.writeUInt32LE(crc32(into.subarray(from + recordHead, to)), from + 4)
  return to
}

/** The record whose payload (kind byte and all) is `payload`; null when the CRC or the kind is not right. */
export function readRecord(payload: Buffer, crc: number): JournalRecord | null {
  if (crc32(payload) !== crc) return null
  switch (payload[0]) {
    case recordKinds.delivery: {
      const meta = payload.readUInt32LE(1)
      const head = payload.readUInt32LE(5)
      const trail = payload.readUInt32LE(9)
      let p = 13
      const metaText = payload.toString('utf8', p, p + meta)
      p += meta
      const headers = payload.toString('latin1', p, p + head)
      p += head
      const trailers = payload.toString('latin1', p, p + trail)
      p += trail
      return {
        kind: 'delivery',
        delivery: {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `writeDelivery`, checked by its CRC
          meta: JSON.parse(metaText) as DeliveryMeta,
          headers,
          trailers,
          body: payload.subarray(p),
        },
      }
    }
    case recordKinds.answers:
      return {
        kind: 'answers',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `writeAnswers`, checked by its CRC
        answers: JSON.parse(payload.toString('latin1', 1)) as AnswersRecord,
      }
    case recordKinds.answered:
      return {
        kind: 'answered',
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `writeAnswered`, checked by its CRC
        answered: JSON.parse(payload.toString('utf8', 1)) as AnsweredRecord,
      }
    default:
      return null
  }
}

/** One file of the journal. Its first byte stands at the logical position `start`. */
export interface Segment {
  readonly path: string
  readonly start: number
}

const extension = '.journal'

export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal')
}

export function segmentPath(dir: string, start: number): string {
  return join(dir, `${String(start).padStart(15, '0')}${extension}`)
}

/** The journal's files, oldest first. None where the folder is missing: to read must not put another in its place. */
export function listSegments(dir: string): Segment[] {
  return namesIn(dir)
    .filter((name) => /^\d{15}\.journal$/.test(name))
    .map((name) => ({ path: join(dir, name), start: Number(name.slice(0, 15)) }))
    .sort((a, b) => a.start - b.start)
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
