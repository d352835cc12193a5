import { Digests } from './digests.ts'
import type { RemovalKind } from './edits.ts'
import type { KnownValues } from './known.ts'
import type { Ledger } from './ledger.ts'
import { isPseudonym, type Pseudonyms } from './pseudonyms.ts'

/** Where a value stands. */
export interface Place {
  /** As the preview tells it. Asked for only when something is taken out. */
  readonly say: () => string
  /** An id: digits alone are no phone number. */
  readonly id: boolean
}

/** Fewer characters are found everywhere by chance. */
const shortestRepeated = 6
const mostRepeated = 200

/** Gives values their pseudonyms, keeps account of it, and remembers what the delivery at hand must not repeat. */
export class RedactionSession {
  readonly ledger: Ledger
  readonly known: KnownValues
  readonly digests = new Digests()
  readonly #pseudonyms: Pseudonyms
  #repeated = new Map<string, RemovalKind>()
  /**
   * What went out of bodies by a rule, or as the name of somebody: it may be a word of anything else in the body, but what is told of the
   * body must not repeat it.
   */
  #ruled = new Map<string, RemovalKind>()
  /** Kinds of values that outlast a delivery. */
  readonly #lasting = new Map<string, RemovalKind>()

  readonly #kept: ReadonlySet<RemovalKind>

  /** `kept`: kinds of values that stay in. */
  constructor(
    pseudonyms: Pseudonyms,
    known: KnownValues,
    ledger: Ledger,
    kept: ReadonlySet<RemovalKind> = new Set(),
  ) {
    this.#kept = kept
    this.#pseudonyms = pseudonyms
    this.known = known
    this.ledger = ledger
  }

  /** False: the user wants values of this kind to stay in. */
  takes(kind: RemovalKind): boolean {
    return !this.#kept.has(kind)
  }

  /** The pseudonym of a value that is taken out. `shown`: what the preview shows of it. */
  take(kind: RemovalKind, value: string, place: Place, shown = value): string {
    if (isPseudonym(value)) return value
    const as = this.known.kindOf(value) ?? this.#repeated.get(value) ?? kind
    const name = this.#pseudonyms.of(as, value)
    if (as !== 'digest') this.digests.addValue(value)
    const hidden = as === 'rule' && this.known.in(value)
    this.ledger.add(as, place.say(), hidden ? null : shown, name)
    return name
  }

  /** Stands for the digest of a body from which something was taken out. It is told of beside the body, so it is not counted. */
  digestName(digest: string): string {
    return isPseudonym(digest) ? digest : this.#pseudonyms.of('digest', digest)
  }

  /** From now on in this delivery this value goes as well where it stands as a word. */
  repeat(kind: RemovalKind, value: string, shortest = shortestRepeated): void {
    const trimmed = value.trim()
    if (trimmed.length < shortest || trimmed.length > 8192 || isPseudonym(trimmed)) return
    if (/^(?:true|false|null|undefined)$/i.test(trimmed)) return
    const map = kind === 'rule' || kind === 'name' ? this.#ruled : this.#repeated
    if (map.size < mostRepeated && !map.has(trimmed)) map.set(trimmed, kind)
  }

  /** From now on in this log. */
  keep(kind: RemovalKind, value: string): void {
    if (this.#lasting.size < mostRepeated && value.trim().length >= shortestRepeated) {
      this.#lasting.set(value.trim(), kind)
    }
  }

  /** The bodies are done: what follows must not repeat either what went by a rule. */
  endBodies(): void {
    for (const [value, kind] of this.#ruled) {
      if (!this.#repeated.has(value)) this.#repeated.set(value, kind)
    }
  }

  get repeated(): ReadonlyMap<string, RemovalKind> {
    return this.#repeated
  }

  /** Another delivery, or none: what the last one repeated means nothing there. */
  begin(delivery: number | null): void {
    this.ledger.delivery = delivery
    this.digests.begin()
    this.#repeated = new Map(this.#lasting)
    this.#ruled = new Map()
  }
}
