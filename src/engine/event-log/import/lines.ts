import { longestLine } from '#contract/event-log.ts'
import { AppError } from '../../errors.ts'

/** A character of UTF-16 takes at most three bytes in UTF-8. */
const longestLineBytes = longestLine * 3
const lineFeed = 0x0a

/** One line without its end. */
export interface Line {
  readonly bytes: Buffer
  /** From 1. */
  readonly number: number
}

/** Cuts bytes into lines, and holds no more than one of them. */
export class Lines {
  readonly #limit: number
  #held: Buffer[] = []
  #heldBytes = 0
  #number = 0

  constructor(limit = longestLineBytes) {
    this.#limit = limit
  }

  /** Bytes of the line that has not ended yet. */
  get open(): number {
    return this.#heldBytes
  }

  /** The lines that end in these bytes. Throws `log_unreadable` for one that is too long. */
  *take(chunk: Buffer): Generator<Line, void, undefined> {
    let from = 0
    for (;;) {
      const to = chunk.indexOf(lineFeed, from)
      const end = to === -1 ? chunk.byteLength : to
      this.#assertShort(end - from)
      if (to === -1) break
      yield this.#line(chunk.subarray(from, to))
      from = to + 1
    }
    if (from < chunk.byteLength) {
      // A copy: whoever gave the bytes may use them again.
      this.#held.push(Buffer.from(chunk.subarray(from)))
      this.#heldBytes += chunk.byteLength - from
    }
  }

  /** What stands behind the last line feed; null: nothing. */
  rest(): Line | null {
    return this.#heldBytes === 0 ? null : this.#line(Buffer.alloc(0))
  }

  #line(last: Buffer): Line {
    const bytes = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last])
    this.#held = []
    this.#heldBytes = 0
    this.#number += 1
    return { bytes, number: this.#number }
  }

  #assertShort(more: number): void {
    if (this.#heldBytes + more <= this.#limit) return
    throw new AppError(
      'log_unreadable',
      `Line ${this.#number + 1} is longer than ${Math.round(this.#limit / 3 / 1024 / 1024)} million characters. No event log has such a line: the file is something else, or it is damaged.`,
    )
  }
}
