/** Bytes that may have been signed. */
export interface Message {
  /** Departures from "the body as it came"; empty: none. */
  readonly codes: readonly string[]
  /** "the body as it came", for the sentence that says what matched. */
  readonly words: string
  /** The bytes in pieces, made as they are asked for: a large body is never held twice. A piece is good until the next is asked for. */
  readonly pieces: () => Iterable<Uint8Array>
}

export function message(codes: readonly string[], words: string, ...bytes: Uint8Array[]): Message {
  return { codes, words, pieces: () => bytes }
}
