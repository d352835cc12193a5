export type Severity = 'INFORMATIONAL' | 'LOW' | 'MEDIUM' | 'HIGH'

export interface Finding {
  /** Name of the check, as in electronegativity if it has the check. */
  readonly id: string
  readonly severity: Severity
  readonly file: string
  /** Line from 1; 0: the whole file or app. */
  readonly line: number
}

/** File name of findings for the whole app. */
export const WHOLE_APP = 'N/A'
