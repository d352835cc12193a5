/** Found in a text: from, behind it, and which. */
export interface Match {
  readonly from: number
  readonly to: number
  readonly index: number
}

const tableSize = 65_536

/** Where a form of at least this length is looked for, more of the text can be stepped over. */
const long = 8

/** The first place of one of many texts, whatever their number, in one pass (Wu and Manber, 1994). */
class OneLength {
  readonly #shortest: number
  readonly #shift: Uint8Array
  readonly #byPrefix = new Map<string, { form: string; index: number }[]>()

  constructor(forms: readonly { form: string; index: number }[]) {
    const shortest = Math.min(64, ...forms.map(({ form }) => form.length))
    const blocks = shortest - 1
    this.#shortest = shortest
    this.#shift = new Uint8Array(tableSize).fill(blocks)
    for (const one of forms) {
      for (let at = 0; at < blocks; at += 1) {
        const hash = hashAt(one.form, at + 1)
        this.#shift[hash] = Math.min(this.#shift[hash] ?? 0, blocks - 1 - at)
      }
      const prefix = one.form.slice(0, shortest)
      const list = this.#byPrefix.get(prefix)
      if (list) list.push(one)
      else this.#byPrefix.set(prefix, [one])
    }
    // The longest first: a value that holds another one must not be torn.
    for (const list of this.#byPrefix.values()) list.sort((a, b) => b.form.length - a.form.length)
  }

  find(text: string, from: number): Match | null {
    const shortest = this.#shortest
    const shift = this.#shift
    for (let at = from + shortest - 1; at < text.length;) {
      const step = shift[hashAt(text, at)] ?? 0
      if (step > 0) {
        at += step
        continue
      }
      const start = at - shortest + 1
      for (const { form, index } of this.#byPrefix.get(text.slice(start, at + 1)) ?? []) {
        if (text.startsWith(form, start)) return { from: start, to: start + form.length, index }
      }
      at += 1
    }
    return null
  }
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 8) ^ text.charCodeAt(at)) & (tableSize - 1)
}

/** What a part found last: whoever goes on in the same text from a place before it need not look again. */
interface Found {
  readonly text: string
  readonly from: number
  readonly match: Match | null
}

/** Looks for many texts at once. They have at least two characters each. */
export class Matcher {
  readonly #parts: readonly OneLength[]
  readonly #last: Found[] = []

  constructor(forms: readonly string[]) {
    const all = forms.map((form, index) => ({ form, index }))
    const short = all.filter(({ form }) => form.length < long)
    const rest = all.filter(({ form }) => form.length >= long)
    this.#parts = [short, rest].filter((part) => part.length > 0).map((part) => new OneLength(part))
  }

  get empty(): boolean {
    return this.#parts.length === 0
  }

  /** The leftmost from this place on, of several there the longest. */
  find(text: string, from = 0): Match | null {
    let best: Match | null = null
    for (const [at, part] of this.#parts.entries()) {
      const match = this.#find(at, part, text, from)
      if (!match) continue
      const better =
        !best || match.from < best.from || (match.from === best.from && match.to > best.to)
      if (better) best = match
    }
    return best
  }

  /** Without it, one part would look through the whole rest of the text for each match of the other. */
  #find(at: number, part: OneLength, text: string, from: number): Match | null {
    const last = this.#last[at]
    if (last && from >= last.from && (last.match?.from ?? from) >= from && last.text === text) {
      return last.match
    }
    const match = part.find(text, from)
    this.#last[at] = { text, from, match }
    return match
  }
}
