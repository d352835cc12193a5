import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type JournalRecord, segmentPath } from '#engine/capture/journal-format.ts'
import { findJournalEnd, JournalReader } from '#engine/capture/journal-reader.ts'
import { JournalWriter } from '#engine/capture/journal-writer.ts'
import { seeded } from '#sandbox/random.ts'
import { answersRecord, deliveryRecord, encode } from '#test/support/journal-records.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

/** Reads all records from a position on, step by step. */
function readAll(dir: string, from = 0, upTo = Number.MAX_SAFE_INTEGER) {
  const reader = new JournalReader(dir, from)
  onTestFinished(() => reader.close())
  const records: JournalRecord[] = []
  for (;;) {
    const step = reader.next(upTo)
    records.push(...step.records)
    if (step.records.length === 0) return { records, position: reader.position }
  }
}
const idsOf = (records: readonly JournalRecord[]) =>
  records.flatMap((record) => (record.kind === 'delivery' ? [record.delivery.meta[0]] : []))

/** Writes segments with these records and returns where each ends. */
function segments(dir: string, ...groups: (readonly JournalRecord[])[]): number[] {
  let at = 0
  return groups.map((records) => {
    const bytes = encode(records)
    writeFileSync(segmentPath(dir, at), bytes)
    at += bytes.byteLength
    return at
  })
}

describe('the end of the journal', () => {
  it('is 0 if there is no segment', () => {
    expect(findJournalEnd(tempFolder(), 0)).toEqual({ end: 0, lastId: null, counted: [] })
    expect(findJournalEnd(tempFolder(), 777)).toEqual({ end: 777, lastId: null, counted: [] })
  })

  it('is before the last record, whatever length it was torn to', () => {
    const dir = tempFolder()
    const complete = encode([deliveryRecord(1), answersRecord(1, 1)])
    const last = encode([deliveryRecord(2, { body: Buffer.from('{"n":2}') })])
    const file = segmentPath(dir, 0)
    for (let length = 0; length < last.byteLength; length += 1) {
      writeFileSync(file, Buffer.concat([complete, last.subarray(0, length)]))
      expect(findJournalEnd(dir, 0)).toEqual({ end: complete.byteLength, lastId: 1, counted: [] })
    }
    writeFileSync(file, Buffer.concat([complete, last]))
    expect(findJournalEnd(dir, 0)).toEqual({
      end: complete.byteLength + last.byteLength,
      lastId: 2,
      counted: [],
    })
  })

  it.each([
    ['zeros', Buffer.alloc(4096)],
    ['a length without end', Buffer.alloc(64, 0xff)],
    ['noise', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ])('is before %s that follows the last record', (_, tail) => {
    const dir = tempFolder()
    const complete = encode([deliveryRecord(1)])
    writeFileSync(segmentPath(dir, 0), Buffer.concat([complete, tail]))
    expect(findJournalEnd(dir, 0)).toEqual({ end: complete.byteLength, lastId: 1, counted: [] })
  })

  it('is where the writer truncates the file, and later records are read', () => {
    const dir = tempFolder()
    const complete = encode([deliveryRecord(1)])
    writeFileSync(segmentPath(dir, 0), Buffer.concat([complete, Buffer.alloc(999, 7)]))
    const writer = new JournalWriter(dir, findJournalEnd(dir, 0).end)
    const second = encode([deliveryRecord(2)])
    writer.append(second)
    writer.close()
    expect(statSync(segmentPath(dir, 0)).size).toBe(complete.byteLength + second.byteLength)
    expect(idsOf(readAll(dir).records)).toEqual([1, 2])
    expect(readAll(dir).position).toBe(writer.position)
  })
})

describe('JournalReader', () => {
  it('reads across segments, and can start in the middle', () => {
    const dir = tempFolder()
    const [one = 0, two = 0, three = 0] = segments(
      dir,
      [deliveryRecord(1), deliveryRecord(2)],
      [deliveryRecord(3)],
      [deliveryRecord(4)],
    )
    expect(readAll(dir)).toMatchObject({ position: three })
    expect(idsOf(readAll(dir).records)).toEqual([1, 2, 3, 4])
    expect(idsOf(readAll(dir, one).records)).toEqual([3, 4])
    expect(idsOf(readAll(dir, two).records)).toEqual([4])
    expect(findJournalEnd(dir, 0)).toEqual({ end: three, lastId: 4, counted: [] })
  })

  it('reads no further than the limit', () => {
    const dir = tempFolder()
    const [one = 0, two = 0] = segments(dir, [deliveryRecord(1)], [deliveryRecord(2)])
    expect(idsOf(readAll(dir, 0, one).records)).toEqual([1])
    expect(readAll(dir, one, one)).toEqual({ records: [], position: one })
    expect(idsOf(readAll(dir, 0, two).records)).toEqual([1, 2])
  })

  it('skips the rest of a damaged segment, and reads the segments after it', () => {
    const dir = tempFolder()
    const first = encode([deliveryRecord(1), deliveryRecord(2), deliveryRecord(3)])
    const [, two = 0] = segments(
      dir,
      [deliveryRecord(1), deliveryRecord(2), deliveryRecord(3)],
      [deliveryRecord(4)],
    )
    const second = encode([deliveryRecord(1)]).byteLength + 30
    first.writeUInt8(first.readUInt8(second) ^ 1, second)
    writeFileSync(segmentPath(dir, 0), first)
    expect(idsOf(readAll(dir).records)).toEqual([1, 4])
    expect(findJournalEnd(dir, 0)).toEqual({ end: two, lastId: 4, counted: [] })
    // Records appended later are read, too: the writer does not append to the damaged segment.
    const writer = new JournalWriter(dir, two)
    writer.append(encode([deliveryRecord(5)]))
    writer.close()
    expect(idsOf(readAll(dir).records)).toEqual([1, 4, 5])
    truncateSync(segmentPath(dir, 0), 10)
    expect(idsOf(readAll(dir).records)).toEqual([4, 5])
  })

  it('reads records across chunk boundaries, and one larger than a chunk', () => {
    const dir = tempFolder()
    const random = seeded(7)
    const sizes = [600_000, 600_000, 5_000_000, 0, 1_048_576, 100, 1_048_000, 3]
    const records = sizes.map((size, index) =>
      deliveryRecord(index + 1, { body: Buffer.alloc(size, random.between(0, 255)) }),
    )
    segments(dir, records)
    expect(encode(readAll(dir).records).equals(encode(records))).toBe(true)
  })

  it('does not change the bodies of a step when it reads the next one', () => {
    const dir = tempFolder()
    const [one = 0, two = 0] = segments(dir, [deliveryRecord(1)], [deliveryRecord(2)])
    const reader = new JournalReader(dir, 0)
    onTestFinished(() => reader.close())
    const [first] = reader.next(one).records
    reader.next(two)
    expect(first).toEqual(deliveryRecord(1))
  })

  it('ignores files that are not segments', () => {
    const dir = tempFolder()
    segments(dir, [deliveryRecord(1)])
    for (const name of ['000000000000001.journal.old', '5.journal', '.DS_Store']) {
      writeFileSync(path.join(dir, name), 'x')
    }
    expect(idsOf(readAll(dir).records)).toEqual([1])
    expect(readdirSync(dir)).toHaveLength(4)
  })

  it('reuses the memory of records once they are no longer used', () => {
    const dir = tempFolder()
    const body = Buffer.alloc(100_000)
    segments(
      dir,
      [1, 2, 3, 4, 5, 6, 7, 8].map((id) => deliveryRecord(id, { body })),
    )
    const reader = new JournalReader(dir, 0)
    const memoryOfNext = (): ArrayBufferLike | undefined => {
      const [record] = reader.next(Number.MAX_SAFE_INTEGER).records
      return record?.kind === 'delivery' ? record.delivery.body.buffer : undefined
    }
    const first = memoryOfNext()
    const second = memoryOfNext()
    expect(second).not.toBe(first)
    reader.reuse()
    expect([first, second]).toContain(memoryOfNext())
    reader.close()
  })
})
