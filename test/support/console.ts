import type { ApiRequest } from '#contract/api.ts'
import type { CallInput } from '#contract/calls.ts'
import { openTestEngine, type TestEngineOptions } from './engine.ts'
import { canaryAccess, canaryRefresh, canarySecret, storeCanaryTokens } from './canary-tokens.ts'

/** Secrets that must not appear in clear text anywhere. */
export const canary = {
  token: canaryAccess,
  refreshToken: canaryRefresh,
  accessSecret: canarySecret,
}

/** Lifetime of a token in seconds. */
const lifetime = 86_400

export interface ConsoleOptions extends TestEngineOptions {
  readonly baseUrl: string
  /** Seconds since the epoch; default: three hours from now; null: no expiry. */
  readonly expires?: number | null
  /** Whether the refresh template is verified. */
  readonly proven?: boolean
}

export async function openConsole({ baseUrl, expires, proven, ...options }: ConsoleOptions) {
  const end = expires ?? Math.floor(Date.now() / 1000) + 3 * 3600
  const tab = await openTestEngine({
    // Tokens are refreshed only when a call requires it.
    background: false,
    ...options,
    prepare: (dataDir) =>
      storeCanaryTokens(dataDir, {
        baseUrl,
        now: (end - lifetime) * 1000,
        lifetime: expires === null ? null : lifetime,
        refresh: { provenAt: proven === true ? Date.now() : null },
      }),
  })
  const [token] = await tab.engine.call('tokens.list', {})
  if (!token) throw new Error('no token was canary')
  const { id: tokenId, integrationId } = token
  /** A GET request with the token by default. */
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

export const on = (name: string, value: string) => ({ name, value, on: true })
