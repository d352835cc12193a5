import { Digests } from './digests.ts'
import type { RemovalKind } from './edits.ts'
import type { KnownValues } from './known-values.ts'
import type { Ledger } from './removal-ledger.ts'
import { isPseudonym, type Pseudonyms } from './pseudonyms.ts'

export interface Place {
  /** For the preview. Called only if something is redacted there. */
  readonly describe: () => string
  /** It holds ids, so digits alone are not treated as a phone number. */
  readonly id: boolean
}

/** Shorter values would be found everywhere by chance. */
const minRepeatedLength = 6
const maxRepeated = 200

/** Remembers values that must not reappear elsewhere in the current delivery. */
export class RedactionSession {
  readonly ledger: Ledger
  readonly known: KnownValues
  readonly digests = new Digests()
  readonly #pseudonyms: Pseudonyms
  #repeated = new Map<string, RemovalKind>()
  /** Found by a rule or as a person's name. In bodies they may be ordinary words, so they are only redacted in the fields that describe the body. */
  #repeatedAfterBodies = new Map<string, RemovalKind>()
  readonly #repeatedInLog = new Map<string, RemovalKind>()

  readonly #keptKinds: ReadonlySet<RemovalKind>

  constructor(
    pseudonyms: Pseudonyms,
    known: KnownValues,
    ledger: Ledger,
    keptKinds: ReadonlySet<RemovalKind> = new Set(),
  ) {
    this.#keptKinds = keptKinds
    this.#pseudonyms = pseudonyms
    this.known = known
    this.ledger = ledger
  }

  redacts(kind: RemovalKind): boolean {
    return !this.#keptKinds.has(kind)
  }

  /** Returns the pseudonym. `example`: what the preview shows as the original. */
  replace(kind: RemovalKind, value: string, place: Place, example = value): string {
    if (isPseudonym(value)) return value
    const knownKind = this.known.kindOf(value) ?? this.#repeated.get(value) ?? kind
    const pseudonym = this.#pseudonyms.pseudonymFor(knownKind, value)
    if (knownKind !== 'digest') this.digests.addValue(value)
    const isSecret = knownKind === 'rule' && this.known.occursIn(value)
    this.ledger.add(knownKind, place.describe(), isSecret ? null : example, pseudonym)
    return pseudonym
  }

  /** Not counted, because the digest is stored outside the body. */
  digestPseudonym(digest: string): string {
    return this.#pseudonyms.digestFor(digest)
  }

  /** Redacts the value wherever it occurs as a word in this delivery. */
  addRepeated(kind: RemovalKind, value: string, minLength = minRepeatedLength): void {
    const trimmed = value.trim()
    if (trimmed.length < minLength || trimmed.length > 8192 || isPseudonym(trimmed)) return
    if (/^(?:true|false|null|undefined)$/i.test(trimmed)) return
    const map = kind === 'rule' || kind === 'name' ? this.#repeatedAfterBodies : this.#repeated
    if (map.size < maxRepeated && !map.has(trimmed)) map.set(trimmed, kind)
  }

  addForLog(kind: RemovalKind, value: string): void {
    if (this.#repeatedInLog.size < maxRepeated && value.trim().length >= minRepeatedLength) {
      this.#repeatedInLog.set(value.trim(), kind)
    }
  }

  /** From here on, values redacted by rules are redacted everywhere in this delivery. */
  finishBodies(): void {
    for (const [value, kind] of this.#repeatedAfterBodies) {
      if (!this.#repeated.has(value)) this.#repeated.set(value, kind)
    }
  }

  get repeated(): ReadonlyMap<string, RemovalKind> {
    return this.#repeated
  }

  /** Null: another kind of item. */
  startDelivery(delivery: number | null): void {
    this.ledger.delivery = delivery
    this.digests.startDelivery()
    if (this.#repeated.size > 0 || this.#repeatedInLog.size > 0) {
      this.#repeated = new Map(this.#repeatedInLog)
    }
    if (this.#repeatedAfterBodies.size > 0) this.#repeatedAfterBodies = new Map()
  }
}
