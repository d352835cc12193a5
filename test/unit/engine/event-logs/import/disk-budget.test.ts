import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import {
  createUnpacker,
  createDiskBudget,
  spaceAt,
  type DiskSpace,
} from '#engine/event-logs/import/worker.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const MiB = 1024 * 1024
const GiB = 1024 * MiB

function disk(free: number, size = 100 * GiB) {
  const space = { free, size }
  let measurements = 0
  const budget = createDiskBudget((): DiskSpace => {
    measurements += 1
    return space
  })
  return { space, budget, measurements: () => measurements }
}

/** Returns how many bytes could be written before the budget refused. */
function written(budget: ReturnType<typeof disk>['budget'], upTo: number, piece = MiB): number {
  for (let bytes = 0; bytes < upTo; bytes += piece) {
    try {
      budget.take(piece)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      expect(error.code).toBe('file_failed')
      return bytes
    }
  }
  return upTo
}

it('keeps the reserve: 1 GiB, or 5% of a small disk', () => {
  expect(written(disk(3 * GiB).budget, 10 * GiB)).toBe(2 * GiB)
  expect(written(disk(100 * MiB, 200 * MiB).budget, GiB)).toBe(90 * MiB)
  expect(written(disk(0).budget, GiB)).toBe(0)
})

it('notices that other programs use the disk, with a limited number of measurements', () => {
  const { space, budget, measurements } = disk(50 * GiB)
  expect(written(budget, GiB)).toBe(GiB)
  space.free = GiB + 64 * MiB
  expect(written(budget, GiB)).toBeLessThanOrEqual(80 * MiB)
  expect(measurements()).toBeLessThan(2 + (GiB + 80 * MiB) / (16 * MiB))
})

it('stops a file with a wrong size, or a compression bomb, before the disk is full', async () => {
  // 40 MiB from 40 KiB: not refused as a compression bomb, but more than the free space.
  const bomb = gzipSync(Buffer.alloc(40 * MiB, '{"kind":"delivery"}\n'), { level: 9 })
  // The last four bytes declare the size of the content: zero.
  bomb.writeUInt32LE(0, bomb.byteLength - 4)
  const { budget } = disk(8 * MiB, 10 * MiB)
  let received = 0
  const unpacker = createUnpacker((chunk) => {
    budget.take(chunk.byteLength)
    received += chunk.byteLength
  })
  const taking = async (): Promise<void> => {
    await unpacker.write(bomb)
    await unpacker.end()
  }
  await expect(taking()).rejects.toThrow('does not fit on the disk of the data folder, where 8 MiB')
  expect(received).toBeLessThanOrEqual(7.5 * MiB)
})

it('rejects a file that cannot fit immediately', () => {
  const { budget } = disk(2 * GiB)
  expect(() => budget.assertFor(GiB)).not.toThrow()
  expect(() => budget.assertFor(GiB + 1)).toThrow('Free up space, then import it again.')
})

it('measures the disk of a folder', () => {
  const { free, size } = spaceAt(tempFolder())
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThanOrEqual(free)
})
