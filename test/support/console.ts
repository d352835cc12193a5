import type { ApiRequest } from '#contract/api.ts'
import type { CallInput } from '#contract/calls.ts'
import { openTestEngine, type TestEngineOptions } from './engine.ts'
import { plantedAccess, plantedRefresh, plantedSecret, plantTokens } from './planted-token.ts'

/** Values that must be nowhere in clear text. */
export const planted = {
  token: plantedAccess,
  refreshToken: plantedRefresh,
  accessSecret: plantedSecret,
}

/** Seconds between a token's beginning and its end. */
const lifetime = 86_400

export interface ConsoleOptions extends TestEngineOptions {
  readonly baseUrl: string
  /** Seconds since the epoch; three hours from now unless given; null: without an end. */
  readonly expires?: number | null
  /** Whether the refresh template has brought a token before. */
  readonly proven?: boolean
}

/** An engine with an integration and its token, to send with. */
export async function openConsole({ baseUrl, expires, proven, ...options }: ConsoleOptions) {
  const end = expires ?? Math.floor(Date.now() / 1000) + 3 * 3600
  const tab = await openTestEngine({
    // Here a token is refreshed when a call asks for it, and never before.
    background: false,
    ...options,
    prepare: (dataDir) =>
      plantTokens(dataDir, {
        baseUrl,
        now: (end - lifetime) * 1000,
        lifetime: expires === null ? null : lifetime,
        refresh: { provenAt: proven === true ? Date.now() : null },
      }),
  })
  const [token] = await tab.engine.call('tokens.list', {})
  if (!token) throw new Error('no token was planted')
  const { id: tokenId, integrationId } = token
  /** A GET with the token, unless said otherwise. */
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
