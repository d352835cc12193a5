import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { createDiskBudget, spaceAt, type DiskSpace } from '#engine/event-logs/import/disk-budget.ts'
import { unpack } from '#engine/event-logs/import/worker.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const MiB = 1024 * 1024
const GiB = 1024 * MiB

/** A disk that is as full as what was written to it makes it. */
function disk(free: number, size = 100 * GiB) {
  const space = { free, size }
  let looks = 0
  const room = createDiskBudget((): DiskSpace => {
    looks += 1
    return space
  })
  return { space, room, looks: () => looks }
}

/** How many bytes it let be written before it refused. */
function written(room: ReturnType<typeof disk>['room'], upTo: number, piece = MiB): number {
  for (let bytes = 0; bytes < upTo; bytes += piece) {
    try {
      room.take(piece)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      expect(error.code).toBe('file_failed')
      return bytes
    }
  }
  return upTo
}

it('leaves the reserve: a gibibyte, or of a small disk a twentieth', () => {
  expect(written(disk(3 * GiB).room, 10 * GiB)).toBe(2 * GiB)
  expect(written(disk(100 * MiB, 200 * MiB).room, GiB)).toBe(90 * MiB)
  expect(written(disk(0).room, GiB)).toBe(0)
})

it('sees that others use the disk meanwhile, and looks a bounded number of times', () => {
  const { space, room, looks } = disk(50 * GiB)
  expect(written(room, GiB)).toBe(GiB)
  space.free = GiB + 64 * MiB
  expect(written(room, GiB)).toBeLessThanOrEqual(80 * MiB)
  expect(looks()).toBeLessThan(2 + (GiB + 80 * MiB) / (16 * MiB))
})

it('stops a file with a wrong size, or a compression bomb, before the disk is full', async () => {
  // 40 MiB from 40 KiB: less than what is refused as burst, and more than there is room for.
  const bomb = gzipSync(Buffer.alloc(40 * MiB, '{"kind":"delivery"}\n'), { level: 9 })
  // Its last four bytes say how much it holds: nothing.
  bomb.writeUInt32LE(0, bomb.byteLength - 4)
  const { room } = disk(8 * MiB, 10 * MiB)
  let received = 0
  const unpacking = unpack((chunk) => {
    room.take(chunk.byteLength)
    received += chunk.byteLength
  })
  const taking = async (): Promise<void> => {
    await unpacking.take(bomb)
    await unpacking.end()
  }
  await expect(taking()).rejects.toThrow('does not fit on the disk of the data folder, where 8 MiB')
  expect(received).toBeLessThanOrEqual(7.5 * MiB)
})

it('rejects immediately what cannot fit', () => {
  const { room } = disk(2 * GiB)
  expect(() => room.assertFor(GiB)).not.toThrow()
  expect(() => room.assertFor(GiB + 1)).toThrow('Free up space, then import it again.')
})

it('knows the disk of a folder', () => {
  const { free, size } = spaceAt(tempFolder())
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThanOrEqual(free)
})
