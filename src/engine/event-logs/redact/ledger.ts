import { type Removal } from '#contract/logs.ts'
import { removalClassOf } from '#contract/redaction.ts'
import { hiddenKinds, type RemovalKind } from './edits.ts'

/** Places that are told apart; what comes after them is counted as elsewhere. */
const placeLimit = 5000
const placesTold = 500
const examplesTold = 3
/** Characters of a value that are shown. */
const shown = 200

interface Entry {
  readonly kind: RemovalKind
  readonly place: string
  values: number
  deliveries: number
  lastDelivery: number | null
  readonly examples: Removal['examples']
}

/** What was taken out, and where. Its size does not grow with the log. */
export class Ledger {
  readonly #counts = new Map<RemovalKind, number>()
  readonly #places = new Map<string, Entry>()
  /** The delivery that is looked at. */
  delivery: number | null = null

  /** `was`: null for what must not be shown. */
  add(kind: RemovalKind, place: string, was: string | null, becomes: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    const entry = this.#entry(kind, place)
    entry.values += 1
    if (this.delivery !== null && entry.lastDelivery !== this.delivery) {
      entry.deliveries += 1
      entry.lastDelivery = this.delivery
    }
    if (
      entry.examples.length >= examplesTold ||
      entry.examples.some((example) => example.becomes === becomes)
    ) {
      return
    }
    entry.examples.push({
      deliveryId: this.delivery,
      was: hiddenKinds.has(kind) ? null : (was?.slice(0, shown) ?? null),
      becomes: becomes.slice(0, shown),
    })
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  removals(): Removal[] {
    return [...this.#places.values()]
      .toSorted((a, b) => b.values - a.values || (a.place < b.place ? -1 : 1))
      .slice(0, placesTold)
      .map(({ kind, place, values, deliveries, examples }) => ({
        kind,
        class: removalClassOf(kind),
        place,
        values,
        deliveries,
        examples: [...examples],
      }))
  }

  #entry(kind: RemovalKind, place: string): Entry {
    const at = this.#places.size < placeLimit ? place : 'elsewhere'
    const key = `${kind}\n${this.#places.has(`${kind}\n${place}`) ? place : at}`
    const known = this.#places.get(key)
    if (known) return known
    const entry: Entry = {
      kind,
      place: at,
      values: 0,
      deliveries: 0,
      lastDelivery: null,
      examples: [],
    }
    this.#places.set(key, entry)
    return entry
  }
}
