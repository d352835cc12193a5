export type Severity = 'INFORMATIONAL' | 'LOW' | 'MEDIUM' | 'HIGH'

export interface Finding {
  /** As electronegativity names it, where it knows the check. */
  readonly id: string
  readonly severity: Severity
  readonly file: string
  /** From 1; 0: the whole file, or the whole app. */
  readonly line: number
}

/** Where a finding is of the app and not of a file. */
export const WHOLE_APP = 'N/A'
