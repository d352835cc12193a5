/**
 * What capture and writer share without a message: how far the journal is durable and answered, how far the store has it,
 * and how busy the capture thread is. One 64-bit slot each.
 */
const slots = { position: 0, lastId: 1, storedId: 2, busy: 3, waiting: 4 } as const

export class Progress {
  readonly #slots: BigInt64Array
  readonly buffer: SharedArrayBuffer

  constructor(buffer = new SharedArrayBuffer(Object.keys(slots).length * 8)) {
    this.buffer = buffer
    this.#slots = new BigInt64Array(buffer)
  }

  /** Everything up to this logical position of the journal, and to this id, is durable and answered. */
  publish(position: number, lastId: number): void {
    Atomics.store(this.#slots, slots.lastId, BigInt(lastId))
    Atomics.store(this.#slots, slots.position, BigInt(position))
    this.wake()
  }

  /** Ends a wait at once. */
  wake(): void {
    if (Atomics.exchange(this.#slots, slots.waiting, 0n) === 1n) {
      Atomics.notify(this.#slots, slots.waiting)
    }
  }

  get position(): number {
    return Number(Atomics.load(this.#slots, slots.position))
  }

  get lastId(): number {
    return Number(Atomics.load(this.#slots, slots.lastId))
  }

  get storedId(): number {
    return Number(Atomics.load(this.#slots, slots.storedId))
  }

  /** Ends what waits in `pastStored`. */
  set storedId(id: number) {
    Atomics.store(this.#slots, slots.storedId, BigInt(id))
    Atomics.notify(this.#slots, slots.storedId)
  }

  /** Share of its time that the capture thread is at work, from 0 to 1. */
  get busy(): number {
    return Number(Atomics.load(this.#slots, slots.busy)) / 1000
  }

  set busy(share: number) {
    Atomics.store(this.#slots, slots.busy, BigInt(Math.round(share * 1000)))
  }

  /** Resolves when the position is past `position`, or after `ms`. */
  async pastPosition(position: number, ms: number): Promise<void> {
    Atomics.store(this.#slots, slots.waiting, 1n)
    // Published between the look and the wait: the exchange in `publish` then found 1, or we find it here.
    if (this.position > position) return
    const wait = Atomics.waitAsync(this.#slots, slots.waiting, 1n, ms)
    if (wait.async) await wait.value
  }

  /** Resolves when the store has more than up to `id`, after `ms`, or at `wakeStored`. */
  async pastStored(id: number, ms: number): Promise<void> {
    const seen = Atomics.load(this.#slots, slots.storedId)
    if (Number(seen) > id) return
    // Waits on the number itself: one that was stored since the look is another, and the wait is over before it begins.
    const wait = Atomics.waitAsync(this.#slots, slots.storedId, seen, ms)
    if (wait.async) await wait.value
  }

  /** Ends every `pastStored` at once. */
  wakeStored(): void {
    Atomics.notify(this.#slots, slots.storedId)
  }
}
