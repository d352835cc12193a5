import { eventLogVersion } from '#contract/event-log.ts'
import { AppError } from '../../platform/errors.ts'

/** So many sentences are told of one log. */
const told = 100

/** What is missing in a log, or was left out of it. */
export class Problems {
  readonly #sentences: string[] = []
  #more = 0

  add(sentence: string): void {
    if (this.#sentences.length < told - 1) this.#sentences.push(sentence)
    else this.#more += 1
  }

  /** What concerns all of it comes first. */
  addFirst(sentence: string): void {
    if (this.#sentences.length === told - 1 && this.#sentences.pop()) this.#more += 1
    this.#sentences.unshift(sentence)
  }

  get count(): number {
    return this.#sentences.length + this.#more
  }

  list(): string[] {
    return this.#more === 0
      ? [...this.#sentences]
      : [...this.#sentences, `So it is with ${this.#more} more.`]
  }
}

/** A file of a version that is not known here. */
export function tooNew(version: number): AppError {
  return new AppError(
    'log_too_new',
    `The event log was written in version ${version} of its format, and this Tabscope reads up to version ${eventLogVersion}. Update Tabscope, then import it again.`,
    { details: { found: version, known: eventLogVersion } },
  )
}
