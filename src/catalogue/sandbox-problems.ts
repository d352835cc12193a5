import type { SandboxProblem } from '#contract/models.ts'

export type { SandboxProblem } from '#contract/models.ts'

export const sandboxProblems = [
  { name: 'other-secret', label: 'Signed with another secret' },
  { name: 'secret-line-break', label: 'Signed with a line break after the secret' },
  { name: 're-serialized', label: 'Re-serialized after it was signed' },
  { name: 'base64', label: 'Signature in base64' },
  { name: 'no-signature', label: 'No signature header' },
  { name: 'undocumented-field', label: 'Undocumented field' },
  { name: 'duplicate', label: 'Sent twice' },
  { name: 'late', label: 'Sent an hour late' },
  { name: 'out-of-order', label: 'Tab closed before it is opened' },
] as const satisfies readonly { name: SandboxProblem; label: string }[]
