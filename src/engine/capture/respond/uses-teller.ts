/** Uses are told at least so far apart, in milliseconds. */
const everyMs = 200

/** Tells that something has changed: at once, and then at most five times a second, never the last change too few. */
export class UsesTeller {
  readonly #tell: () => void
  #timer: NodeJS.Timeout | null = null
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(tell: () => void) {
    this.#tell = tell
  }

  changed(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        this.#toldAt = performance.now()
        this.#tell()
      },
      Math.max(0, this.#toldAt + everyMs - performance.now()),
    )
  }
}
