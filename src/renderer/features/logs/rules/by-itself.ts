import { redactedValues, redactionLimits } from '#contract/redaction.ts'

/** What every redacted export replaces without a rule, and what it does not. */
export const byItself = [
  ...Object.values(redactedValues).map(({ label, values }) => ({ what: label, how: values })),
  {
    what: 'Digests and lengths of redacted bodies',
    how: 'since values could be tried until one fits. The verdict stays as it was at capture.',
  },
  {
    what: 'The same value becomes the same pseudonym',
    how: 'within one file. It cannot be reversed: the key is discarded.',
  },
  { what: 'Not replaced:', how: redactionLimits },
] as const
