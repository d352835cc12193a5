import { Digests } from './digests.ts'
import type { RemovalKind } from './edits.ts'
import type { KnownValues } from './known-values.ts'
import type { Ledger } from './removal-ledger.ts'
import { isPseudonym, type Pseudonyms } from './pseudonyms.ts'

/** Where a value was found. */
export interface Place {
  /** Returns the name of the place for the preview. Called only if something is redacted there. */
  readonly describe: () => string
  /** The place holds ids, so digits alone are not treated as a phone number. */
  readonly id: boolean
}

/** Shorter values would be found everywhere by chance, in characters. */
const minRepeatedLength = 6
const maxRepeated = 200

/** Replaces values by pseudonyms, records that in the ledger, and remembers values that must not reappear elsewhere in the current delivery. */
export class RedactionSession {
  readonly ledger: Ledger
  readonly known: KnownValues
  readonly digests = new Digests()
  readonly #pseudonyms: Pseudonyms
  #repeated = new Map<string, RemovalKind>()
  /**
   * Values redacted in bodies by a rule or as a person's name. Elsewhere in the body they may be ordinary words, so they are only redacted in the
   * fields that describe the body.
   */
  #repeatedAfterBodies = new Map<string, RemovalKind>()
  /** Values to redact in all deliveries of the log, with their kinds. */
  readonly #repeatedInLog = new Map<string, RemovalKind>()

  readonly #keptKinds: ReadonlySet<RemovalKind>

  /** `keptKinds`: kinds of values that are not redacted. */
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

  /** Returns false if the user chose to keep values of this kind. */
  redacts(kind: RemovalKind): boolean {
    return !this.#keptKinds.has(kind)
  }

  /** Records a redacted value and returns its pseudonym. `example`: what the preview shows as the original. */
  replace(kind: RemovalKind, value: string, place: Place, example = value): string {
    if (isPseudonym(value)) return value
    const knownKind = this.known.kindOf(value) ?? this.#repeated.get(value) ?? kind
    const pseudonym = this.#pseudonyms.pseudonymFor(knownKind, value)
    if (knownKind !== 'digest') this.digests.addValue(value)
    const isSecret = knownKind === 'rule' && this.known.occursIn(value)
    this.ledger.add(knownKind, place.describe(), isSecret ? null : example, pseudonym)
    return pseudonym
  }

  /** Returns the pseudonym for the digest of a redacted body. It is not counted, because the digest is stored outside the body. */
  digestPseudonym(digest: string): string {
    return this.#pseudonyms.digestFor(digest)
  }

  /** From now on, redacts this value wherever it occurs as a word in this delivery. */
  addRepeated(kind: RemovalKind, value: string, minLength = minRepeatedLength): void {
    const trimmed = value.trim()
    if (trimmed.length < minLength || trimmed.length > 8192 || isPseudonym(trimmed)) return
    if (/^(?:true|false|null|undefined)$/i.test(trimmed)) return
    const map = kind === 'rule' || kind === 'name' ? this.#repeatedAfterBodies : this.#repeated
    if (map.size < maxRepeated && !map.has(trimmed)) map.set(trimmed, kind)
  }

  /** Redacts this value in all deliveries from now on. */
  addForLog(kind: RemovalKind, value: string): void {
    if (this.#repeatedInLog.size < maxRepeated && value.trim().length >= minRepeatedLength) {
      this.#repeatedInLog.set(value.trim(), kind)
    }
  }

  /** Call after the bodies: from here on, values redacted by rules are redacted everywhere in this delivery. */
  finishBodies(): void {
    for (const [value, kind] of this.#repeatedAfterBodies) {
      if (!this.#repeated.has(value)) this.#repeated.set(value, kind)
    }
  }

  get repeated(): ReadonlyMap<string, RemovalKind> {
    return this.#repeated
  }

  /** Starts a delivery, or with null another kind of item. Forgets the repeated values of the previous delivery. */
  startDelivery(delivery: number | null): void {
    this.ledger.delivery = delivery
    this.digests.startDelivery()
    if (this.#repeated.size > 0 || this.#repeatedInLog.size > 0) {
      this.#repeated = new Map(this.#repeatedInLog)
    }
    if (this.#repeatedAfterBodies.size > 0) this.#repeatedAfterBodies = new Map()
  }
}
