import type { ResponseAnswerer } from '../received-request.ts'
import type { CountedRule } from './rules.ts'
import { WaitingLine } from './waiting-line.ts'

/** A delivery on the disk whose answer waits. Its body is not held. */
export interface Delayed {
  readonly id: number
  readonly answerer: ResponseAnswerer
  readonly counted: CountedRule
}

/** So many are given in one go, in order that those due at once do not hold up what arrives. */
const atOnce = 200

/** Answers that wait for their time. */
export class Delays {
  readonly #give: (delayed: Delayed) => void
  readonly #most: number
  readonly #line = new WaitingLine<Delayed>()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #going = false

  /** `give` is called when one is due. Over `most` that wait, the one that is due first is given early. */
  constructor(give: (delayed: Delayed) => void, most: number) {
    this.#give = give
    this.#most = most
  }

  get size(): number {
    return this.#line.size
  }

  /** `delay` in milliseconds from now. */
  add(delayed: Delayed, delay: number): void {
    delayed.answerer.connection.waiting += 1
    this.#line.add(delayed, performance.now() + delay)
    if (this.#line.size > this.#most) this.#giveOne()
    this.#arm()
  }

  /** Gives those on connections that are to be closed, without waiting any longer. */
  hasten(): void {
    this.#line.hasten(({ answerer }) => answerer.connection.closing)
    this.#arm()
  }

  #arm(): void {
    const at = this.#line.nextAt
    if (at === null || this.#going || (this.#timer && this.#timerAt <= at)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#go(), Math.max(0, Math.ceil(at - performance.now())))
  }

  #go(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#going = false
    const now = performance.now()
    for (let given = 0; given < atOnce && this.#isDue(now); given += 1) this.#giveOne()
    if (this.#isDue(now)) {
      this.#going = true
      setImmediate(() => this.#go())
    } else {
      this.#arm()
    }
  }

  #isDue(now: number): boolean {
    const at = this.#line.nextAt
    return at !== null && at <= now
  }

  #giveOne(): void {
    const delayed = this.#line.take()
    if (!delayed) return
    delayed.answerer.connection.waiting -= 1
    this.#give(delayed)
  }
}
