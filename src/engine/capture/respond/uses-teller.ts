/** Uses are told at least so far apart, in milliseconds. */
const everyMs = 200

/** Tells that something has changed: at once, and then at most five times a second, never the last change too few. */
export class UsesTeller {
  readonly #tell: () => void
  #isDue = false
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(tell: () => void) {
    this.#tell = tell
  }

  changed(): void {
    if (this.#isDue) return
    this.#isDue = true
    const wait = Math.max(0, this.#toldAt + everyMs - performance.now())
    setTimeout(() => {
      this.#isDue = false
      this.#toldAt = performance.now()
      this.#tell()
    }, wait)
  }
}
