import type { RemovalKind } from './edits.ts'
import { Matcher } from '../../platform/masking/matcher.ts'

/** A value that Tabscope itself knows to be secret. */
export interface KnownSecret {
  readonly kind: 'secret' | 'token' | 'code'
  readonly value: string
}

/** The same, with what is configured. */
export interface KnownValue {
  readonly kind: RemovalKind
  readonly value: string
}

/** Shorter values would be found everywhere by chance, in characters. */
const shortest = 4
/** The same for the writings that look like anything else. */
const shortestWritten = 6

interface Form {
  readonly form: string
  readonly kind: RemovalKind
  readonly value: string
  /** The run of characters around it that goes with it, since it is one writing; null: it stands for itself. */
  readonly run: RegExp | null
}

export interface KnownMatch {
  readonly from: number
  readonly to: number
  readonly kind: RemovalKind
  readonly value: string
}

const base64Run = /[A-Za-z0-9+/_-]/
const hexRun = /[0-9a-fA-F]/

/**
 * Known values in the writings that no decoding brings to light by itself: as they are, as UTF-8 read as Latin-1, in hex, and inside of
 * a longer Base64, where each of three alignments gives other characters.
 */
export class KnownValues {
  readonly #forms: readonly Form[]
  readonly #matcher: Matcher
  readonly #kinds = new Map<string, RemovalKind>()

  constructor(known: readonly KnownValue[]) {
    const forms = new Map<string, Form>()
    for (const { kind, value } of known) {
      if (value.length < shortest || this.#kinds.has(value)) continue
      this.#kinds.set(value, kind)
      for (const { form, run } of writingsOf(value)) {
        if (!forms.has(form)) forms.set(form, { form, kind, value, run })
      }
    }
    this.#forms = [...forms.values()]
    this.#matcher = new Matcher(this.#forms.map(({ form }) => form))
  }

  /** What kind of secret exactly this value is known as. */
  kindOf(value: string): RemovalKind | null {
    return this.#kinds.get(value) ?? null
  }

  in(text: string): boolean {
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
      if (form.run) {
        while (from > at && form.run.test(text.charAt(from - 1))) from -= 1
        while (to < text.length && form.run.test(text.charAt(to))) to += 1
        while (form.run === base64Run && text[to] === '=') to += 1
      }
      yield { from, to, kind: form.kind, value: form.value }
      at = to
    }
  }
}

function writingsOf(value: string): { form: string; run: RegExp | null }[] {
  const bytes = Buffer.from(value, 'utf8')
  const latin = bytes.toString('latin1')
  const hex = bytes.toString('hex')
  const written = [
    { form: hex, run: hexRun },
    { form: hex.toUpperCase(), run: hexRun },
    ...[0, 1, 2].flatMap((lead) => {
      const whole = Buffer.concat([Buffer.alloc(lead), bytes])
      const text = whole.toString('base64').replaceAll('=', '')
      // Of the characters at the edges some bits belong to what stands before or behind.
      const first = lead === 0 ? 0 : lead + 1
      const last = whole.byteLength % 3 === 0 ? text.length : text.length - 1
      const form = text.slice(first, last)
      const forUrl = form.replaceAll('+', '-').replaceAll('/', '_')
      return [form, forUrl].map((one) => ({ form: one, run: base64Run }))
    }),
  ].filter(({ form }) => form.length >= shortestWritten)
  const plain = latin === value ? [value] : [value, latin]
  return [...plain.map((form) => ({ form, run: null })), ...written]
}
