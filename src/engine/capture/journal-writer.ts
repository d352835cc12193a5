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

/** A segment is closed once it is this large; the writer thread deletes it when the store has it all. */
const segmentBytes = 64 * 1024 * 1024
/** Room for so many bytes is enough to accept deliveries again. */
const probeBytes = 64 * 1024

interface OpenSegment {
  readonly fd: number
  readonly start: number
  /** Throws once the file was moved or deleted. */
  readonly assertThere: () => void
}

/** Appends to the journal. One for each data folder; the thread that holds it does nothing slow. */
export class JournalWriter {
  readonly #dir: string
  #assertDir: (() => void) | null = null
  #segment: OpenSegment | null = null
  #position: number
  /** The last sync failed: what follows goes to a new segment, since a damaged record takes the rest of its segment with it. */
  #doubtful = false

  /** Nothing is opened before the first append, so that a disk that is full now is no reason not to start. */
  constructor(dir: string, end: number) {
    this.#dir = dir
    this.#position = end
  }

  get position(): number {
    return this.#position
  }

  /** Appends without waiting for the disk. On failure the journal is as long as before, and it throws. */
  append(bytes: Uint8Array): void {
    const { fd, start } = this.#open()
    const at = this.#position - start
    try {
      writeAll(fd, bytes, at)
    } catch (error) {
      cutOff(fd, at)
      throw error
    }
    this.#position += bytes.byteLength
  }

  /**
   * Calls back once all that was appended is on the disk: off this thread, which meanwhile reads requests. With an error where it is not, or
   * where the file has no name any more, so that nobody would find it.
   */
  sync(done: (error: Error | null) => void): void {
    const { fd, assertThere } = this.#open()
    fdatasync(fd, (error) => done(error ?? failureOf(assertThere)))
  }

  /** A sync has failed: what lies behind the logical position `end` counts no more. */
  takeBack(end: number): void {
    this.#position = end
    this.#doubtful = true
  }

  /** Begins a new segment when this one is full, or must not be trusted. Only when no sync is under way. */
  rotate(): void {
    const segment = this.#segment
    if (!segment) return
    if (!this.#doubtful && this.#position - segment.start < segmentBytes) return
    // Whoever reads must find the next segment where this one ends.
    if (this.#doubtful) ftruncateSync(segment.fd, this.#position - segment.start)
    // Its last answers are not synced yet: power lost now would leave a gap before deliveries that are.
    fdatasyncSync(segment.fd)
    this.#segment = this.#create(this.#position)
    this.#doubtful = false
    closeSync(segment.fd)
  }

  /** Tries whether deliveries can be written again, without leaving anything. Throws while they cannot. Only when no sync is under way. */
  probe(): void {
    this.rotate()
    const { fd, start, assertThere } = this.#open()
    const at = this.#position - start
    try {
      writeAll(fd, Buffer.alloc(probeBytes), at)
      fdatasyncSync(fd)
    } finally {
      cutOff(fd, at)
    }
    assertThere()
  }

  /** Throws where the last of it could not be synced; what was answered is on the disk all the same. */
  close(): void {
    const segment = this.#segment
    if (!segment) return
    this.#segment = null
    try {
      fsyncSync(segment.fd)
    } finally {
      closeSync(segment.fd)
    }
  }

  /** At its first call opens the journal at its end, and cuts off a torn tail. */
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
      ftruncateSync(fd, this.#position - last.start)
      this.#segment = { fd, start: last.start, assertThere: watchFile(last.path) }
      return this.#segment
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  #create(start: number): OpenSegment {
    // In the place of the folder there may be another one, of another Tabscope.
    this.#assertDir?.()
    const path = segmentPath(this.#dir, start)
    const fd = openSync(path, 'w', 0o600)
    try {
      // The name must be on the disk before anything in the file counts as kept. Windows has no such call.
      if (process.platform !== 'win32') syncFolder(this.#dir)
      return { fd, start, assertThere: watchFile(path) }
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

/** What stands behind is written over by the next append, and means nothing to whoever reads: so a failure of this is none. */
function cutOff(fd: number, at: number): void {
  try {
    ftruncateSync(fd, at)
  } catch {
    // The failure before it says what is wrong.
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
