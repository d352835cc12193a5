import { findingCodes, type KnownCode } from '#catalogue/finding-codes.ts'
import type { Finding, Severity } from '#contract/models.ts'

/** Maximum number of findings stored for one delivery; the last one counts the rest. */
export const mostFindings = 50

const longestPlace = 120
const longestValue = 200

const severities: ReadonlyMap<KnownCode, Severity> = new Map(
  findingCodes.map(({ code, severity }) => [code, severity]),
)

/** Expected and actual value. Never the value of a custom header, which may be a credential. */
export interface Values {
  readonly expected?: string
  readonly actual?: string
}

/** Collects the findings of one delivery. Allocates nothing if there are none. */
export class FindingCollector {
  readonly #most: number
  #list: Finding[] | null = null
  #more = 0

  /** `most`: maximum number of findings. */
  constructor(most: number = mostFindings) {
    this.#most = most
  }

  /** Adds a finding. Places and values are truncated, because names and values in a body can be many megabytes long. */
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

  /** Counts more findings without storing them: a body may have a million of them, and creating messages for all takes too long. */
  addUncounted(count: number): void {
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

/** Truncates a place as findings do: names of headers and fields can be of any length. */
export function shortPlace(place: string): string {
  return shortened(place, longestPlace)
}

/** Truncates to whole characters: half a surrogate pair would change when it is stored. */
function shortened(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest - 1)}…` : text).toWellFormed()
}
