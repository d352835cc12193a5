import { crc32 } from 'node:zlib'
import type { Arrival, Delivery, DeliverySummary, FindingData, Verdict } from '#contract/models.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  fromTuples,
  toTuples,
  type FindingDifference,
  type FindingTuple,
} from '../platform/finding-lists.ts'

/**
 * The journal is a chain of segment files, each named by the logical position of its first byte. A record consists of
 *
 *   u32 length of kind and payload, u32 CRC-32 of kind and payload, u8 kind, payload
 *
 * in little-endian order. A torn tail (power lost while writing) fails its CRC check; its deliveries never got a response.
 */
export const recordHead = 8
export const recordKinds = { delivery: 1, answers: 2, answered: 3 } as const

/** An array, because property names would double its size. */
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
  /** Null if no response is possible, or if it is decided later and stored in an `answered` record. */
  status: number | null,
  type: string | null,
  target: string | null,
  locationName: string | null,
  createdAt: number | null,
  verdict: Verdict,
  secretName: string | null,
  findings: readonly FindingData[],
  own?: DeliverySummary['sentBy'],
  /** If it is known at this time. */
  answeredBy?: DeliverySummary['respondedBy'],
  /** The tunnel; absent if the delivery was sent directly to the listener. */
  via?: Delivery['via'],
  /** Absent if no response rule counted this delivery. */
  rules?: CountedBy,
]

/** Complete, or those of the record at the logical position `like` of the same segment, with other values. */
export type EncodedFindings =
  | readonly FindingTuple[]
  | { readonly like: number; readonly but: readonly FindingDifference[] }

const findingsIndex = 19

export function encodeMeta(meta: DeliveryMeta, findings: EncodedFindings): string {
  const encoded: unknown[] = [...meta]
  encoded[findingsIndex] = findings
  return JSON.stringify(encoded)
}

/** `listAt` returns the findings of the record at a logical position; null if it cannot be read. */
function decodeFindings(
  encoded: EncodedFindings,
  listAt: (position: number) => readonly FindingData[] | null,
): readonly FindingData[] {
  if (!('like' in encoded)) return fromTuples(encoded)
  return fromTuples(toTuples(listAt(encoded.like) ?? []), encoded.but)
}

export interface CountedBy {
  readonly met: readonly number[]
  /** The rule that decided the response. */
  readonly applied: number | null
}

export interface JournaledDelivery {
  readonly meta: DeliveryMeta
  /** Names and values alternately in Latin-1, joined by line feeds, which neither can contain. */
  readonly headers: string
  readonly trailers: string
  readonly body: Uint8Array
}

/** The group of deliveries `from` to `to` got its responses at `atUs`, except for `lost`: dropped, or answered later or never. */
export interface AnswersRecord {
  readonly from: number
  readonly to: number
  readonly atUs: number
  readonly lost: readonly number[]
}

/** A response after its group, because of a delay or a forward target. Never written before the delivery's own record. */
export interface AnsweredRecord {
  readonly id: number
  readonly atUs: number
  /** Null: the connection was dropped or already closed. */
  readonly status: number | null
  readonly answeredBy: DeliverySummary['respondedBy']
  readonly reason: string | null
}

export type JournalRecord =
  | { kind: 'delivery'; delivery: JournaledDelivery }
  | { kind: 'answers'; answers: AnswersRecord }
  | { kind: 'answered'; answered: AnsweredRecord }

export function deliverySizeBound(
  metaText: string,
  headers: string,
  trailers: string,
  body: Uint8Array,
): number {
  return recordHead + 13 + metaText.length * 3 + headers.length + trailers.length + body.byteLength
}

/** Returns the position after the record. The buffer must have room for `deliverySizeBound` bytes. */
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

/** JSON takes at most six bytes for each character of the reason. */
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

/** `payload` starts with the kind byte. Returns null if the CRC does not match or the kind is unknown. `listAt`: see `decodeFindings`. */
export function readRecord(
  payload: Buffer,
  crc: number,
  listAt: (position: number) => readonly FindingData[] | null = () => null,
): JournalRecord | null {
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
          meta: decodeMeta(metaText, listAt),
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

function decodeMeta(
  text: string,
  listAt: (position: number) => readonly FindingData[] | null,
): DeliveryMeta {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `encodeMeta`, checked by its CRC
  const meta = JSON.parse(text) as DeliveryMeta
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form in which it is written
  const encoded = meta[findingsIndex] as unknown as EncodedFindings
  meta[findingsIndex] = decodeFindings(encoded, listAt)
  return meta
}

/** `start` is the logical position of its first byte. */
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

/** Oldest first. None if the folder is missing: reading must not create it. */
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
