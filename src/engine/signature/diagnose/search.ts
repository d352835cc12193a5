import { algorithmCauses } from './causes/algorithms.ts'
import { byteCauses } from './causes/body-bytes.ts'
import { textCauses } from './causes/body-text.ts'
import { combinedJson, jsonCauses } from './causes/body-json.ts'
import { keyChanges } from './causes/key-writing.ts'
import { otherKeys } from './causes/keys.ts'
import { schemeCauses } from './causes/schemes.ts'
import {
  distinctKeys,
  type Key,
  message,
  type Message,
  type Reading,
  type Subject,
} from './subject.ts'
import type { CauseValues, KeyChange, SchemeCause } from './cause.ts'
import { matchOfDigest } from './readings.ts'
import { computeAll, right, type Sum } from './sum.ts'
import type { TimeBudget } from './time-budget.ts'
import type { Cause } from '#contract/models.ts'
import { causeName, type CauseCode } from '#catalogue/signature-causes.ts'
import { truncated } from './causes/value-writing.ts'

export interface Searched {
  readonly match: Match | null
  readonly tries: ReadonlyMap<string, number>
  readonly untried: ReadonlyMap<string, string>
  /** Before the budget was used up. The others were not tried. */
  readonly reached: ReadonlySet<string>
  readonly cutShort: boolean
}

/** After a match, larger bodies are not hashed again just to complete the list of causes. */
const stopAfterMatchBytes = 4 * 1024 * 1024

/** Secrets that are tried in one pass over a message. */
const batchSize = 32

const sums = algorithmCauses.flatMap((cause) => cause.sums)
const pairedChanges = keyChanges.filter(({ alone }) => !alone)
const schemesByCode = new Map<string, SchemeCause>(
  schemeCauses.map((scheme) => [scheme.code, scheme]),
)

/** Tries the causes on the received bytes: each alone, then the combinations that libraries produce, then pairs. */
export async function search(subject: Subject, budget: TimeBudget): Promise<Searched> {
  const run = new Run(subject, budget)
  await run.alone()
  if (!run.match) await run.combined()
  if (!run.match) await run.pairs()
  const { match, tries, untried, reached } = run
  return { match, tries, untried, reached, cutShort: match === null && budget.over }
}

interface Step {
  readonly code: CauseCode
  readonly run: () => Promise<void>
}

function byLikelihood(a: Step, b: Step): number {
  return causeName(b.code).likelihood - causeName(a.code).likelihood
}

class Run {
  readonly tries = new Map<string, number>()
  readonly untried = new Map<string, string>()
  readonly reached = new Set<string>()
  match: Match | null = null
  readonly #subject: Subject
  readonly #budget: TimeBudget
  readonly #plain: Message
  /** With one change, collected for `pairs`. */
  readonly #keys: Key[] = []
  readonly #messages: Message[] = []

  constructor(subject: Subject, budget: TimeBudget) {
    this.#subject = subject
    this.#budget = budget
    this.#plain = message([], 'the body as received', subject.body.bytes)
  }

  async alone(): Promise<void> {
    await this.#try(this.#subject.own, this.#plain, right)
    for (const step of this.#steps().toSorted(byLikelihood)) {
      if (this.#budget.over || this.#mayStop()) return
      await step.run()
      if (!this.#budget.over) this.reached.add(step.code)
    }
  }

  #steps(): Step[] {
    const { own } = this.#subject
    return [
      ...otherKeys.map(({ code, keys }) => ({
        code,
        run: async () => this.#tryKeys(keys(this.#subject)),
      })),
      ...keyChanges.map(({ code, change, alone }) => ({
        code,
        run: async () =>
          this.#tryKeys(
            own.flatMap((key) => changedKeys(key, key.text, code, change)),
            alone,
          ),
      })),
      ...[...byteCauses, ...textCauses, ...jsonCauses, ...schemeCauses].map(
        ({ code, messages, alone }) => ({
          code,
          run: async () => {
            const made = await messages(this.#subject)
            if (typeof made === 'string') {
              this.untried.set(code, made)
              return
            }
            if (!alone) this.#messages.push(...made)
            const keys = [...own, ...this.#schemeKeys(code)]
            for (const candidate of made) await this.#try(keys, candidate, right)
          },
        }),
      ),
      ...algorithmCauses.map(({ code, sums }) => ({
        code,
        run: async () => {
          for (const sum of sums) await this.#try(this.#ownFor(sum), this.#plain, sum)
        },
      })),
    ]
  }

  async combined(): Promise<void> {
    for (const candidate of await combinedJson(this.#subject)) {
      if (this.#budget.over || this.match) return
      await this.#try(this.#subject.own, candidate, right)
    }
  }

  /** Tries two changes at once: two of the secret, secret and body, secret and algorithm, algorithm and body. */
  async pairs(): Promise<void> {
    for (const [keys, candidate, sum] of this.#pairs()) {
      // In batches, so that an early match does not wait for thousands of keys.
      for (let from = 0; from < keys.length; from += batchSize) {
        if (this.#budget.over || this.match) return
        await this.#try(keys.slice(from, from + batchSize), candidate, sum)
      }
    }
  }

  *#pairs(): Iterable<readonly [readonly Key[], Message, Sum]> {
    const others = otherKeys.flatMap(({ keys }) =>
      keys(this.#subject).flatMap((key) =>
        pairedChanges.flatMap(({ code, change }) =>
          changedKeys(key, Buffer.from(key.bytes).toString('utf8'), code, change),
        ),
      ),
    )
    yield [distinctKeys(others), this.#plain, right]
    for (const variant of this.#messages) yield [this.#keys, variant, right]
    for (const sum of sums) if (sum.keyed) yield [this.#keys, this.#plain, sum]
    for (const variant of this.#messages) {
      for (const sum of sums) yield [this.#ownFor(sum), variant, sum]
    }
  }

  async #tryKeys(keys: readonly Key[], alone = false): Promise<void> {
    const known = [...this.#subject.own, ...this.#keys]
    const fresh = distinctKeys([...known, ...keys]).slice(distinctKeys(known).length)
    if (!alone) this.#keys.push(...fresh)
    await this.#try(fresh, this.#plain, right)
  }

  /** The endpoint's secrets, or a single empty key for an algorithm without a secret. */
  #ownFor(sum: Sum): readonly Key[] {
    return sum.keyed ? this.#subject.own : [noKey]
  }

  #schemeKeys(code: string): Key[] {
    const wanted = schemesByCode.get(code)?.keyChanges ?? []
    return this.#subject.own.flatMap((key) =>
      keyChanges
        .filter((change) => wanted.includes(change.code))
        .flatMap(({ code: changeCode, change }) => changedKeys(key, key.text, changeCode, change)),
    )
  }

  #mayStop(): boolean {
    return this.match !== null && this.#subject.body.bytes.byteLength > stopAfterMatchBytes
  }

  async #try(keys: readonly Key[], candidate: Message, sum: Sum): Promise<void> {
    const readings = this.#subject.readings.filter((reading) => fits(sum, reading))
    if (readings.length === 0 || keys.length === 0 || this.#budget.over) return
    const bytes = keys.map((key) => key.bytes)
    const digests = await computeAll(sum, bytes, candidate, this.#budget)
    if (digests === null) return
    for (const [index, key] of keys.entries()) {
      for (const code of [...key.codes, ...candidate.codes, ...sum.codes]) {
        this.tries.set(code, (this.tries.get(code) ?? 0) + 1)
      }
      const digest = digests[index]
      if (!digest) continue
      for (const reading of readings) {
        const matches = matchOfDigest(digest, reading)
        if (!matches) continue
        const { headerName } = this.#subject
        const found = matchOf({ key, message: candidate, sum, reading, matches, headerName })
        if (!this.match || found.codes.length < this.match.codes.length) this.match = found
      }
    }
  }
}

const noKey: Key = { bytes: new Uint8Array(0), codes: [], words: 'no secret' }

/** Only HMAC-SHA256 is compared with truncated values: with other algorithms it would be a guess. */
function fits(sum: Sum, { digest }: Reading): boolean {
  return sum === right ? digest.byteLength <= sum.size : digest.byteLength === sum.size
}

function changedKeys(key: Key, text: string, code: string, change: KeyChange['change']): Key[] {
  return change(text).map(({ words, ...made }) => ({
    ...made,
    codes: [...key.codes, code],
    words: `${key.words} ${words}`,
  }))
}

export interface Match {
  /** As few causes as possible. Empty: the signature is valid as documented. */
  readonly codes: readonly string[]
  /** How the received value was computed, in words. */
  readonly values: CauseValues
  /** The side that has to fix the secret, if that is known. */
  readonly where: Cause['where'] | null
}

interface MatchParts {
  readonly key: Key
  readonly message: Message
  readonly sum: Sum
  readonly reading: Reading
  readonly matches: 'complete' | 'prefix'
  readonly headerName: string
}

const maxNameLength = 80

const impliedBy = new Map<string, readonly string[]>(
  schemeCauses.map(({ code, implies }) => [code, implies]),
)

/** Omits causes that are implied by a signature scheme. */
export function matchOf({ key, message, sum, reading, matches, headerName }: MatchParts): Match {
  const isPrefix = matches === 'prefix'
  const all = [
    ...key.codes,
    ...message.codes,
    ...sum.codes,
    ...reading.codes,
    ...(isPrefix ? [truncated.code] : []),
  ]
  const implied = all.flatMap((code) => impliedBy.get(code) ?? [])
  const name = reading.header ?? headerName
  return {
    codes: [...new Set(all)].filter((code) => !implied.includes(code)),
    values: {
      header: name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name,
      ...(isPrefix ? { part: 'the beginning' } : {}),
      sum: sum.words,
      message: message.words,
      ...(sum.keyed ? { key: key.words } : {}),
      encoding: reading.words,
    },
    where: key.where ?? null,
  }
}
