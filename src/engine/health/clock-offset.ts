import { minuteOf } from './local-time.ts'

const keptMinutes = 60
/** A larger difference is no clock. */
const limitMs = 86_400_000

/**
 * Estimates how far this computer's clock is behind that of the service: events cannot arrive before they are created. Of each minute with deliveries, the
 * shortest time from creation to arrival counts, and of these the median, so that one wrong `createdAt` changes nothing. A clock that is ahead cannot be
 * told from a delay.
 */
export class ClockOffset {
  #shortest: number[] = []
  #minute = 0
  #behind: number

  /** `behind`: the last estimate, in milliseconds. */
  constructor(behind: number) {
    this.#behind = behind
  }

  get behind(): number {
    return this.#behind
  }

  /** Both in milliseconds since the epoch. Returns the corrected delay in milliseconds. */
  take(createdAt: number, receivedAt: number): number {
    const delay = receivedAt - createdAt
    if (Math.abs(delay) <= limitMs) this.#observe(minuteOf(receivedAt), delay)
    return Math.max(0, delay + this.#behind)
  }

  #observe(minute: number, delay: number): void {
    const last = this.#shortest.length - 1
    if (minute === this.#minute && last >= 0) {
      if (delay >= (this.#shortest[last] ?? 0)) return
      this.#shortest[last] = delay
    } else {
      this.#minute = minute
      this.#shortest = [...this.#shortest, delay].slice(-keptMinutes)
    }
    const sorted = this.#shortest.toSorted((a, b) => a - b)
    this.#behind = Math.max(0, -Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0))
  }
}
