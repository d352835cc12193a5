/** In milliseconds. */
const shortest = 100
const longest = 30_000

/**
 * How long to wait before the next try, in milliseconds, after `before` waits in a row: doubling from 0.1 s to 30 s. Up to half of it is left to
 * chance (0 to 1), so that many that lost the same server do not come back all at once.
 */
export function backOff(before: number, chance: number): number {
  const whole = Math.min(longest, shortest * 2 ** Math.min(before, 30))
  return Math.round(Math.min(longest, Math.max(shortest, whole * (0.5 + chance / 2))))
}

/** Waits longer from one try to the next, until a tunnel has held: one that comes and goes must not hammer its server. */
export class BackOff {
  readonly #random: () => number
  readonly #holdsAfter: number
  #before = 0
  #onlineSince: number | null = null

  /** `random`: from 0 to 1; `holdsAfter`: a tunnel that is online for so long, in milliseconds, has held. */
  constructor(random: () => number, holdsAfter: number) {
    this.#random = random
    this.#holdsAfter = holdsAfter
  }

  /** What made the last tries fail may be over. */
  beginAnew(): void {
    this.#before = 0
  }

  online(now: number): void {
    this.#onlineSince ??= now
  }

  notOnline(now: number): void {
    if (this.#onlineSince !== null && now - this.#onlineSince >= this.#holdsAfter) this.#before = 0
    this.#onlineSince = null
  }

  /** Milliseconds until the next try. The first loss of a tunnel that was open costs no wait. */
  next(wasUp: boolean): number {
    const before = this.#before
    this.#before += 1
    return wasUp && before === 0 ? 0 : backOff(before, this.#random())
  }
}
