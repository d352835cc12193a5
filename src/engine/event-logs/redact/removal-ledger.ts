import { type Removal } from '#contract/logs.ts'
import { removalClassOf } from '#contract/redaction.ts'
import { hiddenKinds, type RemovalKind } from './edits.ts'

/** Values at further places are counted together. */
const maxTrackedPlaces = 5000
const elsewhere = 'elsewhere'
const maxPlaces = 500
const maxExamples = 3
const maxExampleLength = 200

interface Entry {
  readonly kind: RemovalKind
  readonly place: string
  values: number
  deliveries: number
  lastDelivery: number | null
  readonly examples: Removal['examples']
}

/** Its size does not grow with the log. */
export class Ledger {
  readonly #counts = new Map<RemovalKind, number>()
  readonly #places = new Map<string, Entry>()
  delivery: number | null = null

  /** `original`: null if it must not be shown. */
  add(kind: RemovalKind, place: string, original: string | null, replacement: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    const entry = this.#entry(kind, place)
    entry.values += 1
    if (this.delivery !== null && entry.lastDelivery !== this.delivery) {
      entry.deliveries += 1
      entry.lastDelivery = this.delivery
    }
    if (
      entry.examples.length >= maxExamples ||
      entry.examples.some((example) => example.becomes === replacement)
    ) {
      return
    }
    entry.examples.push({
      deliveryId: this.delivery,
      was: hiddenKinds.has(kind) ? null : (original?.slice(0, maxExampleLength) ?? null),
      becomes: replacement.slice(0, maxExampleLength),
    })
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  removals(): Removal[] {
    return [...this.#places.values()]
      .toSorted((a, b) => b.values - a.values || (a.place < b.place ? -1 : 1))
      .slice(0, maxPlaces)
      .map(({ kind, place, values, deliveries, examples }) => ({
        kind,
        class: removalClassOf(kind),
        location: place,
        values,
        deliveries,
        examples: [...examples],
      }))
  }

  #entry(kind: RemovalKind, place: string): Entry {
    const key = `${kind}\n${place}`
    const existing = this.#places.get(key)
    if (existing) return existing
    if (this.#places.size >= maxTrackedPlaces && place !== elsewhere) {
      return this.#entry(kind, elsewhere)
    }
    const entry: Entry = {
      kind,
      place,
      values: 0,
      deliveries: 0,
      lastDelivery: null,
      examples: [],
    }
    this.#places.set(key, entry)
    return entry
  }
}
