import type { LogEndpoint, LogIntegration, LogRun, LogToken } from '#contract/event-log.ts'
import { Run } from '#contract/authorization.ts'
import { prepare, type Db } from '../../store/driver.ts'

type Value = string | number | null

/** Stores what a log tells of integrations, endpoints, tokens and runs. Returns why something was left out, as half a sentence. */
export function createPutAuthorization(
  db: Db,
): (item: LogIntegration | LogEndpoint | LogToken | LogRun) => string | null {
  const insert = (table: string, columns: string): ((...values: Value[]) => boolean) => {
    const statement = prepare<Value[]>(
      db,
      `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
    )
    return (...values) => statement.run(...values).changes === 1
  }
  const insertIntegration = insert('integration', 'id, name, brand, base_url, kind')
  const insertEndpoint = insert(
    'endpoint',
    'id, integration_id, name, slug, application_id, custom_headers',
  )
  const insertToken = insert(
    'token',
    'id, integration_id, label, initiated, expires, expires_in, obtained_ms, version, standing, findings',
  )
  const insertEvent = insert('token_event', 'token_id, kind, at_ms, detail, run_id')
  const insertRun = insert(
    'run',
    'id, integration_id, kind, agent, state, started_ms, ended_ms, redirect_url, failure, token_id, record',
  )

  const put = (item: LogIntegration | LogEndpoint | LogToken | LogRun): boolean => {
    switch (item.kind) {
      case 'integration':
        return insertIntegration(
          item.id,
          item.name,
          item.brand,
          item.baseUrl,
          item.sandbox ? 'sandbox' : 'service',
        )
      case 'endpoint':
        return insertEndpoint(
          item.id,
          item.integrationId,
          item.name,
          item.slug,
          item.applicationId,
          JSON.stringify(item.customHeaders),
        )
      case 'token': {
        const isNew = insertToken(
          item.id,
          item.integrationId,
          item.label,
          item.initiated,
          item.expires,
          item.expiresIn,
          Math.round(item.obtainedAt),
          item.version,
          item.standing,
          JSON.stringify(item.findings),
        )
        if (!isNew) return false
        for (const { kind, at, detail, runId } of item.events) {
          insertEvent(item.id, kind, Math.round(at), detail, runId)
        }
        return true
      }
      case 'run': {
        const { run } = item
        return insertRun(
          run.id,
          run.integrationId,
          run.kind,
          run.agent,
          run.state,
          Math.round(run.startedAt),
          run.endedAt === null ? null : Math.round(run.endedAt),
          run.redirectUrl,
          run.failure && JSON.stringify(run.failure),
          run.tokenId,
          JSON.stringify(RunRest.parse(run)),
        )
      }
    }
  }
  return (item) =>
    put(item) ? null : `another ${item.kind} before it has the same number, or the same address`
}

/** What of a run has no column. */
const RunRest = Run.pick({
  authorizeUrl: true,
  takesPaste: true,
  waitsUntil: true,
  steps: true,
  findings: true,
  heldBack: true,
  hasRefusedToken: true,
})
