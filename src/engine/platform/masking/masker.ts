import { toBytes } from '../byte-text.ts'
import type { MaskedValue } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import { endingOf } from '../secrets.ts'

/** Shorter values would match by chance everywhere. */
const shortest = 4
/** Longer values are masked in place, but not searched elsewhere: no token is that long. */
const longest = 8192
/** Per record. Further values share one marker and cannot be revealed. */
const maxHeld = 500
const overflowName = 'kept_overflow'

const maxWork = 2_000_000_000

/** Replaces a whole text in which masking would take too long. */
export const unmaskable = maskMarker(overflowName)

interface Held {
  readonly label: string
  readonly value: string
  readonly everywhere: boolean
}

/** The forms in which a value may be echoed: as it is, in a query, in JSON, in JSON within JSON, in Base64. */
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

class Replacements {
  #markers: (readonly [form: string, marker: string])[] = []

  add(forms: readonly string[], marker: string): void {
    this.#markers.push(...forms.map((form) => [form, marker] as const))
    // The longest first, because a value may contain another one.
    this.#markers.sort(([a], [b]) => b.length - a.length)
  }

  in(text: string): boolean {
    return this.#markers.some(([form]) => text.includes(form))
  }

  /** Returns null if it would take too long. */
  replace(text: string): string | null {
    if (text.length * this.#markers.length > maxWork) return null
    // Text and markers alternate, so that no form is found in a marker.
    let pieces = [text]
    for (const [form, marker] of this.#markers) {
      if (!text.includes(form)) continue
      pieces = pieces.flatMap((piece, index) =>
        index % 2 === 1
          ? [piece]
          : piece.split(form).flatMap((rest, at) => (at === 0 ? [rest] : [marker, rest])),
      )
    }
    return pieces.join('')
  }
}

/**
 * Masks values in the texts of a record: a marker with a name replaces each (`contract/masks.ts`), and only that name reveals it. Values added later
 * are masked when a text is masked again.
 */
export class Masker {
  readonly #held = new Map<string, Held>()
  readonly #names = new Map<string, string>()
  readonly #numbers = new Map<string, number>()
  readonly #inText = new Replacements()
  readonly #inBytes = new Replacements()
  #longest = 0

  /**
   * Adds a value to mask. `name`: lower case, digits, underscores; a number is appended if it is taken by another value. Returns the name. Without
   * `everywhere`, the value is not searched in other texts: use this for values that may be common words.
   */
  hold(name: string, label: string, value: string, everywhere = true): string {
    if (value === '') return name
    const knownName = this.#names.get(value)
    const known = knownName === undefined ? undefined : this.#held.get(knownName)
    if (knownName !== undefined && known && (known.everywhere || !everywhere)) return knownName
    if (knownName === undefined && this.#held.size >= maxHeld) return overflowName
    const free = knownName ?? this.#free(name)
    this.#names.set(value, free)
    this.#held.set(free, { label: known?.label ?? label, value, everywhere })
    if (!everywhere || value.length > longest) return free
    const marker = maskMarker(free)
    const forms = writtenAs(value)
    const bytes = forms.map(toBytes)
    this.#inText.add(forms, marker)
    this.#inBytes.add(bytes, toBytes(marker))
    for (const form of bytes) this.#longest = Math.max(this.#longest, form.length)
    return free
  }

  /** Returns `unmaskable` if masking would take too long. */
  mask(text: string): string {
    return this.#inText.replace(text) ?? unmaskable
  }

  /** For bytes, which need not be text. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    if (!this.#inBytes.in(latin)) return bytes
    return Buffer.from(this.#inBytes.replace(latin) ?? toBytes(unmaskable), 'latin1')
  }

  /** In bytes, of the forms that are searched everywhere. */
  get longestForm(): number {
    return this.#longest
  }

  /** The masked values by name, without the values themselves. */
  maskedValues(): MaskedValue[] {
    return [...this.#held].map(([name, { label, value }]) => ({
      name,
      label,
      ending: endingOf(value),
    }))
  }

  values(): { name: string; value: string }[] {
    return [...this.#held].map(([name, { value }]) => ({ name, value }))
  }

  #free(name: string): string {
    if (!this.#held.has(name)) return name
    let again = this.#numbers.get(name) ?? 1
    do again += 1
    while (this.#held.has(`${name}_${again}`))
    this.#numbers.set(name, again)
    return `${name}_${again}`
  }
}
