import { statfsSync } from 'node:fs'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'

/** Stays free for deliveries received during the import: this many bytes, or this share of a small disk. */
const reserveBytes = 1024 ** 3
const reserveShare = 0.05
/** Other programs use the disk too, and a store is larger than its content. */
const measureEvery = 16 * 1024 * 1024

export interface DiskSpace {
  readonly free: number
  readonly size: number
}

export interface DiskBudget {
  /** Throws `file_failed` if this many further bytes would not fit. */
  assertFor(bytes: number): void
  /** Call before writing this many bytes. Throws `file_failed` if they would leave less than the reserve. */
  take(bytes: number): void
}

/** Measures repeatedly: neither the size of a compressed file nor the size that it declares predicts its content. */
export function createDiskBudget(measure: () => DiskSpace): DiskBudget {
  const { free, size } = measure()
  const reserve = Math.min(reserveBytes, size * reserveShare)
  let remaining = free - reserve
  let untilMeasure = measureEvery
  const assertFor = (bytes: number): void => {
    if (remaining < bytes) throw notEnoughSpace(free)
  }
  return {
    assertFor,
    take: (bytes) => {
      remaining -= bytes
      untilMeasure -= bytes
      if (untilMeasure <= 0) {
        untilMeasure = measureEvery
        remaining = Math.min(remaining, measure().free - reserve)
      }
      assertFor(0)
    },
  }
}

export function spaceAt(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

function notEnoughSpace(free: number): AppError {
  return new AppError(
    'file_failed',
    `The log does not fit on the disk of the data folder, where ${formatSize(free)} were free. Free up space, then import it again. Or export fewer deliveries at a time, with a filter or a time range.`,
  )
}
