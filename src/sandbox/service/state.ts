import type { Desk } from './desk.ts'
import type { Fault } from './faults.ts'
import { users } from './users.ts'

/** What the service is at the moment. No secret and no token is in it. */
export interface ServiceState {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly accessId: string
  readonly redirectUrls: readonly string[]
  readonly users: readonly { readonly name: string; readonly locations: readonly string[] }[]
  /** Seconds. */
  readonly tokenLifetime: number
  readonly faults: readonly Fault[]
  /** Access tokens issued that are neither expired nor revoked. */
  readonly tokens: number
  readonly webhooks: readonly {
    readonly url: string
    readonly signed: boolean
    readonly sent: number
    readonly failed: number
    readonly lastStatus: number | null
  }[]
}

/** The state of a desk. */
export function stateOf(desk: Desk): ServiceState {
  return {
    baseUrl: desk.baseUrl,
    dashboardUrl: `${desk.baseUrl}/`,
    accessId: desk.accessId,
    redirectUrls: desk.redirectUrls,
    users: users.map(({ name, locations }) => ({
      name,
      locations: locations.map((location) => location.name),
    })),
    tokenLifetime: desk.tokenLifetime,
    faults: [...desk.faults],
    tokens: desk.grants.rows().filter(({ state }) => state === 'alive').length,
    webhooks: desk.webhooks.list().map(({ url, signed, sent, failed, lastStatus }) => ({
      url,
      signed,
      sent,
      failed,
      lastStatus,
    })),
  }
}
