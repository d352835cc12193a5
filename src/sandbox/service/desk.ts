import type { Clock } from '../clock.ts'
import type { Fault } from './faults.ts'
import type { Grants } from './grants.ts'
import type { Webhooks } from './webhooks.ts'

/** What the parts of the service share: the one integration it knows, what is set, and what was issued. */
export interface Desk {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly accessId: string
  readonly accessSecret: string
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  readonly grants: Grants
  readonly webhooks: Webhooks
  /** Milliseconds of the fault `slow`. */
  readonly slowMs: number
  redirectUrls: readonly string[]
  /** Seconds. */
  tokenLifetime: number
  faults: ReadonlySet<Fault>
  /** Says that something changed which the state shows. */
  touch(): void
}
