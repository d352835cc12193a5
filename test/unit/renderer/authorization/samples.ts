import type { TokenView } from '#contract/tokens.ts'

/** A token of 24 hours, issued at 1,000,000 s. */
export function token(changes: Partial<TokenView> = {}): TokenView {
  return {
    id: 1,
    integrationId: 1,
    label: 'Mara',
    ending: '7f3a',
    hasRefreshToken: true,
    initiated: 1_000_000,
    expires: 1_086_400,
    expiresIn: 86_400,
    obtainedAt: 1_000_000_500,
    version: 1,
    status: 'good',
    dueBeforeSeconds: 3600,
    refreshing: false,
    findings: [],
    events: [],
    ...changes,
  }
}
