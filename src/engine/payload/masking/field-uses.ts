import { isDocumentedField } from '#catalogue/harmless.ts'
import { type KeptText, type MaskedField, secretKeyField } from '#contract/masking.ts'

export type Outcome = 'kept' | 'aliases' | 'masked'

const secretWord =
  /authorization|cookie|credential|secret|token|passw|signature|hmac|api[-_]?key|session/i
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
const encoded = /[A-Za-z0-9+/_=-]{20}/
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
  readonly #secrets: readonly string[]
  delivery: number | null = null

  /** `secrets` are not shown in examples. In clear text. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets
  }

  add(field: string, outcome: Outcome, original: string, becomes: string): void {
    const entry = this.#entry(field)
    if (!entry) return
    entry[outcome] += 1
    if (outcome === 'kept') this.#addText(entry, becomes)
    this.#addExample(entry, outcome, original, becomes)
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
    if (this.#holdsSecret(field)) return this.#entry(secretKeyField)
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

  #addExample(
    { field, examples }: Entry,
    outcome: Outcome,
    original: string,
    becomes: string,
  ): void {
    const full = examples.length >= maxExamples
    const stays = full ? examples.findIndex(({ was, becomes: same }) => was === same) : -1
    if (full && (outcome === 'kept' || stays === -1)) return
    const isSecret = outcome !== 'kept' && this.#mayBeSecret(field, original)
    const example = {
      deliveryId: this.delivery,
      was: isSecret ? null : original.slice(0, maxLength),
      becomes: becomes.slice(0, maxLength),
    }
    if (examples.some((each) => each.was === example.was && each.becomes === example.becomes))
      return
    if (full) examples.splice(stays, 1)
    examples.push(example)
  }

  #mayBeSecret(field: string, original: string): boolean {
    if (secretWord.test(field) || secretWord.test(original)) return true
    if (field !== 'path' && encoded.test(original.replaceAll(uuid, ''))) return true
    return this.#holdsSecret(original)
  }

  #holdsSecret(original: string): boolean {
    const texts = [original, unescaped(original), percentDecoded(original)]
    return this.#secrets.some(
      (secret) => secret !== '' && texts.some((text) => text.includes(secret)),
    )
  }

  #addText({ field, documented }: Entry, text: string): void {
    if (documented && !field.startsWith('data.')) return
    if (!/[A-Za-z\u0080-\u{10ffff}]/u.test(text)) return
    const key = `${field} ${text}`
    const found = this.#texts.get(key)
    if (found) found.values += 1
    else if (this.#texts.size < maxTexts)
      this.#texts.set(key, { field, text: text.slice(0, maxLength), values: 1 })
  }
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
