import { RelayFailure } from './connection.ts'
import type { Advance, Position, RelayedReply } from './messages.ts'

/** By subject: what the writer has, and what it was given. */
export class Positions {
  readonly #stored: Map<string, Position>
  #given: Map<string, Position>
  #pending = new Set<Promise<unknown>>()

  constructor(stored: readonly Position[]) {
    this.#stored = new Map(stored.map((each) => [each.subject, each]))
    this.#given = new Map(this.#stored)
  }

  of(subject: string): number {
    return this.#given.get(subject)?.position ?? 0
  }

  /** Of what is stored. */
  atOf(subject: string): number | null {
    return this.#stored.get(subject)?.atMs ?? null
  }

  /** Rejects if the writer could not store it. */
  async posted(advances: readonly Advance[], reply: Promise<RelayedReply>): Promise<void> {
    for (const each of advances) this.#given.set(each.subject, each)
    this.#pending.add(reply)
    const { failed } = await reply
    this.#pending.delete(reply)
    if (failed !== null) {
      throw new RelayFailure('offline', `What the relay delivers cannot be stored: ${failed}`)
    }
    for (const each of advances) {
      this.#stored.set(each.subject, { ...each, atMs: each.atMs ?? this.atOf(each.subject) })
    }
  }

  /** Resolves when the writer has responded to everything; then only what is stored counts. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
    // After the handlers of the replies.
    await Promise.resolve()
    this.#given = new Map(this.#stored)
  }
}
