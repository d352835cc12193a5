import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs'
import { watchFile } from '../platform/storage-failure.ts'
import { listSegments, segmentPath } from './journal-format.ts'

/** The writer thread deletes a segment once the store has all its records. */
const segmentBytes = 64 * 1024 * 1024
/**
 * A segment grows in advance by its own size, within these bounds, filled with zeros, which readers take for its end: syncing existing bytes takes
 * half as long as recording a new file size as well.
 */
const growth = { least: 64 * 1024, most: 1024 * 1024 } as const
const zeros = Buffer.alloc(growth.most)
/** Deliveries are accepted again when this much can be written. */
const probeBytes = 64 * 1024

interface OpenSegment {
  readonly fd: number
  readonly start: number
  /** Throws if the file was moved or deleted. */
  readonly assertExists: () => void
  /** File size with the zeros after what is written. Infinity: it no longer grows in advance. */
  allocated: number
}

export class JournalWriter {
  readonly #dir: string
  #assertDir: (() => void) | null = null
  #segment: OpenSegment | null = null
  #position: number
  /** After a failed sync the next record goes to a new segment, because readers skip the rest of a segment after a damaged record. */
  #isDamaged = false

  /** Opens no file before the first append, so that Tabscope can start with a full disk. */
  constructor(dir: string, end: number) {
    this.#dir = dir
    this.#position = end
  }

  get position(): number {
    return this.#position
  }

  /** Does not wait for the disk. On failure it restores the length of the journal and throws. */
  append(bytes: Uint8Array): void {
    const segment = this.#open()
    const { fd, start } = segment
    const at = this.#position - start
    if (at + bytes.byteLength > segment.allocated) grow(segment, at + bytes.byteLength)
    try {
      writeAll(fd, bytes, at)
    } catch (error) {
      cutOff(segment, at)
      throw error
    }
    this.#position += bytes.byteLength
  }

  /** Syncs on another thread, so that this one keeps reading requests. Calls back with an error if that failed or the file was deleted. */
  sync(done: (error: Error | null) => void): void {
    const { fd, assertExists } = this.#open()
    fdatasync(fd, (error) => done(error ?? failureOf(assertExists)))
  }

  /** `end`: a logical position. Call after a failed sync. */
  discardAfter(end: number): void {
    this.#position = end
    this.#isDamaged = true
  }

  /** Starts a new segment if this one is damaged or has `bytes`, and returns whether it did. Call only when no sync is running. */
  rotate(bytes = segmentBytes): boolean {
    const segment = this.#segment
    if (!segment) return false
    if (!this.#isDamaged && this.#position - segment.start < bytes) return false
    // Readers expect the next segment to start where this one ends.
    ftruncateSync(segment.fd, this.#position - segment.start)
    // Its last records are not synced yet: a power failure would leave a gap before synced deliveries.
    fdatasyncSync(segment.fd)
    this.#segment = this.#create(this.#position)
    this.#isDamaged = false
    closeSync(segment.fd)
    return true
  }

  /** Throws if deliveries still cannot be written. Leaves no bytes behind. Call only when no sync is running. */
  probe(): void {
    this.rotate()
    const segment = this.#open()
    const { fd, start, assertExists } = segment
    const at = this.#position - start
    // Allocated bytes say nothing about free space on the disk.
    cutOff(segment, at)
    try {
      writeAll(fd, Buffer.alloc(probeBytes), at)
      fdatasyncSync(fd)
    } finally {
      cutOff(segment, at)
    }
    assertExists()
  }

  /** Throws if the last bytes could not be synced. Deliveries that got a response are on disk in any case. */
  close(): void {
    const segment = this.#segment
    if (!segment) return
    this.#segment = null
    cutOff(segment, this.#position - segment.start)
    try {
      fsyncSync(segment.fd)
    } finally {
      closeSync(segment.fd)
    }
  }

  /** On first use opens the journal at its end and removes a torn tail. */
  #open(): OpenSegment {
    if (this.#segment) return this.#segment
    if (!this.#assertDir) {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
      this.#assertDir = watchFile(this.#dir)
    }
    const last = listSegments(this.#dir).findLast(({ start }) => start <= this.#position)
    if (!last) return (this.#segment = this.#create(this.#position))
    const fd = openSync(last.path, 'r+')
    try {
      const allocated = this.#position - last.start
      ftruncateSync(fd, allocated)
      this.#segment = { fd, start: last.start, assertExists: watchFile(last.path), allocated }
      return this.#segment
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  #create(start: number): OpenSegment {
    // The folder may have been replaced, possibly by that of another Tabscope.
    this.#assertDir?.()
    const path = segmentPath(this.#dir, start)
    const fd = openSync(path, 'w', 0o600)
    try {
      // The file name must be on disk before its content counts as stored. Windows has no such call.
      if (process.platform !== 'win32') syncFolder(this.#dir)
      return { fd, start, assertExists: watchFile(path), allocated: 0 }
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }
}

function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.byteLength;) {
    written += writeSync(fd, bytes, written, bytes.byteLength - written, at + written)
  }
}

/** Grows the file beyond `end`, or only by what is written if the disk has no room for more. */
function grow(segment: OpenSegment, end: number): void {
  const bytes = Math.min(Math.max(end, growth.least), growth.most)
  try {
    writeAll(segment.fd, zeros.subarray(0, bytes), end)
    segment.allocated = end + bytes
  } catch {
    ftruncateSync(segment.fd, segment.allocated)
    segment.allocated = Number.POSITIVE_INFINITY
  }
}

/** Ignores failures: readers ignore bytes after the end, and the next append overwrites them. */
function cutOff(segment: OpenSegment, at: number): void {
  try {
    ftruncateSync(segment.fd, at)
    segment.allocated = at
  } catch {
    // The rest does no harm.
  }
}

function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function failureOf(check: () => void): Error | null {
  try {
    check()
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error('unknown reason', { cause: error })
  }
}
