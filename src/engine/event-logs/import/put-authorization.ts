import { Run } from '#contract/authorization.ts'
import type { LogEndpoint, LogIntegration, LogRun, LogToken } from '#contract/event-log.ts'
import { insertInto, type Db } from '../../platform/sqlite.ts'

export type AuthorizationLine = LogIntegration | LogEndpoint | LogToken | LogRun

/** The function returns why a line was skipped, as the end of a sentence, or null. */
export function createPutAuthorization(db: Db): (line: AuthorizationLine) => string | null {
  const putIntegration = createPutIntegration(db)
  const putEndpoint = createPutEndpoint(db)
  const putToken = createPutToken(db)
  const putRun = createPutRun(db)
  const put = (line: AuthorizationLine): boolean => {
    switch (line.kind) {
      case 'integration':
        return putIntegration(line)
      case 'endpoint':
        return putEndpoint(line)
      case 'token':
        return putToken(line)
      case 'run':
        return putRun(line)
    }
  }
  return (line) => (put(line) ? null : `an earlier ${line.kind} has the same id or address`)
}

function createPutIntegration(db: Db): (line: LogIntegration) => boolean {
  const columns = ['id', 'name', 'brand', 'base_url', 'kind'] as const
  const insert = insertInto(db, 'integration', columns, 'IGNORE')
  return ({ id, name, brand, baseUrl, sandbox }) => {
    const row = { id, name, brand, base_url: baseUrl, kind: sandbox ? 'sandbox' : 'service' }
    return insert(row).changes === 1
  }
}

function createPutEndpoint(db: Db): (line: LogEndpoint) => boolean {
  const insert = insertInto(
    db,
    'endpoint',
    ['id', 'integration_id', 'name', 'slug', 'application_id', 'custom_headers'],
    'IGNORE',
  )
  return ({ id, integrationId, name, slug, applicationId, customHeaders }) =>
    insert({
      id,
      integration_id: integrationId,
      name,
      slug,
      application_id: applicationId,
      custom_headers: JSON.stringify(customHeaders),
    }).changes === 1
}

function createPutToken(db: Db): (line: LogToken) => boolean {
  const insert = insertInto(
    db,
    'token',
    [
      'id',
      'integration_id',
      'label',
      'initiated',
      'expires',
      'expires_in',
      'obtained_ms',
      'version',
      'status',
      'findings',
    ],
    'IGNORE',
  )
  const insertEvent = insertInto(
    db,
    'token_event',
    ['token_id', 'kind', 'at_ms', 'detail', 'run_id'],
    'IGNORE',
  )
  return (line) => {
    const { changes } = insert({
      id: line.id,
      integration_id: line.integrationId,
      label: line.label,
      initiated: line.initiated,
      expires: line.expires,
      expires_in: line.expiresIn,
      obtained_ms: Math.round(line.obtainedAt),
      version: line.version,
      status: line.status,
      findings: JSON.stringify(line.findings),
    })
    if (changes === 0) return false
    for (const { kind, at, detail, runId } of line.events) {
      insertEvent({ token_id: line.id, kind, at_ms: Math.round(at), detail, run_id: runId })
    }
    return true
  }
}

function createPutRun(db: Db): (line: LogRun) => boolean {
  const insert = insertInto(
    db,
    'run',
    [
      'id',
      'integration_id',
      'kind',
      'agent',
      'state',
      'started_ms',
      'ended_ms',
      'redirect_url',
      'failure',
      'token_id',
      'record',
    ],
    'IGNORE',
  )
  return ({ run }) =>
    insert({
      id: run.id,
      integration_id: run.integrationId,
      kind: run.kind,
      agent: run.agent,
      state: run.state,
      started_ms: Math.round(run.startedAt),
      ended_ms: run.endedAt === null ? null : Math.round(run.endedAt),
      redirect_url: run.redirectUrl,
      failure: run.failure && JSON.stringify(run.failure),
      token_id: run.tokenId,
      record: JSON.stringify(RunRest.parse(run)),
    }).changes === 1
}

/** These have no column of their own. */
const RunRest = Run.pick({
  authorizeUrl: true,
  acceptsPaste: true,
  timeoutAt: true,
  steps: true,
  findings: true,
  maskedValues: true,
  hasRefusedToken: true,
})
