/** Where bytes go. What returns a promise wants no more until it is fulfilled. */
export interface Sink {
  /** Bytes that went out, as they stand in the file. */
  readonly bytes: number
  /** The bytes may not be changed afterwards. */
  write(bytes: Uint8Array): Promise<void> | void
  /** All is written: it is whole, and stays. */
  end(): Promise<void>
  /** Nothing of it stays. Never throws. */
  abort(): Promise<void>
}

/** Takes all, keeps nothing, and knows how much it was. */
export function openCountingSink(): Sink {
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    write: (piece) => {
      bytes += piece.byteLength
    },
    end: async () => undefined,
    abort: async () => undefined,
  }
}
