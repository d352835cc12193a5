import { AppError } from '../../errors.ts'
import { whatItSeems } from './what-it-seems.ts'
import type { DiskRoom } from './disk-room.ts'
import type { LogStore } from './log-store.ts'
import { HarReader } from './har.ts'
import { NativeReader } from './native.ts'
import type { Problems } from './problems.ts'
import type { LogReader, ReadLog } from './reader.ts'

/** So much of a file decides what it is, in bytes. */
const enough = 4096

/** Finds out by the first bytes what a file is, and has it read by the reader of its format. */
export class Sniffer implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #part: string
  readonly #room: DiskRoom
  #held: Buffer[] = []
  #heldBytes = 0
  #reader: LogReader | null = null

  /** `part`: the name under which other files may be put aside meanwhile. */
  constructor(store: LogStore, problems: Problems, part: string, room: DiskRoom) {
    this.#store = store
    this.#problems = problems
    this.#part = part
    this.#room = room
  }

  take(chunk: Buffer): void {
    if (this.#reader) return this.#reader.take(chunk)
    // A copy: whoever gave the bytes may use them again.
    this.#held.push(Buffer.from(chunk))
    this.#heldBytes += chunk.byteLength
    if (this.#heldBytes >= enough) this.#begin()
  }

  finish(torn: string | null): ReadLog {
    const reader = this.#reader ?? this.#begin()
    return reader.finish(torn)
  }

  close(): void {
    this.#reader?.close()
  }

  #begin(): LogReader {
    const held = Buffer.concat(this.#held)
    this.#held = []
    const seems = whatItSeems(held.subarray(0, enough))
    if (seems.kind === 'other') throw new AppError('log_unreadable', seems.sentence)
    const reader = this.#readerOf(seems.kind)
    this.#reader = reader
    reader.take(held)
    return reader
  }

  #readerOf(kind: 'ndjson' | 'har'): LogReader {
    switch (kind) {
      case 'ndjson':
        return new NativeReader(this.#store, this.#problems)
      case 'har':
        return new HarReader(this.#store, this.#problems, `${this.#part}-entries`, this.#room)
    }
  }
}
