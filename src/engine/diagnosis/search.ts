import { hash } from 'node:crypto'
import { hmac, hmacKey, type HmacKey } from '../payload/signature/verify.ts'
import { basesOf, type Base } from './bases.ts'
import { applies, bodyChanges, changesOf, contentOf, type BodyChange } from './changes.ts'
import { parseDocument } from './json/document.ts'
import type { Library } from './json/libraries.ts'
import { roundedTo } from './json/numbers.ts'
import { Rewriter, type Written } from './json/rewriter.ts'
import { matchOfDigest } from './readings.ts'
import { ownValues } from './own-values.ts'
import { belongTo, ownSchemes, schemesOf, type Scheme } from './schemes.ts'
import { keysOf, type Key, type Keys } from './secrets.ts'
import type { Reading, Subject } from './subject.ts'
import { computeAll, otherSums, right, type Sum } from './sums.ts'
import type { TimeBudget } from './time-budget.ts'

/** How the received value was computed. */
export interface Match {
  readonly base: Base
  /** The JSON of the base as it was written again; null: the base itself. */
  readonly text: string | null
  readonly library: Library | null
  readonly change: BodyChange | null
  readonly scheme: Scheme | null
  readonly key: Key | null
  readonly sum: Sum
  readonly reading: Reading
  /** Only the beginning of the digest was received. */
  readonly isPrefix: boolean
}

export interface Searched {
  readonly match: Match | null
  /** Every combination up to this cost was tried. */
  readonly reached: number
  /** The JSON has too many keys to try all their orders. */
  readonly hasManyKeys: boolean
  readonly rounded: Rewriter['rounded']
}

/** All single mistakes cost less, and all common libraries. */
export const plausibleCost = 7
/** From this cost, mistakes are prepared that are rare or many. */
const furtherCost = 4
/** Two common mistakes of different kinds cost less, such as an indented body and a line break after the secret. */
export const pairCost = 10
/** What costs more is too unlikely to be tried. */
const maxCost = 14
const maxChoices = 3
/** Mistakes of different kinds are independent, so that several are unlikely. */
const kindCost = 3
/** Larger messages are hashed in pieces, with all keys in one pass. */
const smallBytes = 1024 * 1024
/** Of the time, for the digits of a rounded number. */
const digitsShare = 0.85
/** Larger texts are not written again for each cost of a secret. */
const rewrittenOnce = 16 * 1024

interface TailGroup {
  readonly change: BodyChange | null
  readonly scheme: Scheme | null
  readonly sum: Sum
  readonly keys: readonly { readonly key: Key | null; readonly choices: number }[]
}

interface Source {
  readonly base: Base
  readonly changes: readonly BodyChange[]
  /** Null: no JSON, or too large. */
  readonly rewriter: Rewriter | null
}

/**
 * Looks for what was signed, best first: every mistake has a cost, about minus the logarithm of how often it happens, and combinations are tried by
 * their sum, up to a limit. Ends with the first match.
 */
export async function search(
  subject: Subject,
  budget: TimeBudget,
  upTo = maxCost,
): Promise<Searched> {
  const run = new Run(subject, budget)
  await run.go(upTo)
  return run
}

class Run implements Searched {
  match: Match | null = null
  reached = -1
  hasManyKeys = false
  rounded: Rewriter['rounded']
  readonly #subject: Subject
  readonly #budget: TimeBudget
  readonly #keys: Keys
  #keysByCost: ReadonlyMap<number, readonly Key[]>
  readonly #schemes: readonly Scheme[]
  readonly #ownSchemes: readonly Scheme[]
  readonly #readings = new Map<string, { hex: string; reading: Reading }[]>()
  readonly #sizes: ReadonlySet<number>
  readonly #hmacKeys = new Map<Key, HmacKey>()
  readonly #tails = new Map<string, readonly TailGroup[]>()
  #scratch = Buffer.allocUnsafe(64 * 1024)

  constructor(subject: Subject, budget: TimeBudget) {
    this.#subject = subject
    this.#budget = budget
    this.#keys = keysOf(subject.own, subject.keyring, ownValues(subject.captured))
    this.#keysByCost = Map.groupBy(this.#keys.likely, ({ cost }) => cost)
    this.#schemes = schemesOf(subject)
    this.#ownSchemes = ownSchemes(subject)
    for (const reading of subject.readings) {
      const hex = Buffer.from(reading.digest).toString('hex')
      const prefix = hex.slice(0, prefixLength)
      const known = this.#readings.get(prefix) ?? []
      known.push({ hex, reading })
      known.sort((a, b) => b.hex.length - a.hex.length)
      this.#readings.set(prefix, known)
    }
    this.#sizes = new Set(subject.readings.map(({ digest }) => digest.byteLength))
  }

  async go(upTo: number): Promise<void> {
    const sources: Source[] = []
    for (const base of await basesOf(this.#subject.captured, this.#budget)) {
      sources.push(await this.#sourceOf(base))
    }
    const own = sources[0]?.rewriter
    this.hasManyKeys = own?.canBeReordered === false
    this.rounded = own?.rounded
    for (let cost = 0; cost <= upTo; cost += 1) {
      if (cost === furtherCost) await this.#addFurther(sources)
      for (const source of sources) {
        await this.#tryUnchanged(source, cost - source.base.cost)
        if (this.#isOver) return
      }
      if (cost === 1) await this.#tryTexts(sources, (rewriter) => rewriter.rewritings())
      if (this.#isOver) return
      if (cost === 1 && this.rounded) await this.#tryDigits(sources[0]?.base, this.rounded.raw)
      if (this.#isOver) return
      for (const by of ['library', 'choice'] as const) {
        for (const source of sources) {
          await this.#tryWritten(source, by, cost - source.base.cost)
          if (this.#isOver) return
        }
      }
      this.reached = cost
      if (cost !== plausibleCost) continue
      await this.#tryTexts(sources.slice(0, 1), (rewriter) => rewriter.orders())
      if (this.#isOver) return
    }
  }

  get #isOver(): boolean {
    return this.match !== null || this.#budget.over
  }

  async #sourceOf(base: Base): Promise<Source> {
    const content = base.utf8 ? contentOf(base.text) : null
    const changes = bodyChanges.filter((change) => applies(change, content))
    const document = await parseDocument(base.text, base.utf8, this.#budget)
    const rewriter = 'fault' in document ? null : await Rewriter.create(document, this.#budget)
    return { base, changes, rewriter }
  }

  async #addFurther(sources: Source[]): Promise<void> {
    for (const [index, source] of sources.entries()) {
      const own = await changesOf(source.base, this.#budget)
      sources[index] = { ...source, changes: [...source.changes, ...own] }
    }
    const further = this.#keys.further().map((key) => ({
      ...key,
      cost: Math.max(key.cost, furtherCost),
    }))
    this.#keysByCost = Map.groupBy([...this.#keys.likely, ...further], ({ cost }) => cost)
  }

  async #tryUnchanged({ base, changes }: Source, cost: number): Promise<void> {
    for (const group of this.#tailsOf(changes, cost, false, base)) {
      const message = { base, text: null, library: null, bytes: base.bytes, choices: 0 }
      await this.#try(message, group)
      if (this.#isOver) return
    }
  }

  /** Signed as documented. */
  async #tryTexts(
    sources: readonly Source[],
    textsOf: (rewriter: Rewriter) => AsyncIterable<readonly Written[]>,
  ): Promise<void> {
    const keys = (this.#keysByCost.get(0) ?? []).map((key) => ({ key, choices: 0 }))
    const group = { change: null, scheme: null, sum: right, keys }
    for (const { base, rewriter } of sources) {
      if (!rewriter) continue
      for await (const batch of textsOf(rewriter)) {
        for (const { text, choices, library } of batch) {
          await this.#tryText({ base, text, library, choices }, group)
          if (this.#isOver) return
        }
        if (this.#budget.due) await this.#budget.yield()
      }
    }
  }

  /** Signed as documented by a library that kept the digits of a number, which JavaScript rounded on the way. */
  async #tryDigits(base: Base | undefined, rounded: string): Promise<void> {
    const values = roundedTo(rounded)
    const mark = values[0]
    if (!base || mark === undefined || base.text.length > rewrittenOnce) return
    const marked = base.text.replaceAll(rounded, mark)
    const document = await parseDocument(marked, base.utf8, this.#budget)
    if ('fault' in document) return
    const rewriter = await Rewriter.create(document, this.#budget)
    const texts: Written[] = [{ text: marked, choices: 1, library: null }]
    for await (const batch of rewriter.rewritings()) texts.push(...batch)
    this.#budget.upTo(digitsShare)
    const encoding = base.utf8 ? 'utf8' : 'latin1'
    const group = { change: null, scheme: null, sum: right, keys: [] }
    for (const { text, library } of texts.toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0))) {
      const bytes = Buffer.from(text, encoding)
      const places: number[] = []
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
        places.push(at)
      for (const key of places.length > 0 ? (this.#keysByCost.get(0) ?? []) : []) {
        const pads = this.#padsOf(key)
        for (const [nth, value] of values.entries()) {
          for (const place of places) bytes.write(value, place)
          const digest = hmac(bytes, pads)
          if (nth % 128 === 0 && this.#budget.due) await this.#budget.yield()
          if (!this.#readings.has(digest.slice(0, prefixLength))) continue
          const message = { base, text: text.replaceAll(mark, value), library, choices: 2 }
          this.#found(digest, message, group, key)
        }
        this.#budget.tried += values.length
        this.#budget.count(bytes.byteLength * values.length)
      }
      if (this.#isOver) break
    }
    this.#budget.upTo(1)
  }

  async #tryWritten(
    { base, changes, rewriter }: Source,
    by: 'library' | 'choice',
    cost: number,
  ): Promise<void> {
    if (!rewriter) return
    for (let spent = cost; spent >= 2; spent -= 1) {
      const groups = this.#tailsOf(changes, cost - spent, true, base)
      // A large text is written once for all that is likely, not again for each cost.
      const isLarge = base.bytes.byteLength > rewrittenOnce
      if (groups.length === 0 || (isLarge && cost - spent > 8)) continue
      for await (const batch of rewriter.texts(by, spent)) {
        for (const { text, choices, library } of batch) {
          for (const group of groups) {
            await this.#tryText({ base, text, library, choices }, group)
            if (this.#isOver) return
          }
        }
        if (this.#budget.due) await this.#budget.yield()
        if (this.#isOver) return
      }
    }
  }

  /** All tails with exactly this cost, which depends on whether the text was `written` again: each further kind of mistake costs more. */
  #tailsOf(
    changes: readonly BodyChange[],
    cost: number,
    written: boolean,
    base: Base,
  ): readonly TailGroup[] {
    if (cost < 0) return []
    const id = `${String(written)} ${cost} ${base.codes.join()} ${base.words}`
    const known = this.#tails.get(id)
    if (known) return known
    const groups: TailGroup[] = []
    for (const change of [null, ...changes]) {
      if (change !== null && written && change.alone) continue
      const own = change === null && !written ? this.#ownSchemes : []
      for (const scheme of [null, ...this.#schemes, ...own]) {
        for (const sum of scheme?.alone ? [right] : [right, ...otherSums]) {
          const keys = this.#keysAt(cost, { change, scheme, sum, written })
          if (keys.length > 0) groups.push({ change, scheme, sum, keys })
        }
      }
    }
    this.#tails.set(id, groups)
    return groups
  }

  #keysAt(
    cost: number,
    { change, scheme, sum, written }: Omit<TailGroup, 'keys'> & { readonly written: boolean },
  ): TailGroup['keys'] {
    const made = Number(change !== null) + Number(scheme !== null) + Number(sum !== right)
    const spent = (change?.cost ?? 0) + (scheme?.cost ?? 0) + sum.cost
    if (made > maxChoices || spent > cost || !this.#fits(sum)) return []
    const kinds =
      Number(written || change !== null) + Number(scheme !== null) + Number(sum !== right)
    const rest = cost - spent - kindCost * Math.max(0, kinds - 1)
    const unchanged = { key: null, choices: made }
    if (!sum.keyed) return rest === 0 ? [unchanged] : []
    const free = rest === 0 && scheme ? this.#keysOf(scheme) : []
    const own = rest === 0 ? (this.#keysByCost.get(0) ?? []) : []
    const changed = this.#keysByCost.get(kinds > 0 ? rest - kindCost : rest) ?? []
    return [
      ...[...own, ...free].map((key) => ({ key, choices: made })),
      ...changed
        .filter(({ cost: each, codes }) => each > 0 && made + codes.length <= maxChoices)
        .map((key) => ({ key, choices: made + key.codes.length })),
    ]
  }

  #keysOf(scheme: Scheme): readonly Key[] {
    return this.#keys.likely.filter(({ codes }) => belongTo(scheme, codes))
  }

  /** Only HMAC-SHA256 is compared with truncated values: with other algorithms it would be a guess. */
  #fits({ size }: Sum): boolean {
    return size === right.size || this.#sizes.has(size)
  }

  /** The hot path: small texts, signed as documented but for the text and the secret. */
  async #tryText(
    message: Omit<Message, 'bytes'> & { readonly text: string },
    group: TailGroup,
  ): Promise<void> {
    const { base, text, choices } = message
    const isPlain = group.change === null && group.scheme === null && group.sum === right
    if (!isPlain || text.length > smallBytes) {
      if (this.#budget.due) await this.#budget.yield()
      const content = base.utf8 ? contentOf(text) : null
      if (group.change && !applies(group.change, content)) return
      const bytes = Buffer.from(text, base.utf8 ? 'utf8' : 'latin1')
      await this.#try({ ...message, bytes }, group)
      return
    }
    if (this.#scratch.byteLength < block + text.length * 3) {
      this.#scratch = Buffer.allocUnsafe(block + text.length * 4)
    }
    const scratch = this.#scratch
    const length = scratch.write(text, block, base.utf8 ? 'utf8' : 'latin1')
    for (const { key, choices: further } of group.keys) {
      if (!key || choices + further > maxChoices) continue
      const digest = this.#hmac(scratch, length, key)
      this.#budget.tried += 1
      this.#budget.count(length)
      if (this.#budget.tried % 128 === 0) {
        if (this.#budget.over) return
        if (this.#budget.due) await this.#budget.yield()
      }
      if (this.#readings.has(digest.slice(0, prefixLength)))
        this.#found(digest, message, group, key)
      if (this.match) return
    }
  }

  #padsOf(key: Key): HmacKey {
    const pads = this.#hmacKeys.get(key) ?? hmacKey(key.bytes)
    this.#hmacKeys.set(key, pads)
    return pads
  }

  #hmac(scratch: Buffer, length: number, key: Key): string {
    const pads = this.#padsOf(key)
    scratch.set(pads.inner)
    pads.outer.write(hash('sha256', scratch.subarray(0, block + length), 'hex'), block, 'hex')
    return hash('sha256', pads.outer, 'hex')
  }

  async #try(message: Message, group: TailGroup): Promise<void> {
    const { change, scheme, sum } = group
    const keys = group.keys.filter(({ choices }) => message.choices + choices <= maxChoices)
    // In batches, so that an early match does not wait for thousands of keys.
    for (let from = 0; from < keys.length; from += batchSize) {
      const part = keys.slice(from, from + batchSize)
      const bytes = part.map(({ key }) => key?.bytes ?? noSecret)
      const pieces = signed(message.bytes, change, scheme)
      const digests = await computeAll(sum, bytes, pieces, this.#budget)
      if (digests === null) return
      for (const [index, { key }] of part.entries()) {
        const digest = digests[index]?.toString('hex') ?? ''
        if (this.#readings.has(digest.slice(0, prefixLength))) {
          this.#found(digest, message, group, key)
        }
        if (this.match) return
      }
      if (this.#isOver) return
    }
  }

  #found(
    digest: string,
    { base, text, library }: Omit<Message, 'bytes'>,
    { change, scheme, sum }: TailGroup,
    key: Key | null,
  ): void {
    for (const { hex, reading } of this.#readings.get(digest.slice(0, prefixLength)) ?? []) {
      const kind = matchOfDigest(digest, hex)
      if (kind === null || (kind === 'prefix' && sum !== right)) continue
      const isPrefix = kind === 'prefix'
      this.match = { base, text, library, change, scheme, key, sum, reading, isPrefix }
      return
    }
  }
}

interface Message {
  readonly base: Base
  readonly text: string | null
  readonly library: Library | null
  readonly bytes: Buffer
  readonly choices: number
}

const block = 64
const prefixLength = 16
const batchSize = 32
const noSecret = new Uint8Array(0)

/** What was signed: the changed bytes, and what the scheme adds to them. */
export function* signed(
  bytes: Buffer,
  change: BodyChange | null,
  scheme: Scheme | null,
): Iterable<Uint8Array> {
  if (scheme) yield scheme.before
  if (change) yield* change.pieces(bytes)
  else yield bytes
  if (scheme) yield scheme.after
}
