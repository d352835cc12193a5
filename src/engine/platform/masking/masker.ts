import type { MaskedValue } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import { endingOf } from '../secrets.ts'
import { Matcher, TooCostly } from './matcher.ts'

/** Shorter values would match by chance everywhere. */
const shortest = 4
/** Longer values are masked in place, but not searched elsewhere: no token is that long. */
const longest = 8192
/** Per record. Further values share one marker and cannot be revealed. */
const maxHeld = 5000
const overflowName = 'kept_overflow'

/** Masking a text is abandoned after this many comparisons per character, plus a fixed allowance. */
const workPerCharacter = 100
const workForAny = 10_000_000

/** Replaces a whole text that contains so many prefixes of secrets that masking would take too long. */
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

interface Span {
  readonly from: number
  readonly to: number
  readonly marker: string
}

interface Form {
  readonly form: string
  readonly marker: string
}

class Replacements {
  /** Each group is at least twice as large as the next, so that forms are rebuilt into a matcher only when their number doubles. */
  readonly #groups: { forms: readonly Form[]; matcher: Matcher }[] = []
  #added: Form[] = []

  add(forms: readonly Form[]): void {
    this.#added.push(...forms)
  }

  in(text: string): boolean {
    this.#build()
    return this.#groups.some(({ matcher }) => matcher.in(text))
  }

  /** If forms overlap, the longest wins, because a value may contain another one. Returns null if it would take too long. */
  replace(text: string): string | null {
    this.#build()
    try {
      const spans = this.#spansIn(text)
      return spans.length === 0 ? text : placed(text, spans)
    } catch (error) {
      if (error instanceof TooCostly) return null
      throw error
    }
  }

  #spansIn(text: string): Span[] {
    let left = workForAny + workPerCharacter * text.length
    const spend = (steps: number): void => {
      left -= steps
      if (left < 0) throw new TooCostly()
    }
    const spans: Span[] = []
    for (const { forms, matcher } of this.#groups) {
      for (const { from, to, index } of matcher.all(text, spend)) {
        spans.push({ from, to, marker: forms[index]?.marker ?? '' })
      }
    }
    return spans
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

function placed(text: string, spans: readonly Span[]): string {
  const covered = new Uint8Array(text.length)
  const selected: Span[] = []
  for (const span of spans.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    // Anything that overlaps this match is at least as long, so it covers one of its ends.
    if (covered[span.from] === 1 || covered[span.to - 1] === 1) continue
    covered.fill(1, span.from, span.to)
    selected.push(span)
  }
  const pieces: string[] = []
  let at = 0
  for (const { from, to, marker } of selected.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, from), marker)
    at = to
  }
  pieces.push(text.slice(at))
  return pieces.join('')
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
    this.#inText.add(forms.map((form) => ({ form, marker })))
    this.#inBytes.add(forms.map((form) => ({ form: asBytes(form), marker: asBytes(marker) })))
    for (const form of forms) this.#longest = Math.max(this.#longest, asBytes(form).length)
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
    return Buffer.from(this.#inBytes.replace(latin) ?? asBytes(unmaskable), 'latin1')
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

/** UTF-8, one character per byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
