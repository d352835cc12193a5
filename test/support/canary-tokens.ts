import type { RefreshRule } from '#contract/integrations.ts'
import type { Clock } from '#engine/platform/clock.ts'
import { openWriter } from '#engine/platform/sqlite.ts'
import { readIntegrations, updateIntegration } from '#engine/receiving/integrations/store.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { insertToken } from '#engine/authorization/tokens/store.ts'
import { createSecretBox } from '#hosts/node/session/secrets.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'

/** Values that may appear in clear text only in a reply to `reveal`, and at the endpoint. */
export const canarySecret = 'SECRET-canary-access-secret'
export const canaryAccess = 'ACCESS-canary-first-token'
export const canaryRefresh = 'REFRESH-canary-first-token'

export interface CanaryTokens {
  readonly baseUrl: string
  /** When the token was received, in milliseconds since the epoch. */
  readonly now: number
  readonly refresh?: Partial<RefreshRule>
  /** Seconds; null: no expiry. */
  readonly lifetime?: number | null
  readonly labels?: readonly string[]
}

/** Creates a store whose first integration has tokens, before an engine opens it. */
export async function storeCanaryTokens(dataDir: string, plant: CanaryTokens): Promise<void> {
  const { baseUrl, now, refresh = {}, lifetime = 86_400, labels = ['Anna'] } = plant
  const box = createSecretBox(dataDir, {})
  const db = openWriter(prepareStore(dataDir, 'now').path)
  try {
    const [integration] = readIntegrations(db)
    if (!integration) throw new Error('a store begins with an integration')
    updateIntegration(db, {
      ...integration,
      kind: 'service',
      baseUrl,
      accessId: 'canary-id',
      sealedSecret: await box.seal(canarySecret),
      refresh: { ...integration.refresh, ...refresh },
    })
    const initiated = Math.floor(now / 1000)
    for (const label of labels) {
      insertToken(db, {
        integrationId: integration.id,
        label,
        sealedAccess: await box.seal(canaryAccess),
        sealedRefresh: await box.seal(canaryRefresh),
        initiated,
        expires: lifetime === null ? null : initiated + lifetime,
        expiresIn: lifetime,
        obtainedAt: now,
        version: 1,
        status: 'good',
        findings: [],
        events: [{ kind: 'issued', at: now, detail: null, runId: null }],
      })
    }
  } finally {
    db.close()
  }
}

export interface EngineClock extends Clock {
  pass: FakeClock['pass']
}

/** A clock that starts at `start` (milliseconds since the epoch) and only advances on request. */
export function engineClock(start = Date.now()): EngineClock {
  const clock = fakeClock()
  return {
    now: () => start + clock.now(),
    after: (ms, callback) => clock.after(ms, callback),
    pass: (ms) => clock.pass(ms),
  }
}
