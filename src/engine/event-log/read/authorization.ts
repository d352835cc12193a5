import type { LogEndpoint, LogIntegration, LogRun, LogToken } from '#contract/event-log.ts'
import type { Db } from '../../store/driver.ts'
import { readEndpoints } from '../../store/endpoints.ts'
import { readIntegrations } from '../../store/integrations.ts'
import { countRuns, readRunsAfter } from '../../store/runs.ts'
import { readTokens } from '../../store/tokens.ts'

/** Records of one read: each holds whole exchanges. */
const readRuns = 8

/** Integrations, endpoints, tokens and runs, each by their ids. Never a secret, never a token: what seals them stays where it is. */
export function* readAuthorization(
  db: Db,
): Generator<LogIntegration | LogEndpoint | LogToken | LogRun, void, undefined> {
  for (const { id, name, kind, brand, baseUrl } of readIntegrations(db)) {
    yield { kind: 'integration', id, name, brand, baseUrl, sandbox: kind === 'sandbox' }
  }
  for (const endpoint of readEndpoints(db)) {
    const { id, integrationId, name, slug, applicationId, customHeaders } = endpoint
    yield {
      kind: 'endpoint',
      id,
      integrationId,
      name,
      slug,
      applicationId,
      customHeaders: [...customHeaders],
    }
  }
  for (const token of readTokens(db)) {
    yield {
      kind: 'token',
      id: token.id,
      integrationId: token.integrationId,
      label: token.label,
      initiated: token.initiated,
      expires: token.expires,
      expiresIn: token.expiresIn,
      obtainedAt: token.obtainedAt,
      version: token.version,
      standing: token.standing,
      findings: [...token.findings],
      events: [...token.events],
    }
  }
  for (let after = 0; ;) {
    const runs = readRunsAfter(db, after, readRuns)
    for (const run of runs) yield { kind: 'run', run }
    const last = runs.at(-1)
    if (!last) return
    after = last.id
  }
}

/** How many there are of each. */
export function countAuthorization(db: Db): {
  integrations: number
  endpoints: number
  tokens: number
  runs: number
} {
  return {
    integrations: readIntegrations(db).length,
    endpoints: readEndpoints(db).length,
    tokens: readTokens(db).length,
    runs: countRuns(db),
  }
}
