/** In milliseconds. */
const limits = {
  /** Without any connection until that is said: a server may close each one that has served, and be given a new one at once. */
  noticed: 150,
  /** Without any connection until the tunnel has ended; sooner where the port is closed, which no server opens again unasked. */
  ended: { refused: 300, otherwise: 3000 },
  /** Between two words of trouble while some are open. */
  trouble: 5000,
  look: 50,
}

export interface AbsenceParts {
  /** The server's end, as it is named in sentences. */
  readonly place: string
  /** Whether a connection is open that is of use. */
  readonly served: () => boolean
  readonly trouble: (reason: string) => void
  /** None can be had any more. Said once. */
  readonly ended: (reason: string) => void
}

/** The time without any connection: when that is said, and when it is the end of the tunnel. */
export class Absence {
  readonly #parts: AbsenceParts
  #why = ''
  #refused = false
  #since = 0
  #watch: NodeJS.Timeout | null = null
  #toldAt = -Infinity
  #told = false

  constructor(parts: AbsenceParts) {
    this.#parts = parts
  }

  /** Why no connection can be had, as far as it is known. */
  get reason(): string {
    return this.#why === '' ? `no connection to ${this.#parts.place} is left` : this.#why
  }

  /** A connection could not be had: `code` is the system's word for why. */
  unreachable(code: string): void {
    const { place } = this.#parts
    this.#refused = code === 'ECONNREFUSED'
    this.#why = this.#refused
      ? `${place} refuses connections`
      : `${place} cannot be reached${code === '' ? '' : ` (${code})`}`
  }

  /** A connection was closed as soon as it was open; `again`: not for the first time. */
  shut(again: boolean): void {
    this.#refused = false
    this.#why = again ? `${this.#parts.place} closes each connection as soon as it is open` : ''
  }

  /** None is open: as long as that lasts, it is looked at closely. */
  begin(): void {
    if (this.#watch) return
    this.#since = performance.now()
    this.#watch = setInterval(() => this.#look(), limits.look)
  }

  /** There is one again, or there was one that was of use. */
  end(): void {
    if (this.#watch) clearInterval(this.#watch)
    this.#watch = null
    this.#told = false
  }

  /** One has served: what was wrong before is so no more. */
  forget(): void {
    this.#refused = false
    this.#why = ''
    this.end()
  }

  /** Says what is wrong, while others are open: now and then; while none is: once. */
  tell(others: boolean): void {
    if (others ? performance.now() - this.#toldAt < limits.trouble : this.#told) return
    this.#told = !others
    this.#toldAt = performance.now()
    this.#parts.trouble(`${this.reason}. Was the tunnel's server restarted?`)
  }

  #look(): void {
    const lasts = performance.now() - this.#since
    if (this.#parts.served()) this.end()
    else if (lasts >= (this.#refused ? limits.ended.refused : limits.ended.otherwise)) {
      this.end()
      this.#parts.ended(this.reason)
    } else if (lasts >= limits.noticed) this.tell(false)
  }
}
