import type { Severity } from '#contract/models.ts'

/** What can be found to depart from the document, and what to make of it. A code is stable: filters and scripts name it. */
export interface FindingCode {
  readonly code: string
  readonly severity: Severity
  /** What it means in general, as a sentence for a list of codes. */
  readonly title: string
}

export const findingCodes: readonly FindingCode[] = []
