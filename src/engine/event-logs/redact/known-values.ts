import type { RemovalKind } from './edits.ts'
import { Matcher } from '../../platform/masking/matcher.ts'

export interface KnownSecret {
  readonly kind: 'secret' | 'token' | 'code'
  readonly value: string
}

/** A secret, or a configured value such as that of a custom header. */
export interface KnownValue {
  readonly kind: RemovalKind
  readonly value: string
}

/** Shorter values would be found everywhere by chance. */
const minLength = 4
/** Encoded forms look like other text. */
const minEncodedLength = 6

interface Form {
  readonly form: string
  readonly kind: RemovalKind
  readonly value: string
  /** What belongs to the same encoded text is redacted with the match. */
  readonly surroundingRun: RegExp | null
}

export interface KnownMatch {
  readonly from: number
  readonly to: number
  readonly kind: RemovalKind
  readonly value: string
}

const base64Run = /[A-Za-z0-9+/_-]/
const hexRun = /[0-9a-fA-F]/

/** Finds what decoding alone does not reveal: UTF-8 read as Latin-1, hex, and each of the three alignments within a longer Base64 text. */
export class KnownValues {
  readonly #forms: readonly Form[]
  readonly #matcher: Matcher
  readonly #kinds = new Map<string, RemovalKind>()

  constructor(known: readonly KnownValue[]) {
    const forms = new Map<string, Form>()
    for (const { kind, value } of known) {
      if (value.length < minLength || this.#kinds.has(value)) continue
      this.#kinds.set(value, kind)
      for (const { form, surroundingRun } of encodingsOf(value)) {
        if (!forms.has(form)) forms.set(form, { form, kind, value, surroundingRun })
      }
    }
    this.#forms = [...forms.values()]
    this.#matcher = new Matcher(this.#forms.map(({ form }) => form))
  }

  kindOf(value: string): RemovalKind | null {
    return this.#kinds.get(value) ?? null
  }

  occursIn(text: string): boolean {
    return this.#matcher.in(text)
  }

  *find(text: string): Generator<KnownMatch, void, undefined> {
    if (this.#matcher.empty) return
    const find = this.#matcher.finder(text)
    for (let at = 0; ;) {
      const match = find(at)
      const form = match && this.#forms[match.index]
      if (!match || !form) return
      let { from, to } = match
      if (form.surroundingRun) {
        while (from > at && form.surroundingRun.test(text.charAt(from - 1))) from -= 1
        while (to < text.length && form.surroundingRun.test(text.charAt(to))) to += 1
        while (form.surroundingRun === base64Run && text[to] === '=') to += 1
      }
      yield { from, to, kind: form.kind, value: form.value }
      at = to
    }
  }
}

function encodingsOf(value: string): { form: string; surroundingRun: RegExp | null }[] {
  const bytes = Buffer.from(value, 'utf8')
  const latin = bytes.toString('latin1')
  const hex = bytes.toString('hex')
  const encoded = [
    { form: hex, surroundingRun: hexRun },
    { form: hex.toUpperCase(), surroundingRun: hexRun },
    ...[0, 1, 2].flatMap((offset) => {
      const padded = Buffer.concat([Buffer.alloc(offset), bytes])
      const text = padded.toString('base64').replaceAll('=', '')
      // The characters at the edges also contain bits of the neighboring text.
      const first = offset === 0 ? 0 : offset + 1
      const last = padded.byteLength % 3 === 0 ? text.length : text.length - 1
      const form = text.slice(first, last)
      const base64Url = form.replaceAll('+', '-').replaceAll('/', '_')
      return [form, base64Url].map((variant) => ({ form: variant, surroundingRun: base64Run }))
    }),
  ].filter(({ form }) => form.length >= minEncodedLength)
  const plainForms = latin === value ? [value] : [value, latin]
  return [...plainForms.map((form) => ({ form, surroundingRun: null })), ...encoded]
}
