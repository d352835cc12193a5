/** The same seed gives the same numbers on every machine. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  readonly real: () => number
  /** An integer; both limits are included. */
  readonly between: (from: number, to: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly chance: (share: number) => boolean
  /** A version 4 UUID (RFC 9562, 5.4). */
  readonly uuid: () => string
}

/** sfc32: its 128 bits of state make ID collisions between different seeds unlikely; 32 bits would not. */
export function seeded(seed: number): Random {
  let a = seed | 0
  let b = Math.floor(seed / 2 ** 32) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const word = () => {
    const result = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + result) | 0
    return result >>> 0
  }
  // The first outputs correlate with the seed.
  for (let round = 0; round < 15; round += 1) word()

  const real = () => word() / 2 ** 32
  const between = (from: number, to: number) => from + Math.floor(real() * (to - from + 1))
  return {
    real,
    between,
    pick<T>(from: readonly T[]): T {
      for (const found of from.slice(between(0, from.length - 1))) return found
      throw new RangeError('Cannot pick from an empty list.')
    },
    chance: (share) => real() < share,
    uuid() {
      const hex = [word(), word(), word(), word()]
        .map((part) => part.toString(16).padStart(8, '0'))
        .join('')
      const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
