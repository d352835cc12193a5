/** Shared by the capture and writer threads without messages, one 64-bit slot each: how far journal and store are, and how they are doing. */
const slots = {
  position: 0,
  lastId: 1,
  storedId: 2,
  busy: 3,
  waiting: 4,
  storedPosition: 5,
  storeFailing: 6,
} as const

export class Progress {
  readonly #slots: BigInt64Array
  readonly buffer: SharedArrayBuffer

  constructor(buffer = new SharedArrayBuffer(Object.keys(slots).length * 8)) {
    this.buffer = buffer
    this.#slots = new BigInt64Array(buffer)
  }

  /** Everything up to this logical position of the journal and this ID is durable and responded to. */
  publish(position: number, lastId: number): void {
    Atomics.store(this.#slots, slots.lastId, BigInt(lastId))
    Atomics.store(this.#slots, slots.position, BigInt(position))
    this.wake()
  }

  /** Ends a wait in `pastPosition` immediately. */
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

  set storedId(id: number) {
    Atomics.store(this.#slots, slots.storedId, BigInt(id))
    Atomics.notify(this.#slots, slots.storedId)
  }

  get storedPosition(): number {
    return Number(Atomics.load(this.#slots, slots.storedPosition))
  }

  set storedPosition(position: number) {
    Atomics.store(this.#slots, slots.storedPosition, BigInt(position))
  }

  get isStoreFailing(): boolean {
    return Atomics.load(this.#slots, slots.storeFailing) === 1n
  }

  set isStoreFailing(isFailing: boolean) {
    Atomics.store(this.#slots, slots.storeFailing, isFailing ? 1n : 0n)
  }

  /** Share of time that the capture thread is busy, from 0 to 1. */
  get busy(): number {
    return Number(Atomics.load(this.#slots, slots.busy)) / 1000
  }

  set busy(share: number) {
    Atomics.store(this.#slots, slots.busy, BigInt(Math.round(share * 1000)))
  }

  /** Resolves when the position is past `position`, or after `ms`. */
  async pastPosition(position: number, ms: number): Promise<void> {
    Atomics.store(this.#slots, slots.waiting, 1n)
    // If it was published just before, this check sees it; if it is published from now on, `publish` finds 1 and wakes us.
    if (this.position > position) return
    const wait = Atomics.waitAsync(this.#slots, slots.waiting, 1n, ms)
    if (wait.async) await wait.value
  }

  /** Resolves when the store has more than up to `id`, after `ms`, or when `wakeStored` is called. */
  async pastStored(id: number, ms: number): Promise<void> {
    const seen = Atomics.load(this.#slots, slots.storedId)
    if (Number(seen) > id) return
    // Ends immediately if the value changed since the load.
    const wait = Atomics.waitAsync(this.#slots, slots.storedId, seen, ms)
    if (wait.async) await wait.value
  }

  wakeStored(): void {
    Atomics.notify(this.#slots, slots.storedId)
  }
}
