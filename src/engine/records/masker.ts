import type { HeldBack } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import { endingOf } from '../secrets/held-secret.ts'

/** Shorter values would be found everywhere by chance, in characters. */
const shortest = 4

interface Held {
  readonly label: string
  readonly value: string
  /** False: it stands behind its marker in one place, and is not looked for elsewhere. */
  readonly everywhere: boolean
}

/** The ways in which a value may be written where it is echoed: as it is, in a query, in JSON, in JSON within JSON, in Base64. */
function writtenAs(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    json,
    json.replaceAll('/', String.raw`\/`),
    JSON.stringify(json).slice(1, -1),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortest)
}

/**
 * Holds values back from the texts of a record: each becomes a marker with its name (`contract/masks.ts`), and can be asked for by that name
 * alone. Values that come to be known later are taken out of texts that are masked again.
 */
export class Masker {
  readonly #held = new Map<string, Held>()
  #forms: readonly { form: string; name: string }[] = []

  /**
   * `name` as in the marker: lower case, digits, underscores. A name that is taken by another value gets a number. Returns the name. What may be
   * an everyday word is not held back `everywhere`: it would tear other texts.
   */
  hold(name: string, label: string, value: string, everywhere = true): string {
    if (value === '') return name
    const known = [...this.#held].find(([, held]) => held.value === value)
    if (known && (known[1].everywhere || !everywhere)) return known[0]
    let free = known?.[0] ?? name
    for (let again = 2; !known && this.#held.has(free); again += 1) free = `${name}_${again}`
    this.#held.set(free, { label: known?.[1].label ?? label, value, everywhere })
    this.#forms = [...this.#held]
      .filter(([, held]) => held.everywhere)
      .flatMap(([of, held]) => writtenAs(held.value).map((form) => ({ form, name: of })))
      // The longest first: a value that holds another one must not be torn.
      .toSorted((a, b) => b.form.length - a.form.length)
    return free
  }

  mask(text: string): string {
    let masked = text
    for (const { form, name } of this.#forms) {
      if (masked.includes(form)) masked = masked.replaceAll(form, maskMarker(name))
    }
    return masked
  }

  /** The same for bytes: what is no text passes, but for the values in it. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (!this.#forms.some(({ form }) => latin.includes(form, 0, 'utf8'))) return bytes
    let text = latin.toString('latin1')
    for (const { form, name } of this.#forms) {
      const from = Buffer.from(form, 'utf8').toString('latin1')
      text = text.replaceAll(from, Buffer.from(maskMarker(name), 'utf8').toString('latin1'))
    }
    return Buffer.from(text, 'latin1')
  }

  /** What is held back, without the values. */
  heldBack(): HeldBack[] {
    return [...this.#held].map(([name, { label, value }]) => ({
      name,
      label,
      ending: endingOf(value),
    }))
  }

  /** The values, to be sealed. */
  values(): { name: string; value: string }[] {
    return [...this.#held].map(([name, { value }]) => ({ name, value }))
  }
}
