import type { ApiRequest } from '#contract/api.ts'
import type { CallInput } from '#contract/calls.ts'
import { defaultRefreshRule } from '#contract/integrations.ts'
import { openWriter } from '#engine/store/driver.ts'
import { insertIntegration } from '#engine/store/integrations.ts'
import { prepareStore } from '#engine/store/open.ts'
import { insertToken } from '#engine/store/tokens.ts'
import { createSecretBox } from '#hosts/node/secrets.ts'
import { openTestEngine, type TestEngineOptions } from './engine.ts'

/** Values that must be nowhere in clear text. */
export const planted = {
  token: 'planted-access-token-Aa1/+x7',
  refreshToken: 'planted-refresh-token-Bb2',
  accessSecret: 'planted-access-secret-Cc3',
}

export interface ConsoleOptions extends TestEngineOptions {
  readonly baseUrl: string
  /** Seconds since the epoch; an hour from now unless given. */
  readonly expires?: number | null
  /** Whether the refresh template has brought a token before. */
  readonly proven?: boolean
}

/** An engine with one integration and its token. */
export async function openConsole(options: ConsoleOptions) {
  let integrationId = 0
  let tokenId = 0
  const tab = await openTestEngine({
    ...options,
    prepare: async (dataDir) => {
      const box = createSecretBox(dataDir, {})
      const now = Date.now()
      const fields = {
        name: 'Bar',
        kind: 'service' as const,
        brand: 'Acme',
        baseUrl: options.baseUrl,
        accessId: 'access-id-1',
        redirectUrls: [],
        redirectUrl: '',
        refresh: { ...defaultRefreshRule, provenAt: options.proven === true ? now : null },
        sealedSecret: await box.seal(planted.accessSecret),
      }
      const token = {
        label: 'Ann',
        initiated: Math.floor(now / 1000) - 60,
        expires:
          options.expires === undefined ? Math.floor(now / 1000) + 3600 * 3 : options.expires,
        expiresIn: 86_400,
        obtainedAt: now - 60_000,
        version: 1,
        standing: 'good' as const,
        sealedAccess: await box.seal(planted.token),
        sealedRefresh: await box.seal(planted.refreshToken),
        findings: [],
        events: [{ kind: 'issued' as const, at: now - 60_000, detail: null, runId: null }],
      }
      const { path } = prepareStore(dataDir, 'now')
      const db = openWriter(path)
      integrationId = insertIntegration(db, fields)
      tokenId = insertToken(db, { ...token, integrationId })
      db.close()
    },
  })
  const request = (more: Partial<ApiRequest> = {}): ApiRequest => ({
    integrationId,
    tokenId,
    method: 'GET',
    path: '/things',
    query: [],
    headers: [],
    body: '',
    ...more,
  })
  return {
    tab,
    integrationId,
    tokenId,
    request,
    send: (more: Partial<CallInput<'api.send'>> = {}) =>
      tab.engine.call('api.send', { ...request(more), ...more }),
    [Symbol.asyncDispose]: () => tab[Symbol.asyncDispose](),
  }
}

/** A header or a parameter that is on. */
export const on = (name: string, value: string) => ({ name, value, on: true })
