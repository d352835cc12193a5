import type { Finding, FindingData } from '#contract/models.ts'

/**
 * A service that deviates from its documentation usually does so in every delivery, so most deliveries of a type have the same list of findings. The
 * journal and the store keep such a list once. Each delivery refers to it, and keeps only the values that differ.
 */

/** The last elements are omitted if they are null. */
export type FindingTuple = readonly [
  code: string,
  place: string,
  expected?: string | null,
  actual?: string | null,
  severity?: Finding['severity'] | null,
  message?: string | null,
]

/** The values of the finding at `index` that differ from the list. 0: as in the list; absent: the same. */
export type FindingDifference = readonly [
  index: number,
  expected: string | null | 0,
  actual?: string | null | 0,
]

export function toTuples(findings: readonly FindingData[]): FindingTuple[] {
  return findings.map(({ code, location, expected, actual, severity, message }) => {
    if (severity !== undefined || message !== undefined) {
      return [code, location, expected ?? null, actual ?? null, severity ?? null, message ?? null]
    }
    if (actual !== undefined) return [code, location, expected ?? null, actual]
    return expected === undefined ? [code, location] : [code, location, expected]
  })
}

export function fromTuples(
  tuples: readonly FindingTuple[],
  differences: readonly FindingDifference[] = [],
): FindingData[] {
  const findings = tuples.map(([code, location, expected, actual, severity, message]) => ({
    code,
    location,
    ...(isPresent(severity) && { severity }),
    ...(isPresent(message) && { message }),
    ...(isPresent(expected) && { expected }),
    ...(isPresent(actual) && { actual }),
  }))
  for (const [index, changedExpected, changedActual = 0] of differences) {
    const found = findings[index]
    if (!found) continue
    const { expected: listExpected, actual: listActual, ...rest } = found
    const expected = changedExpected === 0 ? listExpected : changedExpected
    const actual = changedActual === 0 ? listActual : changedActual
    findings[index] = {
      ...rest,
      ...(isPresent(expected) && { expected }),
      ...(isPresent(actual) && { actual }),
    }
  }
  return findings
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

export function differencesFrom(
  list: readonly FindingData[],
  findings: readonly FindingData[],
): FindingDifference[] {
  const differences: FindingDifference[] = []
  for (const [index, { expected, actual }] of findings.entries()) {
    const base = list[index]
    if (base?.expected === expected && base?.actual === actual) continue
    const changedExpected = base?.expected === expected ? 0 : (expected ?? null)
    differences.push(
      base?.actual === actual ? [index, changedExpected] : [index, changedExpected, actual ?? null],
    )
  }
  return differences
}

interface Remembered<T> {
  readonly findings: readonly FindingData[]
  readonly at: T
}

/** Remembers where lists of findings are stored. Lists are the same if they differ in values only. */
export class FindingLists<T> {
  readonly #most: number
  readonly #lists = new Map<string, Remembered<T>>()

  constructor(most = 1000) {
    this.#most = most
  }

  /** Returns where a list like this is stored, and which values differ. `type`: the event type, if lists of types differ. */
  find(
    findings: readonly FindingData[],
    type = '',
  ): { at: T; differences: FindingDifference[] } | null {
    const known = this.#lists.get(keyOf(findings, type))
    return known ? { at: known.at, differences: differencesFrom(known.findings, findings) } : null
  }

  add(findings: readonly FindingData[], at: T, type = ''): void {
    if (this.#lists.size >= this.#most) this.#lists.clear()
    this.#lists.set(keyOf(findings, type), { findings, at })
  }

  clear(): void {
    this.#lists.clear()
  }
}

/** Codes contain no line feed; everything else may, so its length comes first. */
function keyOf(findings: readonly FindingData[], type: string): string {
  let key = `${type.length}\n${type}`
  for (const { code, location, severity, message } of findings) {
    key += `\n${code}\n${location.length}\n${location}`
    if (severity !== undefined) key += `\n${severity}`
    if (message !== undefined) key += `\n${message.length}\n${message}`
  }
  return key
}
