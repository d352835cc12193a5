import type { Run, RunStep } from '#contract/authorization.ts'
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

export function step(kind: RunStep['kind'], changes: Partial<RunStep> = {}): RunStep {
  return {
    kind,
    at: 0,
    durationMs: null,
    outcome: 'ok',
    title: kind,
    detail: null,
    facts: [],
    request: null,
    response: null,
    timings: null,
    ...changes,
  }
}

export function run(id: number, steps: RunStep[], changes: Partial<Run> = {}): Run {
  return {
    id,
    integrationId: 1,
    kind: 'authorize',
    agent: 'browser',
    state: 'succeeded',
    startedAt: id,
    endedAt: id + 1,
    redirectUrl: 'http://127.0.0.1:1/callback',
    failure: null,
    tokenId: null,
    authorizeUrl: null,
    acceptsPaste: false,
    timeoutAt: null,
    steps,
    findings: [],
    maskedValues: [],
    ...changes,
  }
}
