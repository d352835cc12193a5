import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import {
  readRecord,
  recordHead,
  type CountedBy,
  type JournalRecord,
  listSegments,
  type Segment,
} from './journal-format.ts'

/** How much is read at once; a larger record is read on its own. */
const chunkBytes = 256 * 1024

export interface ReadStep {
  readonly records: readonly JournalRecord[]
  /** For each record the logical position behind it. */
  readonly ends: readonly number[]
  /** Logical position after the last record returned. */
  readonly position: number
  /** True where the journal ends: at its end, or before a torn record that no later segment follows. */
  readonly torn: boolean
}

/**
 * Reads the journal from a logical position on, a megabyte at a time, following its segments. A record that is damaged takes the rest
 * of its segment with it, but not the segments after it: what they hold was answered too.
 */
export class JournalReader {
  readonly #dir: string
  #segment: (Segment & { fd: number }) | null = null
  #position: number
  /** How much the next read takes: a chunk, or a record that is larger. */
  #wanted = chunkBytes

  constructor(dir: string, position: number) {
    this.#dir = dir
    this.#position = position
  }

  get position(): number {
    return this.#position
  }

  /** The next records up to the logical position `upTo`; none when there is nothing whole to read. */
  next(upTo: number): ReadStep {
    if (this.#position >= upTo) return this.#nothing(false)
    const segment = this.#open()
    if (!segment) return this.#nothing(true)
    const records: JournalRecord[] = []
    const ends: number[] = []
    const size = segment.start + fstatSync(segment.fd).size
    const end = Math.min(upTo, size)
    if (this.#position >= end) return this.#following(segment, upTo)
    // Bodies are views of what is read, so every read has memory of its own, and no more than there is to read.
    const chunk = Buffer.allocUnsafe(Math.min(end - this.#position, this.#wanted))
    const read = readSync(segment.fd, chunk, 0, chunk.byteLength, this.#position - segment.start)
    let p = 0
    while (p + recordHead <= read) {
      const length = chunk.readUInt32LE(p)
      const whole = recordHead + length
      if (p + whole > read) {
        if (p > 0 || this.#position + whole > end) break
        this.#wanted = whole
        return this.next(upTo)
      }
      const payload = chunk.subarray(p + recordHead, p + whole)
      const record = length > 0 ? readRecord(payload, chunk.readUInt32LE(p + 4)) : null
      if (!record) break
      p += whole
      records.push(record)
      ends.push(this.#position + p)
    }
    if (p === 0) return this.#following(segment, upTo)
    this.#position += p
    this.#wanted = chunkBytes
    return { records, ends, position: this.#position, torn: false }
  }

  /** Goes back to the end of one of the records that `next` has just returned. */
  backTo(position: number): void {
    this.#position = position
  }

  close(): void {
    if (this.#segment) closeSync(this.#segment.fd)
    this.#segment = null
  }

  #nothing(torn: boolean): ReadStep {
    return { records: [], ends: [], position: this.#position, torn }
  }

  #open(): (Segment & { fd: number }) | null {
    if (this.#segment) return this.#segment
    const segment = listSegments(this.#dir).findLast(({ start }) => start <= this.#position)
    if (!segment) return null
    this.#segment = { ...segment, fd: openSync(segment.path, 'r') }
    return this.#segment
  }

  /** Nothing more can be read of this segment: goes on in the one after it, if there is one. */
  #following(segment: Segment, upTo: number): ReadStep {
    const following = listSegments(this.#dir).find(({ start }) => start > segment.start)
    if (!following || following.start > upTo) {
      return this.#nothing(true)
    }
    this.close()
    this.#position = following.start
    return this.next(upTo)
  }
}

/**
 * Where the journal really ends, the last delivery's id in it, and which response rules counted its deliveries: read from `position`,
 * stopped at a torn record.
 */
export function findJournalEnd(
  dir: string,
  position: number,
): { end: number; lastId: number | null; counted: readonly CountedBy[] } {
  const reader = new JournalReader(dir, position)
  let lastId: number | null = null
  const counted: CountedBy[] = []
  for (;;) {
    const { records, torn } = reader.next(Number.MAX_SAFE_INTEGER)
    for (const record of records) {
      if (record.kind !== 'delivery') continue
      const { meta } = record.delivery
      lastId = meta[0]
      if (meta[23]) counted.push(meta[23])
    }
    if (torn || records.length === 0) break
  }
  reader.close()
  return { end: reader.position, lastId, counted }
}
