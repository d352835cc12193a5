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

/** So many losses in a row cost the shortest wait: a server that is started again some times is no reason to be slow. */
const forgiven = 15

/**
 * Waits longer from one try that fails to the next. A tunnel that opens, but is lost again and again before it has held, costs longer waits as
 * well, after some losses: it must not hammer its server.
 */
export class BackOff {
  readonly #random: () => number
  readonly #holdsAfter: number
  /** Tries in a row that failed. */
  #failures = 0
  /** Tunnels in a row that were lost before one has held. */
  #losses = 0
  #onlineSince: number | null = null

  /** `random`: from 0 to 1; `holdsAfter`: a tunnel that is online for so long, in milliseconds, has held. */
  constructor(random: () => number, holdsAfter: number) {
    this.#random = random
    this.#holdsAfter = holdsAfter
  }

  /** What made the last tries fail may be over. */
  beginAnew(): void {
    this.#failures = 0
    this.#losses = 0
  }

  /** `now` in milliseconds. */
  online(now: number): void {
    this.#failures = 0
    this.#onlineSince ??= now
  }

  notOnline(now: number): void {
    if (this.#onlineSince !== null && now - this.#onlineSince >= this.#holdsAfter) this.#losses = 0
    this.#onlineSince = null
  }

  /** Milliseconds until the next try, after one that failed. */
  failed(): number {
    this.#failures += 1
    return this.#wait(this.#failures - 1)
  }

  /** The same after the loss of a tunnel that was open: the first costs no wait. */
  lost(): number {
    this.#losses += 1
    return this.#losses === 1 ? 0 : this.#wait(0)
  }

  #wait(before: number): number {
    return backOff(Math.max(before, this.#losses - forgiven), this.#random())
  }
}
