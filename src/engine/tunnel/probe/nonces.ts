/**
 * A name for one probe, used once: 14 hex digits of the time and 16 of chance. Later ones are greater as text, so that who remembers only the
 * last of them can still refuse those of before. `now` in milliseconds since the epoch, of a clock that never goes back; `chance`: 8 bytes.
 */
export function newNonce(now: number, chance: Uint8Array): string {
  const time = Math.round(now * 1000)
    .toString(16)
    .padStart(14, '0')
  return time + Buffer.from(chance).toString('hex')
}

/** Which nonces were used. It remembers the last ones; what is no later than one that it forgot counts as used. */
export class UsedNonces {
  readonly #most: number
  readonly #used = new Set<string>()
  #forgotten = ''

  constructor(most = 256) {
    this.#most = most
  }

  /** False when it was used already. */
  use(nonce: string): boolean {
    if (nonce <= this.#forgotten || this.#used.has(nonce)) return false
    this.#used.add(nonce)
    if (this.#used.size > this.#most) {
      const [oldest = ''] = this.#used
      this.#used.delete(oldest)
      if (oldest > this.#forgotten) this.#forgotten = oldest
    }
    return true
  }
}
