import { statfsSync } from 'node:fs'
import { formatSize } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'

/** So much of a disk stays free for the deliveries that arrive meanwhile: this many bytes, or this share of a small disk. */
const reserveBytes = 1024 ** 3
const reserveShare = 0.05
/** Others use the disk too, and a store is larger than its content: what is free is looked at again after so many bytes. */
const lookEvery = 16 * 1024 * 1024

/** Of a disk, in bytes. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** What an import may still write. */
export interface DiskBudget {
  /** Throws `file_failed` where so many bytes more would not fit. */
  assertFor(bytes: number): void
  /** So many bytes more are about to be written. Throws `file_failed` where they would leave less than the reserve. */
  take(bytes: number): void
}

/**
 * Bounds what an import writes by what is free at its beginning, and by what is free as it goes on: neither the size of a compressed file nor
 * what it says of its content tells how much comes of it.
 */
export function createDiskBudget(measure: () => DiskSpace): DiskBudget {
  const { free, size } = measure()
  const reserve = Math.min(reserveBytes, size * reserveShare)
  let left = free - reserve
  let untilLook = lookEvery
  const assertFor = (bytes: number): void => {
    if (left < bytes) throw tooLittle(free)
  }
  return {
    assertFor,
    take: (bytes) => {
      left -= bytes
      untilLook -= bytes
      if (untilLook <= 0) {
        untilLook = lookEvery
        left = Math.min(left, measure().free - reserve)
      }
      assertFor(0)
    },
  }
}

/** Of the disk that a folder is on. */
export function spaceAt(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

function tooLittle(free: number): AppError {
  return new AppError(
    'file_failed',
    `The log does not fit on the disk of the data folder, where ${formatSize(free)} were free. Free up space, then import it again. Or export less at a time, by a filter or a time span.`,
  )
}
