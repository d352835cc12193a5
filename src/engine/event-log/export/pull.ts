import { createTurn } from '../../turn.ts'

export interface Pulled {
  readonly bytes: Uint8Array
  readonly done: boolean
}

/** Pieces of an export that are handed out one by one, in order, to whoever asks. */
export interface Pull {
  give(piece: Uint8Array): void
  /** No more follow. With a reason those that ask are refused, also while pieces wait. */
  end(reason: Error | null): void
  /** The next piece, once there is one. Those that ask at the same time get theirs one after the other. */
  next(): Promise<Pulled>
}

/** `taken`: so many bytes wait no more. */
export function createPull(taken: (bytes: number) => void): Pull {
  const turn = createTurn()
  const waiting: Uint8Array[] = []
  let ended: { readonly reason: Error | null } | null = null
  let came: (() => void) | null = null
  const tell = (): void => {
    came?.()
    came = null
  }
  const next = async (): Promise<Pulled> => {
    while (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => (came = resolve))
    }
    if (ended?.reason) throw ended.reason
    const piece = waiting.shift() ?? new Uint8Array()
    if (piece.byteLength > 0) taken(piece.byteLength)
    return { bytes: piece, done: ended !== null && waiting.length === 0 }
  }
  return {
    give: (piece) => {
      waiting.push(piece)
      tell()
    },
    end: (reason) => {
      ended ??= { reason }
      if (reason) waiting.length = 0
      tell()
    },
    next: () => turn(next),
  }
}
