/** `to` is exclusive; `index`: of the form. */
export interface Match {
  readonly from: number
  readonly to: number
  readonly index: number
}

/** The text would take too long to search. `message`: the reason, as the end of a sentence. */
export class TooCostly extends Error {}

const tableSize = 65_536

/** Minimum lengths of groups of forms. A group can skip as many characters as its shortest form is long, so long forms are searched faster. */
const parts = [64, 32, 16, 8, 4, 2] as const

/** Forms of similar length, searched in one pass regardless of their number (Wu and Manber, 1994). */
class Part {
  readonly #shortest: number
  readonly #shift: Uint8Array
  readonly #byPrefix = new Map<string, Map<number, Map<string, number>>>()

  constructor(forms: readonly { form: string; index: number }[]) {
    // A loop, because there may be more forms than a call can have arguments.
    let shortest: number = parts[0]
    for (const { form } of forms) shortest = Math.min(shortest, form.length)
    const blocks = shortest - 1
    this.#shortest = shortest
    this.#shift = new Uint8Array(tableSize).fill(blocks)
    // The longest first, because a value may contain another one.
    for (const { form, index } of forms.toSorted((a, b) => b.form.length - a.form.length)) {
      for (let at = 0; at < blocks; at += 1) {
        const hash = hashAt(form, at + 1)
        this.#shift[hash] = Math.min(this.#shift[hash] ?? 0, blocks - 1 - at)
      }
      const prefix = form.slice(0, shortest)
      const byLength = entry(this.#byPrefix, prefix, () => new Map<number, Map<string, number>>())
      const same = entry(byLength, form.length, () => new Map<string, number>())
      if (!same.has(form)) same.set(form, index)
    }
  }

  /** The matches at the first matching position from `from` on, longest first. Calls `spend` with the number of compared characters. */
  next(text: string, from: number, spend: (steps: number) => void): Match[] {
    const shortest = this.#shortest
    const shift = this.#shift
    for (let at = from + shortest - 1; at < text.length;) {
      const step = shift[hashAt(text, at)] ?? 0
      if (step > 0) {
        at += step
        continue
      }
      const start = at - shortest + 1
      spend(shortest)
      const found = this.#at(text, start, spend)
      if (found.length > 0) return found
      at += 1
    }
    return []
  }

  #at(text: string, start: number, spend: (steps: number) => void): Match[] {
    const byLength = this.#byPrefix.get(text.slice(start, start + this.#shortest))
    if (!byLength) return []
    const found: Match[] = []
    for (const [length, same] of byLength) {
      if (start + length > text.length) continue
      spend(length)
      const index = same.get(text.slice(start, start + length))
      if (index !== undefined) found.push({ from: start, to: start + length, index })
    }
    return found
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 8) ^ text.charCodeAt(at)) & (tableSize - 1)
}

const free = (): void => undefined

/** Searches for many texts at once, each of at least two characters. */
export class Matcher {
  readonly #parts: readonly Part[]

  constructor(forms: readonly string[]) {
    const byPart = new Map<number, { form: string; index: number }[]>()
    for (const [index, form] of forms.entries()) {
      const part = parts.find((least) => form.length >= least)
      if (part !== undefined) entry(byPart, part, () => []).push({ form, index })
    }
    this.#parts = [...byPart.values()].map((group) => new Part(group))
  }

  get empty(): boolean {
    return this.#parts.length === 0
  }

  in(text: string): boolean {
    return this.#parts.some((part) => part.next(text, 0, free).length > 0)
  }

  /** All matches, including overlapping ones, in no particular order. `spend` gets the number of comparisons and may throw. */
  *all(text: string, spend: (steps: number) => void = free): Generator<Match, void, undefined> {
    for (const part of this.#parts) {
      for (let at = 0; ;) {
        const found = part.next(text, at, spend)
        const [first] = found
        if (!first) break
        yield* found
        at = first.from + 1
      }
    }
  }

  /**
   * Returns a function that finds the leftmost, longest match from a position on. Positions must not decrease: matches found ahead are kept for later
   * calls, so that the text is read only once.
   */
  finder(text: string): (from: number) => Match | null {
    const ahead = this.#parts.map((part) => ({ part, found: part.next(text, 0, free)[0] ?? null }))
    return (from) => {
      let best: Match | null = null
      for (const entry of ahead) {
        if (entry.found && entry.found.from < from)
          entry.found = entry.part.next(text, from, free)[0] ?? null
        const { found } = entry
        if (!found) continue
        const better =
          !best || found.from < best.from || (found.from === best.from && found.to > best.to)
        if (better) best = found
      }
      return best
    }
  }
}
