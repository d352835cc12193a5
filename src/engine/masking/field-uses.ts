import { isDocumentedField } from '#catalogue/harmless.ts'
import type { KeptText, MaskedField } from '#contract/masking.ts'

export type Outcome = 'kept' | 'aliases' | 'masked'

const maxFields = 2000
const maxShown = 500
const maxExamples = 3
const maxTexts = 500
const maxLength = 200

type Entry = {
  -readonly [K in keyof MaskedField]: MaskedField[K]
}

/** For a preview: how the values of each field leave. Bounded. */
export class FieldUses {
  readonly #fields = new Map<string, Entry>()
  readonly #texts = new Map<string, KeptText>()
  delivery: number | null = null

  add(field: string, outcome: Outcome, original: string, becomes: string): void {
    const entry = this.#entry(field)
    if (!entry) return
    entry[outcome] += 1
    if (outcome === 'kept') {
      this.#addText(field, becomes)
      if (entry.examples.length > 0) return
    }
    if (entry.examples.length >= maxExamples) return
    const example = {
      deliveryId: this.delivery,
      was: original.slice(0, maxLength),
      becomes: becomes.slice(0, maxLength),
    }
    if (!entry.examples.some(({ was }) => was === example.was)) entry.examples.push(example)
  }

  /** Fields that are not documented come first, since they are what a user may want to keep. */
  fields(): MaskedField[] {
    return [...this.#fields.values()]
      .toSorted(
        (a, b) => Number(a.documented) - Number(b.documented) || (a.field < b.field ? -1 : 1),
      )
      .slice(0, maxShown)
  }

  /** Each text that leaves as it is, once. */
  texts(): KeptText[] {
    return [...this.#texts.values()].toSorted((a, b) => b.values - a.values)
  }

  #entry(field: string): Entry | null {
    const found = this.#fields.get(field)
    if (found) return found
    if (this.#fields.size >= maxFields) return null
    const entry: Entry = {
      field,
      documented: isDocumentedField(field),
      kept: 0,
      aliases: 0,
      masked: 0,
      examples: [],
    }
    this.#fields.set(field, entry)
    return entry
  }

  #addText(field: string, text: string): void {
    if (!/[A-Za-z\u0080-\u{10ffff}]/u.test(text) || !field.startsWith('data.')) return
    const key = `${field} ${text}`
    const found = this.#texts.get(key)
    if (found) found.values += 1
    else if (this.#texts.size < maxTexts)
      this.#texts.set(key, { field, text: text.slice(0, maxLength), values: 1 })
  }
}
