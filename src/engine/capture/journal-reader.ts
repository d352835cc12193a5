import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { FindingData } from '#contract/models.ts'
import {
  readRecord,
  recordHead,
  type CountedBy,
  type JournalRecord,
  listSegments,
  type Segment,
} from './journal-format.ts'

/** Size of one read; a larger record is read on its own. */
const chunkBytes = 256 * 1024
/** Chunks kept for reuse: the largest usual transaction of the writer. */
const maxFree = 16
const maxLists = 1000

export interface ReadStep {
  readonly records: readonly JournalRecord[]
  readonly ends: readonly number[]
  readonly position: number
  /** At the end of the journal, or at a torn record in its last segment. */
  readonly torn: boolean
}

/**
 * Reads the journal in chunks, across its segments. After a damaged record the rest of its segment is skipped, but not the segments after it: their
 * deliveries got a response, so they must not be lost.
 */
export class JournalReader {
  readonly #dir: string
  #segment: (Segment & { fd: number }) | null = null
  #position: number
  #readSize = chunkBytes
  #filled: Buffer[] = []
  readonly #free: Buffer[] = []
  /** Findings to which other records refer, by the logical position of their record. */
  readonly #lists = new Map<number, readonly FindingData[]>()

  constructor(dir: string, position: number) {
    this.#dir = dir
    this.#position = position
  }

  get position(): number {
    return this.#position
  }

  /** Returns the records up to the logical position `upTo`; none if no complete record is left. */
  next(upTo: number): ReadStep {
    if (this.#position >= upTo) return this.#noRecords(false)
    const segment = this.#open()
    if (!segment) return this.#noRecords(true)
    const records: JournalRecord[] = []
    const ends: number[] = []
    const size = segment.start + fstatSync(segment.fd).size
    const end = Math.min(upTo, size)
    if (this.#position >= end) return this.#nextSegment(segment, upTo)
    const chunk = this.#allocate(Math.min(end - this.#position, this.#readSize))
    const read = readSync(segment.fd, chunk, 0, chunk.byteLength, this.#position - segment.start)
    let p = 0
    while (p + recordHead <= read) {
      const length = chunk.readUInt32LE(p)
      const recordLength = recordHead + length
      if (p + recordLength > read) {
        if (p > 0 || this.#position + recordLength > end) break
        this.#readSize = recordLength
        return this.next(upTo)
      }
      const payload = chunk.subarray(p + recordHead, p + recordLength)
      const crc = chunk.readUInt32LE(p + 4)
      const record = length > 0 ? readRecord(payload, crc, this.#listAt) : null
      if (!record) break
      p += recordLength
      records.push(record)
      ends.push(this.#position + p)
    }
    if (p === 0) return this.#nextSegment(segment, upTo)
    this.#position += p
    this.#readSize = chunkBytes
    return { records, ends, position: this.#position, torn: false }
  }

  /** Call when the records returned so far are no longer used: their bodies are views of memory that is then reused. */
  reuse(): void {
    this.#free.push(...this.#filled.splice(0, maxFree - this.#free.length))
    this.#filled = []
  }

  release(): void {
    this.#free.length = 0
  }

  /** Moves back to the end of a record that `next` returned, and whose segment still exists. */
  backTo(position: number): void {
    if (this.#segment && position < this.#segment.start) this.close()
    this.#position = position
  }

  close(): void {
    if (this.#segment) closeSync(this.#segment.fd)
    this.#segment = null
  }

  /** The position must be in the open segment. Null: the record is damaged. */
  readonly #listAt = (position: number): readonly FindingData[] | null => {
    const known = this.#lists.get(position)
    if (known || !this.#segment) return known ?? null
    const { fd, start } = this.#segment
    const head = Buffer.alloc(recordHead)
    readSync(fd, head, 0, recordHead, position - start)
    const length = head.readUInt32LE(0)
    if (length === 0 || position - start + recordHead + length > fstatSync(fd).size) return null
    const payload = Buffer.allocUnsafe(length)
    readSync(fd, payload, 0, length, position - start + recordHead)
    const record = readRecord(payload, head.readUInt32LE(4))
    if (record?.kind !== 'delivery') return null
    if (this.#lists.size >= maxLists) this.#lists.clear()
    const { 19: findings } = record.delivery.meta
    this.#lists.set(position, findings)
    return findings
  }

  /** Every read has its own chunk, since bodies are views of it. Small chunks take only as much memory as they need. */
  #allocate(bytes: number): Buffer {
    if (bytes !== chunkBytes) return Buffer.allocUnsafe(bytes)
    const chunk = this.#free.pop() ?? Buffer.allocUnsafeSlow(bytes)
    this.#filled.push(chunk)
    return chunk
  }

  #noRecords(torn: boolean): ReadStep {
    return { records: [], ends: [], position: this.#position, torn }
  }

  #open(): (Segment & { fd: number }) | null {
    if (this.#segment) return this.#segment
    const segment = listSegments(this.#dir).findLast(({ start }) => start <= this.#position)
    if (!segment) return null
    this.#segment = { ...segment, fd: openSync(segment.path, 'r') }
    return this.#segment
  }

  #nextSegment(segment: Segment, upTo: number): ReadStep {
    const next = listSegments(this.#dir).find(({ start }) => start > segment.start)
    if (!next || next.start > upTo) {
      return this.#noRecords(true)
    }
    this.close()
    this.#position = next.start
    return this.next(upTo)
  }
}

/** Reads from `position` to the end or to a torn record. Returns the actual end, the last delivery ID, and the response rules that counted. */
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
    reader.reuse()
    if (torn || records.length === 0) break
  }
  reader.close()
  return { end: reader.position, lastId, counted }
}
