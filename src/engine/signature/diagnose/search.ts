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
import type { KeyChange } from './cause.ts'
import { agreement } from './readings.ts'
import { computeAll, right, type Sum } from './sum.ts'
import type { Work } from './time-budget.ts'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import { truncated } from './causes/value-writing.ts'

export interface Searched {
  /** Null: nothing that was tried makes it. */
  readonly match: Match | null
  /** How often each cause was tried. */
  readonly tries: ReadonlyMap<string, number>
  /** Why some could not be tried. */
  readonly untried: ReadonlyMap<string, string>
  /** Causes that were reached before the work was over; the others were not looked at. */
  readonly reached: ReadonlySet<string>
  /** True: it was ended for want of time, and nothing had matched. */
  readonly cutShort: boolean
}

/** With a match there, what is large is not hashed again and again for the sake of the list. */
const enoughBytes = 4 * 1024 * 1024

/** Secrets that go over a message in one pass. */
const batch = 32

const sums = algorithmCauses.flatMap((cause) => cause.sums)
const pairedChanges = keyChanges.filter(({ alone }) => !alone)
const schemesByCode = new Map(schemeCauses.map((scheme) => [scheme.code, scheme]))

/** Tries causes on the bytes that came: each alone, then what libraries do together, then two at once. */
export async function search(subject: Subject, work: Work): Promise<Searched> {
  const run = new Run(subject, work)
  await run.alone()
  if (!run.match) await run.combined()
  if (!run.match) await run.pairs()
  const { match, tries, untried, reached } = run
  return { match, tries, untried, reached, cutShort: match === null && work.over }
}

class Run {
  readonly tries = new Map<string, number>()
  readonly untried = new Map<string, string>()
  readonly reached = new Set<string>()
  match: Match | null = null
  readonly #subject: Subject
  readonly #work: Work
  readonly #plain: Message
  /** Secrets with one departure, found on the way, and messages with one. */
  readonly #keys: Key[] = []
  readonly #messages: Message[] = []

  constructor(subject: Subject, work: Work) {
    this.#subject = subject
    this.#work = work
    this.#plain = message([], 'the body as received', subject.body.bytes)
  }

  async alone(): Promise<void> {
    await this.#try(this.#subject.own, this.#plain, right)
    for (const step of this.#steps().toSorted((a, b) => b.likelihood - a.likelihood)) {
      if (this.#work.over || this.#mayRest()) return
      await step.run()
      if (!this.#work.over) this.reached.add(step.code)
    }
  }

  #steps(): { code: string; likelihood: number; run: () => Promise<void> }[] {
    const { own } = this.#subject
    return [
      ...otherKeys.map(({ code, likelihood, keys }) => ({
        code,
        likelihood,
        run: async () => this.#tryKeys(keys(this.#subject)),
      })),
      ...keyChanges.map(({ code, likelihood, change, alone }) => ({
        code,
        likelihood,
        run: async () =>
          this.#tryKeys(
            own.flatMap((key) => changed(key, key.text, code, change)),
            alone,
          ),
      })),
      ...[...byteCauses, ...textCauses, ...jsonCauses, ...schemeCauses].map(
        ({ code, likelihood, messages, alone }) => ({
          code,
          likelihood,
          run: async () => {
            const made = await messages(this.#subject)
            if (typeof made === 'string') {
              this.untried.set(code, made)
              return
            }
            if (!alone) this.#messages.push(...made)
            const keys = [...own, ...this.#schemeKeys(code)]
            for (const one of made) await this.#try(keys, one, right)
          },
        }),
      ),
      ...algorithmCauses.map(({ code, likelihood, sums }) => ({
        code,
        likelihood,
        run: async () => {
          for (const sum of sums) await this.#try(this.#ownFor(sum), this.#plain, sum)
        },
      })),
    ]
  }

  async combined(): Promise<void> {
    for (const one of await combinedJson(this.#subject)) {
      if (this.#work.over || this.match) return
      await this.#try(this.#subject.own, one, right)
    }
  }

  /** Two departures at once: two of the secret, secret and body, secret and algorithm, algorithm and body. */
  async pairs(): Promise<void> {
    for (const [keys, one, sum] of this.#pairs()) {
      // In parts, so that not thousands are begun for a match that comes first.
      for (let from = 0; from < keys.length; from += batch) {
        if (this.#work.over || this.match) return
        await this.#try(keys.slice(from, from + batch), one, sum)
      }
    }
  }

  *#pairs(): Iterable<readonly [readonly Key[], Message, Sum]> {
    const others = otherKeys.flatMap(({ keys }) =>
      keys(this.#subject).flatMap((key) =>
        pairedChanges.flatMap(({ code, change }) =>
          changed(key, Buffer.from(key.bytes).toString('utf8'), code, change),
        ),
      ),
    )
    yield [distinctKeys(others), this.#plain, right]
    for (const one of this.#messages) yield [this.#keys, one, right]
    for (const sum of sums) if (sum.keyed) yield [this.#keys, this.#plain, sum]
    for (const one of this.#messages) for (const sum of sums) yield [this.#ownFor(sum), one, sum]
  }

  async #tryKeys(keys: readonly Key[], alone = false): Promise<void> {
    const known = [...this.#subject.own, ...this.#keys]
    const fresh = distinctKeys([...known, ...keys]).slice(distinctKeys(known).length)
    if (!alone) this.#keys.push(...fresh)
    await this.#try(fresh, this.#plain, right)
  }

  /** A hash without a secret is computed once. */
  #ownFor(sum: Sum): readonly Key[] {
    return sum.keyed ? this.#subject.own : [noKey]
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

  async #try(keys: readonly Key[], one: Message, sum: Sum): Promise<void> {
    const readings = this.#subject.readings.filter((reading) => fits(sum, reading))
    if (readings.length === 0 || keys.length === 0 || this.#work.over) return
    const bytes = keys.map((key) => key.bytes)
    const digests = await computeAll(sum, bytes, one, this.#work)
    if (digests === null) return
    for (const [index, key] of keys.entries()) {
      for (const code of [...key.codes, ...one.codes, ...sum.codes]) {
        this.tries.set(code, (this.tries.get(code) ?? 0) + 1)
      }
      const digest = digests[index]
      if (!digest) continue
      for (const reading of readings) {
        const agrees = agreement(digest, reading)
        if (!agrees) continue
        const { headerName } = this.#subject
        const found = matchOf({ key, message: one, sum, reading, agrees, headerName })
        if (!this.match || found.codes.length < this.match.codes.length) this.match = found
      }
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

/** With this, a signature that came is right. */
export interface Match {
  /** Everything that departs from the document; the fewest of all matches. Empty: nothing does. */
  readonly codes: readonly string[]
  /** What it is, as a sentence. */
  readonly sentence: string
  /** Who has to mend the secret, where that shows. */
  readonly where: DiagnosisCause['where'] | null
}

interface Agreed {
  readonly key: Key
  readonly message: Message
  readonly sum: Sum
  readonly reading: Reading
  readonly agrees: 'whole' | 'beginning'
  /** The name of the header that should carry the signature. */
  readonly headerName: string
}

/** Longest name of a header that an answer repeats, in characters. */
const longest = 80

const impliedBy = new Map(schemeCauses.map(({ code, implies }) => [code, implies]))

/** What agreed, told without what follows from the scheme that it is. */
export function matchOf({ key, message, sum, reading, agrees, headerName }: Agreed): Match {
  const beginning = agrees === 'beginning'
  const all = [
    ...key.codes,
    ...message.codes,
    ...sum.codes,
    ...reading.codes,
    ...(beginning ? [truncated.code] : []),
  ]
  const implied = all.flatMap((code) => impliedBy.get(code) ?? [])
  const name = reading.header ?? headerName
  const came = `What came in ${name.length > longest ? `${name.slice(0, longest)}…` : name}`
  const part = beginning ? ' the beginning of' : ''
  const under = sum.keyed ? ` under ${key.words}` : ''
  return {
    codes: [...new Set(all)].filter((code) => !implied.includes(code)),
    sentence: `${came} is${part} ${sum.words} of ${message.words}${under}, ${reading.words}.`,
    where: key.where ?? null,
  }
}
