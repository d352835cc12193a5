import { algorithmCauses } from './causes/algorithms.ts'
import { byteCauses } from './causes/body-bytes.ts'
import { combinedJson, jsonCauses } from './causes/body-json.ts'
import { keyChanges } from './causes/key-writing.ts'
import { otherKeys } from './causes/keys.ts'
import { schemeCauses } from './causes/schemes.ts'
import { truncated } from './causes/value-writing.ts'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import { distinctKeys, type Key } from './key.ts'
import type { KeyChange } from './cause.ts'
import { message, type Message } from './message.ts'
import { agreement, type Reading } from './readings.ts'
import type { Subject } from './subject.ts'
import { compute, right, type Sum } from './sum.ts'
import type { Work } from './work.ts'

/** With this, a signature that came is right. */
export interface Match {
  /** Everything that departs from the document; the fewest of all matches. Empty: nothing does. */
  readonly codes: readonly string[]
  /** What it is, as a sentence. */
  readonly sentence: string
  /** Who has to mend the secret, where that shows. */
  readonly where: DiagnosisCause['where'] | null
}

export interface Searched {
  /** Null: nothing that was tried makes it. */
  readonly match: Match | null
  /** How often each cause was tried. */
  readonly tries: ReadonlyMap<string, number>
  /** Why some could not be tried. */
  readonly untried: ReadonlyMap<string, string>
  /** True: it was ended for want of time, and nothing had matched. */
  readonly cutShort: boolean
  /** True: the rest was left, since something matches. */
  readonly rested: boolean
}

/** With a match there, what is large is not hashed again and again for the sake of the list. */
const enoughBytes = 4 * 1024 * 1024

const schemesByCode = new Map(schemeCauses.map((scheme) => [scheme.code, scheme]))

/** Tries causes on the bytes that came: each alone, then what libraries do together, then two at once. */
export async function search(subject: Subject, work: Work): Promise<Searched> {
  const run = new Run(subject, work)
  await run.alone()
  if (!run.match) await run.combined()
  if (!run.match) await run.pairs()
  const { match, tries, untried, rested } = run
  return { match, tries, untried, rested, cutShort: match === null && work.over }
}

class Run {
  readonly tries = new Map<string, number>()
  readonly untried = new Map<string, string>()
  match: Match | null = null
  rested = false
  readonly #subject: Subject
  readonly #work: Work
  readonly #plain: Message
  /** Secrets with one departure, found on the way, and messages with one. */
  readonly #keys: Key[] = []
  readonly #messages: Message[] = []

  constructor(subject: Subject, work: Work) {
    this.#subject = subject
    this.#work = work
    this.#plain = message([], 'the body as it came', subject.body.bytes)
  }

  async alone(): Promise<void> {
    for (const key of this.#subject.own) await this.#try(key, this.#plain, right)
    for (const step of this.#steps().toSorted((a, b) => b.likelihood - a.likelihood)) {
      this.rested = this.#mayRest()
      if (this.#work.over || this.rested) return
      await step.run()
    }
  }

  #steps(): { likelihood: number; run: () => Promise<void> }[] {
    const { own } = this.#subject
    return [
      ...otherKeys.map(({ likelihood, keys }) => ({
        likelihood,
        run: async () => this.#tryKeys(keys(this.#subject)),
      })),
      ...keyChanges.map(({ likelihood, code, change }) => ({
        likelihood,
        run: async () => this.#tryKeys(own.flatMap((key) => changed(key, key.text, code, change))),
      })),
      ...[...byteCauses, ...jsonCauses, ...schemeCauses].map(({ likelihood, code, messages }) => ({
        likelihood,
        run: async () => {
          const made = await messages(this.#subject)
          if (typeof made === 'string') {
            this.untried.set(code, made)
            return
          }
          this.#messages.push(...made)
          for (const one of made) {
            for (const key of [...own, ...this.#schemeKeys(code)]) await this.#try(key, one, right)
          }
        },
      })),
      ...algorithmCauses.map(({ likelihood, sums }) => ({
        likelihood,
        run: async () => {
          for (const sum of sums) await this.#tryOwn(this.#plain, sum)
        },
      })),
    ]
  }

  async combined(): Promise<void> {
    for (const one of await combinedJson(this.#subject)) {
      for (const key of this.#subject.own) {
        if (this.#work.over || this.match) return
        await this.#try(key, one, right)
      }
    }
  }

  /** Two departures at once: two of the secret, secret and body, secret and algorithm, algorithm and body. */
  async pairs(): Promise<void> {
    const sums = algorithmCauses.flatMap((cause) => cause.sums)
    const others = otherKeys.flatMap(({ keys }) =>
      keys(this.#subject).flatMap((key) =>
        keyChanges.flatMap(({ code, change }) =>
          changed(key, Buffer.from(key.bytes).toString('utf8'), code, change),
        ),
      ),
    )
    const trials = function* (run: Run): Iterable<readonly [Key, Message, Sum]> {
      for (const key of distinctKeys(others)) yield [key, run.#plain, right]
      for (const one of run.#messages) for (const key of run.#keys) yield [key, one, right]
      for (const sum of sums) {
        if (sum.keyed) for (const key of run.#keys) yield [key, run.#plain, sum]
      }
      for (const one of run.#messages) {
        for (const sum of sums) {
          for (const key of sum.keyed ? run.#subject.own : [noKey]) yield [key, one, sum]
        }
      }
    }
    for (const [key, one, sum] of trials(this)) {
      if (this.#work.over || this.match) return
      await this.#try(key, one, sum)
    }
  }

  async #tryKeys(keys: readonly Key[]): Promise<void> {
    const known = [...this.#subject.own, ...this.#keys]
    const fresh = distinctKeys([...known, ...keys]).slice(distinctKeys(known).length)
    this.#keys.push(...fresh)
    for (const key of fresh) await this.#try(key, this.#plain, right)
  }

  async #tryOwn(one: Message, sum: Sum): Promise<void> {
    for (const key of sum.keyed ? this.#subject.own : [noKey]) await this.#try(key, one, sum)
  }

  #schemeKeys(code: string): Key[] {
    const wanted = schemesByCode.get(code)?.keyChanges ?? []
    return this.#subject.own.flatMap((key) =>
      keyChanges
        .filter((change) => wanted.includes(change.code))
        .flatMap(({ code: changeCode, change }) => changed(key, key.text, changeCode, change)),
    )
  }

  #mayRest(): boolean {
    return this.match !== null && this.#subject.body.bytes.byteLength > enoughBytes
  }

  async #try(key: Key, one: Message, sum: Sum): Promise<void> {
    const candidates = this.#subject.readings.filter((reading) => fits(sum, reading))
    if (candidates.length === 0 || this.#work.over) return
    const digest = await compute(sum, key.bytes, one, this.#work)
    if (digest === null) return
    const codes = [...key.codes, ...one.codes, ...sum.codes]
    for (const code of codes) this.tries.set(code, (this.tries.get(code) ?? 0) + 1)
    for (const reading of candidates) {
      const agrees = agreement(digest, reading)
      if (agrees) this.#found(key, one, sum, reading, agrees === 'beginning')
    }
  }

  #found(key: Key, one: Message, sum: Sum, reading: Reading, beginning: boolean): void {
    const all = [...key.codes, ...one.codes, ...sum.codes, ...reading.codes]
    if (beginning) all.push(truncated.code)
    const implied = all.flatMap((code) => schemesByCode.get(code)?.implies ?? [])
    const codes = [...new Set(all)].filter((code) => !implied.includes(code))
    if (this.match && this.match.codes.length <= codes.length) return
    const under = sum.keyed ? ` under ${key.words}` : ''
    const came = `What came in ${shortened(reading.header ?? this.#subject.headerName)}`
    const part = beginning ? ' the beginning of' : ''
    this.match = {
      codes,
      sentence: `${came} is${part} ${sum.words} of ${one.words}${under}, ${reading.words}.`,
      where: key.where ?? null,
    }
  }
}

const noKey: Key = { bytes: new Uint8Array(0), codes: [], words: 'no secret' }

/** Only HMAC-SHA256 is compared with a value that is too short: with the others it would be guessing. */
function fits(sum: Sum, { digest }: Reading): boolean {
  return sum === right ? digest.byteLength <= sum.size : digest.byteLength === sum.size
}

function changed(key: Key, text: string, code: string, change: KeyChange['change']): Key[] {
  return change(text).map(({ words, ...made }) => ({
    ...made,
    codes: [...key.codes, code],
    words: `${key.words} ${words}`,
  }))
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
