import type * as Fs from 'node:fs'
import { fdatasyncSync, openSync, statSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { listSegments, segmentPath } from '#engine/capture/journal-format.ts'
import { findJournalEnd, JournalReader } from '#engine/capture/journal-reader.ts'
import { JournalWriter } from '#engine/capture/journal-writer.ts'
import { deliveryRecord, encode } from '#test/support/journal-records.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

/** Number of bytes that can still be written. */
const disk = vi.hoisted(() => ({ room: Infinity }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>()
  return {
    ...fs,
    fdatasyncSync: vi.fn(fs.fdatasyncSync),
    openSync: vi.fn(fs.openSync),
    ftruncateSync: (fd: number, length: number) => {
      disk.room += Math.max(0, fs.fstatSync(fd).size - length)
      fs.ftruncateSync(fd, length)
    },
    writeSync: (fd: number, bytes: Uint8Array, offset: number, length: number, at: number) => {
      if (disk.room <= 0) throw new Error('ENOSPC: no space left on device')
      const part = Math.min(disk.room, length)
      disk.room -= part
      return fs.writeSync(fd, bytes, offset, part, at)
    },
  }
})

const mib = 1024 * 1024

it('starts a new segment when one is full, after the full one is on disk', () => {
  const dir = tempFolder()
  const writer = new JournalWriter(dir, 0)
  writer.append(encode([deliveryRecord(1, { body: Buffer.alloc(63 * mib) })]))
  writer.rotate()
  expect(listSegments(dir)).toHaveLength(1)
  writer.append(encode([deliveryRecord(2, { body: Buffer.alloc(mib) })]))
  const full = writer.position
  vi.mocked(openSync).mockClear()
  writer.rotate()
  const [synced = 0] = vi.mocked(fdatasyncSync).mock.invocationCallOrder
  const [opened = 0] = vi.mocked(openSync).mock.invocationCallOrder
  // Otherwise a power failure could leave a gap before records that are on disk.
  expect(synced).toBeGreaterThan(0)
  expect(synced).toBeLessThan(opened)
  writer.append(encode([deliveryRecord(3)]))
  writer.close()
  expect(listSegments(dir).map(({ start }) => start)).toEqual([0, full])
  const reader = new JournalReader(dir, full)
  expect(reader.next(writer.position).records).toEqual([deliveryRecord(3)])
  reader.close()
})

it('restores its length when a write fails halfway', () => {
  const dir = tempFolder()
  const writer = new JournalWriter(dir, 0)
  const first = encode([deliveryRecord(1)])
  writer.append(first)
  const second = encode([deliveryRecord(2)])
  disk.room = 40
  expect(() => writer.append(second)).toThrow('ENOSPC')
  expect(writer.position).toBe(first.byteLength)
  disk.room = Infinity
  writer.append(second)
  writer.close()
  const reader = new JournalReader(dir, 0)
  expect(reader.next(writer.position).records).toEqual([deliveryRecord(1), deliveryRecord(2)])
  reader.close()
})

it('grows in advance, which neither a crash nor a closed journal shows', () => {
  const dir = tempFolder()
  const crashed = new JournalWriter(dir, 0)
  crashed.append(encode([deliveryRecord(1)]))
  const size = (): number => statSync(segmentPath(dir, 0)).size
  const grown = size()
  expect(grown).toBeGreaterThan(crashed.position)
  crashed.append(encode([deliveryRecord(2)]))
  expect(size()).toBe(grown)
  expect(findJournalEnd(dir, 0)).toEqual({ end: crashed.position, lastId: 2, counted: [] })
  const writer = new JournalWriter(dir, crashed.position)
  writer.append(encode([deliveryRecord(3)]))
  writer.close()
  expect(size()).toBe(writer.position)
  expect(findJournalEnd(dir, 0)).toMatchObject({ end: writer.position, lastId: 3 })
})

it('accepts records where there is no room to grow in advance', () => {
  const dir = tempFolder()
  const writer = new JournalWriter(dir, 0)
  const record = encode([deliveryRecord(1)])
  disk.room = record.byteLength + 100
  writer.append(record)
  disk.room = Infinity
  expect(statSync(segmentPath(dir, 0)).size).toBe(record.byteLength)
  writer.close()
  expect(findJournalEnd(dir, 0)).toMatchObject({ end: record.byteLength, lastId: 1 })
})
