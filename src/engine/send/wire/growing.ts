/** Bytes that are gathered piece by piece, however small the pieces, in a buffer of their own. */
export class Growing {
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** `expected`: of how many bytes there will be, as far as that is known. */
  add(piece: Uint8Array, expected = 0): void {
    const needed = this.#length + piece.byteLength
    if (needed > this.#bytes.byteLength) {
      const room = Math.max(
        needed,
        expected,
        Math.min(this.#bytes.byteLength * 2, needed + 1_048_576),
      )
      // Not of the shared pool: it would go along whenever the bytes are handed to another thread.
      const grown = Buffer.allocUnsafeSlow(room)
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** All of it so far, not copied. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** All of it, alone in its memory. */
  whole(): Uint8Array {
    return this.#length === this.#bytes.byteLength ? this.#bytes : new Uint8Array(this.view())
  }
}
