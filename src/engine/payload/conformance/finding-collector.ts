import type { KnownCode } from '#catalogue/findings.ts'
import type { FindingData } from '#contract/models.ts'

/** For one delivery; the last finding counts the rest. */
export const maxFindings = 50

const maxLocationLength = 120
const longestValue = 200

/** Never the value of a custom header, which may be a credential. */
export interface Values {
  readonly expected?: string
  readonly actual?: string
}

export class FindingCollector {
  #list: FindingData[] | null = null
  #more = 0

  /** Truncates, because names and values in a body can be many megabytes long. */
  add(code: KnownCode, location: string, { expected, actual }: Values = {}): void {
    this.#list ??= []
    if (this.#list.length === maxFindings) {
      this.#more += 1
      return
    }
    this.#list.push({
      code,
      location: shortLocation(location),
      ...(expected === undefined ? {} : { expected: shortened(expected, longestValue) }),
      ...(actual === undefined ? {} : { actual: shortened(actual, longestValue) }),
    })
  }

  /** Counts findings without storing them: a body may have a million. */
  addUncounted(count: number): void {
    this.#more += count
  }

  all(): readonly FindingData[] {
    if (this.#list === null) return none
    if (this.#more === 0) return this.#list
    const more = this.#more + 1
    return [
      ...this.#list.slice(0, maxFindings - 1),
      { code: 'findings.more', location: 'request', actual: String(more) },
    ]
  }
}

const none: readonly FindingData[] = []

/** Names of headers and fields can be of any length. */
export function shortLocation(location: string): string {
  return shortened(location, maxLocationLength)
}

/** Half a surrogate pair would change when it is stored. */
function shortened(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest - 1)}…` : text).toWellFormed()
}
