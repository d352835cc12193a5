import { findingCodes, type KnownCode } from '#catalogue/finding-codes.ts'
import type { Finding, Severity } from '#contract/models.ts'

/** At most so many findings of one delivery are kept; the last says how many more there were. */
export const mostFindings = 50

const longestPlace = 120
const longestValue = 200

const severities: ReadonlyMap<KnownCode, Severity> = new Map(
  findingCodes.map(({ code, severity }) => [code, severity]),
)

/** What was to be expected and what came. Never the value of a custom header, which may be a credential. */
export interface Values {
  readonly expected?: string
  readonly actual?: string
}

/** Gathers where one delivery departs from the document. Nothing is allocated for one that does not. */
export class Departures {
  readonly #most: number
  #list: Finding[] | null = null
  #more = 0

  /** `most`: so many are told of. */
  constructor(most: number = mostFindings) {
    this.#most = most
  }

  /** Places and values are cut, since a body can have names and values of many megabytes. */
  add(code: KnownCode, place: string, message: string, { expected, actual }: Values = {}): void {
    this.#list ??= []
    if (this.#list.length === this.#most) {
      this.#more += 1
      return
    }
    this.#list.push({
      code,
      severity: severities.get(code) ?? 'error',
      place: shortPlace(place),
      message,
      ...(expected === undefined ? {} : { expected: shortened(expected, longestValue) }),
      ...(actual === undefined ? {} : { actual: shortened(actual, longestValue) }),
    })
  }

  /** Counts further ones without words: a body may have a million of them, and words for each would take long. */
  addUntold(count: number): void {
    this.#more += count
  }

  /** In the order in which they were added. */
  all(): readonly Finding[] {
    if (this.#list === null) return none
    if (this.#more === 0) return this.#list
    const more = this.#more + 1
    return [
      ...this.#list.slice(0, this.#most - 1),
      {
        code: 'findings.more',
        severity: severities.get('findings.more') ?? 'info',
        place: 'request',
        message: `There are ${more} more findings, which are not stored.`,
        actual: String(more),
      },
    ]
  }
}

const none: readonly Finding[] = []

/** A place as findings have it: names of headers and fields can be of any length. */
export function shortPlace(place: string): string {
  return shortened(place, longestPlace)
}

/** Well-formed, since half a character pair would be another text once it is stored. */
function shortened(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest - 1)}…` : text).toWellFormed()
}
