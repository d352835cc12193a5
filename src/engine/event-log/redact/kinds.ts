import type { removalKinds } from '#contract/redaction.ts'

/** Why a value is taken out. */
export type RemovalKind = (typeof removalKinds)[number]

/** Of these nobody is shown what they were. */
export const hiddenKinds: ReadonlySet<RemovalKind> = new Set([
  'secret',
  'token',
  'code',
  'credential',
  'cookie',
  'signature',
  'digest',
  'custom_header',
  'unreadable',
])

/** Those that tell of a guest: the same contact in whatever place is one and the same. */
export const contactKinds: ReadonlySet<RemovalKind> = new Set(['handle', 'email', 'phone'])
