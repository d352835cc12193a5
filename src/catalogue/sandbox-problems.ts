import type { SandboxProblem } from '#contract/models.ts'

export type { SandboxProblem } from '#contract/models.ts'

export const sandboxProblems = {
  'other-secret': 'Signed with another secret',
  'secret-line-break': 'Signed with a line break after the secret',
  're-serialized': 'Re-serialized after it was signed',
  base64: 'Signature in base64',
  'no-signature': 'No signature header',
  'undocumented-field': 'Undocumented field',
  duplicate: 'Sent twice',
  late: 'Sent an hour late',
  'out-of-order': 'Tab closed before it is opened',
} as const satisfies Readonly<Record<SandboxProblem, string>>
