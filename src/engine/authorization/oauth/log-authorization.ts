import type { CallOutput } from '#contract/calls.ts'
import type { Db } from '../../platform/sqlite.ts'
import { readEndpoints } from '../../deliveries/endpoints/store.ts'
import { readIntegrations } from '../../receiving/integrations/store.ts'
import { readRun, readRuns } from './store.ts'
import { readTokens } from '../tokens/store.ts'

const maxRuns = 200

export function readLogAuthorization(db: Db): CallOutput<'logs.authorization'> {
  return {
    integrations: readIntegrations(db).map(({ id, name, brand, baseUrl, kind }) => ({
      kind: 'integration',
      id,
      name,
      brand,
      baseUrl,
      sandbox: kind === 'sandbox',
    })),
    endpoints: readEndpoints(db).map(
      ({ id, integrationId, name, slug, applicationId, customHeaders }) => ({
        kind: 'endpoint',
        id,
        integrationId,
        name,
        slug,
        applicationId,
        customHeaders: [...customHeaders],
      }),
    ),
    tokens: readTokens(db).map(
      ({ sealedAccess: _access, sealedRefresh: _refresh, findings, events, ...token }) => ({
        kind: 'token',
        ...token,
        findings: [...findings],
        events: [...events],
      }),
    ),
    runs: readRuns(db, { limit: maxRuns }).flatMap(({ id }) => readRun(db, id) ?? []),
  }
}
