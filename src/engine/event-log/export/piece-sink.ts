import type { Sink } from './sink.ts'

/** At most so many bytes wait to be taken. */
export const waitingBytes = 1024 * 1024
/** Bytes of one piece, at most. */
const pieceBytes = 256 * 1024

export interface PieceSink extends Sink {
  /** So many bytes were taken; 0: whoever waits looks whether it is to end. */
  taken(bytes: number): void
}

/** Hands bytes out in pieces, and wants no more while too many of them wait. `check` throws where it is to end. */
export function openPieceSink(
  give: (piece: Uint8Array<ArrayBuffer>) => void,
  check: () => void,
): PieceSink {
  let bytes = 0
  let waiting = 0
  let goOn: (() => void) | null = null
  return {
    get bytes() {
      return bytes
    },
    write: async (all) => {
      for (let at = 0; at < all.byteLength; at += pieceBytes) {
        while (waiting >= waitingBytes) {
          await new Promise<void>((resolve) => (goOn = resolve))
          check()
        }
        // A copy: it goes to another thread, and its memory with it.
        const piece = new Uint8Array(all.subarray(at, at + pieceBytes))
        waiting += piece.byteLength
        bytes += piece.byteLength
        give(piece)
      }
    },
    taken: (count) => {
      waiting -= count
      goOn?.()
      goOn = null
    },
    end: async () => undefined,
    abort: async () => undefined,
  }
}
