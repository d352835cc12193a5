import { Run } from '#contract/authorization.ts'
import type { LogEndpoint, LogIntegration, LogRun, LogToken } from '#contract/event-log.ts'
import { type Db, insertNew, type SqlValue } from '../../platform/sqlite.ts'

export type AuthorizationLine = LogIntegration | LogEndpoint | LogToken | LogRun

/** The function returns why a line was skipped, as the end of a sentence, or null. */
export function createPutAuthorization(db: Db): (line: AuthorizationLine) => string | null {
  const insertIntegration = insertNew(db, 'integration')
  const insertEndpoint = insertNew(db, 'endpoint')
  const insertToken = insertNew(db, 'token')
  const insertEvent = insertNew(db, 'token_event')
  const insertRun = insertNew(db, 'run')
  const put = (line: AuthorizationLine): boolean => {
    switch (line.kind) {
      case 'integration':
        return insertIntegration(integrationRow(line))
      case 'endpoint':
        return insertEndpoint(endpointRow(line))
      case 'token':
        if (!insertToken(tokenRow(line))) return false
        for (const { kind, at, detail, runId } of line.events) {
          insertEvent({ token_id: line.id, kind, at_ms: Math.round(at), detail, run_id: runId })
        }
        return true
      case 'run':
        return insertRun(runRow(line))
    }
  }
  return (line) => (put(line) ? null : `an earlier ${line.kind} has the same id or address`)
}

type Row = Record<string, SqlValue>

function integrationRow({ id, name, brand, baseUrl, sandbox }: LogIntegration): Row {
  return { id, name, brand, base_url: baseUrl, kind: sandbox ? 'sandbox' : 'service' }
}

function endpointRow(endpoint: LogEndpoint): Row {
  return {
    id: endpoint.id,
    integration_id: endpoint.integrationId,
    name: endpoint.name,
    slug: endpoint.slug,
    application_id: endpoint.applicationId,
    custom_headers: JSON.stringify(endpoint.customHeaders),
  }
}

function tokenRow(token: LogToken): Row {
  return {
    id: token.id,
    integration_id: token.integrationId,
    label: token.label,
    initiated: token.initiated,
    expires: token.expires,
    expires_in: token.expiresIn,
    obtained_ms: Math.round(token.obtainedAt),
    version: token.version,
    status: token.status,
    findings: JSON.stringify(token.findings),
  }
}

function runRow({ run }: LogRun): Row {
  return {
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
  }
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
