import type { Clock } from '../clock.ts'
import { type Fault, faultsNamed } from './faults.ts'
import type { Grants } from './grants.ts'
import type { Webhooks } from './webhooks.ts'
import { SandboxError } from '../errors.ts'
import { checkRedirectUrls } from './redirect-urls.ts'

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

/** What can be set while the service runs. */
export interface ServiceChange {
  /** Seconds; of tokens issued from now on. */
  readonly tokenLifetime?: number
  readonly faults?: readonly Fault[]
  readonly redirectUrls?: readonly string[]
}

/** Longest lifetime of a token, in seconds: a year. */
const longestLifetime = 31_536_000

/** The change, checked. Throws `SandboxError` (`bad_lifetime`, `bad_redirect_url`, `unknown_fault`, `too_many`). */
export function checkChange({ tokenLifetime, faults, redirectUrls }: ServiceChange): ServiceChange {
  if (
    tokenLifetime !== undefined &&
    !(Number.isInteger(tokenLifetime) && tokenLifetime >= 1 && tokenLifetime <= longestLifetime)
  )
    throw new SandboxError(
      'bad_lifetime',
      `Use a token lifetime from 1 to ${longestLifetime} seconds, in whole seconds.`,
    )
  return {
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(faults === undefined ? {} : { faults: faultsNamed(faults) }),
    ...(redirectUrls === undefined ? {} : { redirectUrls: checkRedirectUrls(redirectUrls) }),
  }
}

/** Checks a change and makes it, whole or not at all. Throws as `checkChange` does. */
export function applyChange(desk: Desk, change: ServiceChange): void {
  const { tokenLifetime, faults, redirectUrls } = checkChange(change)
  if (tokenLifetime !== undefined) desk.tokenLifetime = tokenLifetime
  if (faults !== undefined) desk.faults = new Set(faults)
  if (redirectUrls !== undefined) desk.redirectUrls = redirectUrls
  desk.touch()
}
