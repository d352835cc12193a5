/** Found in a text: from, behind it, and which. */
export interface Match {
  readonly from: number
  readonly to: number
  readonly index: number
}

const tableSize = 65_536

/**
 * Forms are sorted by their length: those of one part share the first characters up to the shortest of them, so that the more of a text
 * can be stepped over, and the fewer forms are compared at one place, the longer they are.
 */
const parts = [64, 32, 16, 8, 4, 2] as const

/** Forms of nearly the same length, found in one pass whatever their number (Wu and Manber, 1994). */
class Part {
  readonly #shortest: number
  readonly #shift: Uint8Array
  readonly #byPrefix = new Map<string, Map<number, Map<string, number>>>()

  constructor(forms: readonly { form: string; index: number }[]) {
    // A loop: there may be more forms than a call takes arguments.
    let shortest: number = parts[0]
    for (const { form } of forms) shortest = Math.min(shortest, form.length)
    const blocks = shortest - 1
    this.#shortest = shortest
    this.#shift = new Uint8Array(tableSize).fill(blocks)
    // The longest first: a value that holds another one must not be torn.
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

  /** The forms at the first place from `from` on where there is one, the longest first. `spend`: characters that were compared. */
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

/** Looks for many texts at once. They have at least two characters each. */
export class Matcher {
  readonly #parts: readonly Part[]

  constructor(forms: readonly string[]) {
    const byPart = new Map<number, { form: string; index: number }[]>()
    for (const [index, form] of forms.entries()) {
      const part = parts.find((least) => form.length >= least)
      if (part !== undefined) entry(byPart, part, () => []).push({ form, index })
    }
    this.#parts = [...byPart.values()].map((one) => new Part(one))
  }

  get empty(): boolean {
    return this.#parts.length === 0
  }

  /** Whether one of them is in the text. */
  in(text: string): boolean {
    return this.#parts.some((part) => part.next(text, 0, free).length > 0)
  }

  /** All places of all of them, also where they overlap, in no order. `spend` is told the work and may throw. */
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
   * Finds one after the other in one text: each call gives the leftmost from a place on, of several there the longest. Places must not
   * go back: what one part has found ahead is kept for the next call, so that no call reads the text again.
   */
  finder(text: string): (from: number) => Match | null {
    const ahead = this.#parts.map((part) => ({ part, found: part.next(text, 0, free)[0] ?? null }))
    return (from) => {
      let best: Match | null = null
      for (const one of ahead) {
        if (one.found && one.found.from < from)
          one.found = one.part.next(text, from, free)[0] ?? null
        const { found } = one
        if (!found) continue
        const better =
          !best || found.from < best.from || (found.from === best.from && found.to > best.to)
        if (better) best = found
      }
      return best
    }
  }
}
