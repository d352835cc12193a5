import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'

/** Who has to do what the fix says. */
export const fixLocationLabels = {
  here: 'here, in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and here',
  sender: 'where it is signed',
} as const satisfies Record<DiagnosisCause['where'], string>

/** What came of trying a cause, in a word. */
export const causeOutcomeLabels = {
  matches: 'matches',
  ruled_out: 'ruled out',
  untried: 'not tried',
} as const satisfies Record<DiagnosisCause['outcome'], string>

/** What came of the secret that was given. */
export const candidateLabels = {
  matches: 'This secret makes the signature that came.',
  matches_changed: 'This secret makes the signature that came when something is changed:',
  differs: 'This secret does not make the signature that came, whatever is changed.',
} as const satisfies Record<NonNullable<Diagnosis['candidate']>, string>
