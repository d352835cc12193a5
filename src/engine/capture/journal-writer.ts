import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs'
import { listSegments, segmentPath } from './journal-files.ts'

/** A segment is closed once it is this large; the writer thread deletes it when the store has it all. */
const segmentBytes = 64 * 1024 * 1024

/** Appends to the journal. One for each data folder; the thread that holds it does nothing slow. */
export class JournalWriter {
  readonly #dir: string
  #fd: number
  #start: number
  #position: number

  /** Opens the journal at its end, and cuts off a torn tail. */
  constructor(dir: string, end: number) {
    this.#dir = dir
    const last = listSegments(dir).findLast(({ start }) => start <= end)
    this.#position = end
    if (last) {
      this.#start = last.start
      this.#fd = openSync(last.path, 'r+')
      ftruncateSync(this.#fd, end - last.start)
    } else {
      this.#start = end
      this.#fd = this.#create(end)
    }
  }

  get position(): number {
    return this.#position
  }

  /** Appends without waiting for the disk. On failure the journal is as long as before, and it throws. */
  append(bytes: Uint8Array): void {
    let written = 0
    try {
      while (written < bytes.byteLength) {
        written += writeSync(
          this.#fd,
          bytes,
          written,
          bytes.byteLength - written,
          this.#position - this.#start + written,
        )
      }
    } catch (error) {
      ftruncateSync(this.#fd, this.#position - this.#start)
      throw error
    }
    this.#position += bytes.byteLength
  }

  /** Calls back once all that was appended is on the disk: off this thread, which meanwhile reads requests. */
  sync(done: (error: Error | null) => void): void {
    fdatasync(this.#fd, done)
  }

  /** Begins a new segment when this one is full. Only when no sync is under way. */
  rotate(): void {
    if (this.#position - this.#start < segmentBytes) return
    // Its last answers are not synced yet: power lost now would leave a gap before deliveries that are.
    fdatasyncSync(this.#fd)
    const next = this.#create(this.#position)
    closeSync(this.#fd)
    this.#fd = next
    this.#start = this.#position
  }

  close(): void {
    fsyncSync(this.#fd)
    closeSync(this.#fd)
  }

  #create(start: number): number {
    const fd = openSync(segmentPath(this.#dir, start), 'w', 0o600)
    // The name must be on the disk before anything in the file counts as kept. Windows has no such call.
    if (process.platform !== 'win32') {
      const folder = openSync(this.#dir, 'r')
      fsyncSync(folder)
      closeSync(folder)
    }
    return fd
  }
}
