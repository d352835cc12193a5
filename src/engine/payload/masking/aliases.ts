import { randomFillSync } from 'node:crypto'

const numbers = {
  uuid: 1,
  id: 2,
  location: 3,
  name: 4,
  email: 5,
  phone: 6,
  handle: 7,
  item: 8,
  host: 9,
  address: 10,
  key: 11,
}
export type AliasSeries = keyof typeof numbers
/** An alias of an earlier masking, such as `uuid 7b`, which stays. Numbers are too short to carry a phone number. */
const earlierAlias =
  /^(?:uuid|id|location|name|email|phone|handle|item|host|address|key) \d{1,7}[b-z]?(?:[^\x21-\x7e]|\\[nrtbfux"\\/][0-9a-fA-F]{0,4}){0,8}$/
const aliasAtStart =
  /^\W{0,20}(?:uuid|id|location|name|email|phone|handle|item|host|address|key) \d/

const anyAlias =
  /(?<![a-z])(?:uuid|id|location|name|email|phone|handle|item|host|address|key) \d{1,7}(?:[b-z](?![a-z]))?(?!\d)/g

export function isAlias(text: string): boolean {
  return earlierAlias.test(text)
}

/** In order, without what may follow them. */
export function aliasesIn(text: string): string[] {
  return text.match(anyAlias) ?? []
}

/** `text`: an alias or a mask, which has no letters but x. */
export function startsWithAlias(text: string): boolean {
  return aliasAtStart.test(text)
}

const letters = 'bcdefghijklmnopqrstuvwxyz'

/** Keyed, so that nobody can prepare values with the same hash. */
class KeyedHash {
  readonly #seeds = randomFillSync(new Uint32Array(2))
  high = 0
  low = 0

  /** `series`: its number. */
  set(text: string, series: number): void {
    let high = (this.#seeds[0] ?? 0) ^ series
    let low = this.#seeds[1] ?? 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 0x9e3779b1)
      low = Math.imul(low ^ code, 0x5f356495)
      high ^= low >>> 15
    }
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
    low = Math.imul(low ^ (low >>> 16), 0xc2b2ae35) ^ Math.imul(high ^ (high >>> 13), 0x85ebca6b)
    this.high = high >>> 0
    this.low = low >>> 0
  }
}

/** By the hash of its normal form: number and hash of the notation that was met first. Four integers a value, so that a million take 64 MB at most. */
const slotSize = 4

/** The same value gets the same number; another notation of it the same number with a letter. */
export class Aliases {
  readonly #hash = new KeyedHash()
  #slots = new Uint32Array(8192 * slotSize)
  #count = 0
  readonly #last = new Map<AliasSeries, number>()
  /** The second and later notations of a value, which are rare. */
  readonly #notations = new Map<string, Map<string, number>>()
  readonly #marks = new Map<string, string>()
  readonly #originals: Map<string, string> | null

  /** `reversible`: `originalOf` works, which takes more memory. */
  constructor({ reversible = false } = {}) {
    this.#originals = reversible ? new Map() : null
  }

  /**
   * `uuid 7`, or `uuid 7b` for another notation. `normal`: equal for values that mean the same. `marks`: follow a new alias, and then always, so that a value
   * has one alias.
   */
  aliasOf(series: AliasSeries, normal: string, notation: string, marks = ''): string {
    const before = this.#count
    const alias = `${series} ${this.#numberOf(series, normal, notation)}`
    if (marks !== '' && this.#count > before && this.#marks.size < 100_000) {
      this.#marks.set(alias, marks)
    }
    if (this.#originals && this.#originals.size < 100_000) this.#originals.set(alias, notation)
    return alias + (this.#marks.get(alias) ?? '')
  }

  originalOf(alias: string): string | null {
    return this.#originals?.get(alias) ?? null
  }

  #numberOf(series: AliasSeries, normal: string, notation: string): string {
    let notationHash = 0
    if (notation !== normal) {
      this.#hash.set(notation, 0)
      notationHash = this.#hash.low
    }
    this.#hash.set(normal, numbers[series])
    const at = this.#find(this.#hash.high, this.#hash.low)
    const found = this.#slots[at + 2] ?? 0
    if (found > 0) {
      if (this.#slots[at + 3] === notationHash) return String(found)
      return `${found}${this.#letterOf(`${series} ${found}`, notation)}`
    }
    const number = (this.#last.get(series) ?? 0) + 1
    this.#last.set(series, number)
    this.#slots.set([this.#hash.high, this.#hash.low, number, notationHash], at)
    this.#count += 1
    if (this.#count * 2 * slotSize > this.#slots.length) this.#grow()
    return String(number)
  }

  #letterOf(alias: string, notation: string): string {
    const known = this.#notations.get(alias) ?? new Map<string, number>()
    this.#notations.set(alias, known)
    const at = known.get(notation) ?? Math.min(known.size, letters.length - 1)
    if (known.size < letters.length) known.set(notation, at)
    return letters.charAt(at)
  }

  #find(high: number, low: number): number {
    const slots = this.#slots
    for (let at = (low * slotSize) % slots.length; ; at = (at + slotSize) % slots.length) {
      if (slots[at + 2] === 0 || (slots[at] === high && slots[at + 1] === low)) return at
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += slotSize) {
      if (before[at + 2] === 0) continue
      const slot = before.subarray(at, at + slotSize)
      this.#slots.set(slot, this.#find(slot[0] ?? 0, slot[1] ?? 0))
    }
  }
}
