/** Shared by threads without messages, one 64-bit slot each. */
const slots = { storedId: 0, busy: 1 } as const

export class Progress {
  readonly #slots: BigInt64Array
  readonly buffer: SharedArrayBuffer

  constructor(buffer = new SharedArrayBuffer(Object.keys(slots).length * 8)) {
    this.buffer = buffer
    this.#slots = new BigInt64Array(buffer)
  }

  /** The newest delivery that is durable and visible to queries. */
  get storedId(): number {
    return Number(Atomics.load(this.#slots, slots.storedId))
  }

  set storedId(id: number) {
    Atomics.store(this.#slots, slots.storedId, BigInt(id))
    this.wake()
  }

  /** Share of time that the capture thread is busy, from 0 to 1. */
  get busy(): number {
    return Number(Atomics.load(this.#slots, slots.busy)) / 1000
  }

  set busy(share: number) {
    Atomics.store(this.#slots, slots.busy, BigInt(Math.round(share * 1000)))
  }

  /** Resolves when the store has more than up to `id`, after `ms`, or when `wake` is called. */
  async pastStored(id: number, ms: number): Promise<void> {
    const seen = Atomics.load(this.#slots, slots.storedId)
    if (Number(seen) > id) return
    // Ends immediately if the value changed since the load.
    const wait = Atomics.waitAsync(this.#slots, slots.storedId, seen, ms)
    if (wait.async) await wait.value
  }

  wake(): void {
    Atomics.notify(this.#slots, slots.storedId)
  }
}
