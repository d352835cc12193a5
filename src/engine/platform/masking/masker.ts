import type { HeldBack } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import { endingOf } from '../held-secret.ts'
import { Matcher } from './matcher.ts'

/** Shorter values would be found everywhere by chance, in characters. */
const shortest = 4
/** A longer value is held back where it stands, and not looked for elsewhere, in characters: no token is as long. */
const longest = 8192
/** More values than this one record does not hold: the others become one marker, whose value nobody can ask for. */
const mostHeld = 5000
const overflowName = 'kept_overflow'

/** A text is given up when this many characters are compared for each of its own, beside those that any text may cost. */
const workPerCharacter = 100
const workForAny = 10_000_000

/** Stands for a whole text that holds so many beginnings of secrets that it cannot be masked in reasonable time. */
export const unmaskable = maskMarker(overflowName)

class TooCostly extends Error {}

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

interface Place {
  readonly from: number
  readonly to: number
  readonly marker: string
}

interface Form {
  readonly form: string
  readonly marker: string
}

/** Forms with what takes their place, to which more can be added at any time. */
class Replacements {
  /** Each at least twice as large as the next: a form is built into a new matcher only as often as the number of forms doubles. */
  readonly #groups: { forms: readonly Form[]; matcher: Matcher }[] = []
  #added: Form[] = []

  add(forms: readonly Form[]): void {
    this.#added.push(...forms)
  }

  in(text: string): boolean {
    this.#build()
    return this.#groups.some(({ matcher }) => matcher.in(text))
  }

  /**
   * Puts the markers in. The longest forms win where some overlap: a value that holds another one must not be torn. Null: that would take too
   * long.
   */
  replace(text: string): string | null {
    this.#build()
    try {
      const places = this.#placesIn(text)
      return places.length === 0 ? text : placed(text, places)
    } catch (error) {
      if (error instanceof TooCostly) return null
      throw error
    }
  }

  #placesIn(text: string): Place[] {
    let left = workForAny + workPerCharacter * text.length
    const spend = (steps: number): void => {
      left -= steps
      if (left < 0) throw new TooCostly()
    }
    const places: Place[] = []
    for (const { forms, matcher } of this.#groups) {
      for (const { from, to, index } of matcher.all(text, spend)) {
        places.push({ from, to, marker: forms[index]?.marker ?? '' })
      }
    }
    return places
  }

  #build(): void {
    if (this.#added.length === 0) return
    let forms: readonly Form[] = this.#added
    this.#added = []
    for (let last = this.#groups.at(-1); last && last.forms.length < 2 * forms.length;) {
      forms = [...last.forms, ...forms]
      this.#groups.pop()
      last = this.#groups.at(-1)
    }
    this.#groups.push({ forms, matcher: new Matcher(forms.map(({ form }) => form)) })
  }
}

function placed(text: string, places: readonly Place[]): string {
  const covered = new Uint8Array(text.length)
  const chosen: Place[] = []
  for (const place of places.toSorted(
    (a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from,
  )) {
    // What covers a part of a place is as long as it or longer, and so covers one of its ends.
    if (covered[place.from] === 1 || covered[place.to - 1] === 1) continue
    covered.fill(1, place.from, place.to)
    chosen.push(place)
  }
  const pieces: string[] = []
  let at = 0
  for (const { from, to, marker } of chosen.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, from), marker)
    at = to
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/**
 * Holds values back from the texts of a record: each becomes a marker with its name (`contract/masks.ts`), and can be asked for by that name
 * alone. Values that come to be known later are taken out of texts that are masked again.
 */
export class Masker {
  readonly #held = new Map<string, Held>()
  readonly #names = new Map<string, string>()
  /** Of each name the number that it was given last. */
  readonly #numbers = new Map<string, number>()
  readonly #inText = new Replacements()
  readonly #inBytes = new Replacements()
  #longest = 0

  /**
   * `name` as in the marker: lower case, digits, underscores. A name that is taken by another value gets a number. Returns the name. What may be
   * an everyday word is not held back `everywhere`: it would tear other texts.
   */
  hold(name: string, label: string, value: string, everywhere = true): string {
    if (value === '') return name
    const knownName = this.#names.get(value)
    const known = knownName === undefined ? undefined : this.#held.get(knownName)
    if (knownName !== undefined && known && (known.everywhere || !everywhere)) return knownName
    if (knownName === undefined && this.#held.size >= mostHeld) return overflowName
    const free = knownName ?? this.#free(name)
    this.#names.set(value, free)
    this.#held.set(free, { label: known?.label ?? label, value, everywhere })
    if (!everywhere || value.length > longest) return free
    const marker = maskMarker(free)
    const forms = writtenAs(value)
    this.#inText.add(forms.map((form) => ({ form, marker })))
    this.#inBytes.add(forms.map((form) => ({ form: asBytes(form), marker: asBytes(marker) })))
    for (const form of forms) this.#longest = Math.max(this.#longest, asBytes(form).length)
    return free
  }

  /** The text with markers; `unmaskable` for one that cannot be masked. */
  mask(text: string): string {
    return this.#inText.replace(text) ?? unmaskable
  }

  /** The same for bytes: what is no text passes, but for the values in it. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    if (!this.#inBytes.in(latin)) return bytes
    return Buffer.from(this.#inBytes.replace(latin) ?? asBytes(unmaskable), 'latin1')
  }

  /** Of the longest writing of what is looked for everywhere, in bytes. */
  get longestForm(): number {
    return this.#longest
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

  #free(name: string): string {
    if (!this.#held.has(name)) return name
    let again = this.#numbers.get(name) ?? 1
    do again += 1
    while (this.#held.has(`${name}_${again}`))
    this.#numbers.set(name, again)
    return `${name}_${again}`
  }
}

/** UTF-8, each byte a character. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
