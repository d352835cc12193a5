import type { Clock } from '../clock.ts'
import { type Fault, parseFaults } from './faults.ts'
import type { Grants } from './grants.ts'
import { SandboxError } from '../errors.ts'
import { checkRedirectUrls } from './redirect-urls.ts'

export interface ServiceContext {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  readonly accessId: string
  readonly accessSecret: string
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  readonly grants: Grants
  readonly slowMs: number
  redirectUrls: readonly string[]
  /** In seconds. */
  tokenLifetime: number
  faults: ReadonlySet<Fault>
  touch(): void
}

export interface ServiceChange {
  /** In seconds. */
  readonly tokenLifetime?: number
  readonly faults?: readonly Fault[]
  readonly redirectUrls?: readonly string[]
}

/** One year, in seconds. */
const maxLifetime = 31_536_000

/** Throws `SandboxError` (`bad_lifetime`, `bad_redirect_url`, `unknown_fault`, `too_many`). */
export function checkChange({ tokenLifetime, faults, redirectUrls }: ServiceChange): ServiceChange {
  if (
    tokenLifetime !== undefined &&
    !(Number.isInteger(tokenLifetime) && tokenLifetime >= 1 && tokenLifetime <= maxLifetime)
  )
    throw new SandboxError(
      'bad_lifetime',
      `Use a token lifetime from 1 to ${maxLifetime} seconds, as a whole number.`,
    )
  return {
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(faults === undefined ? {} : { faults: parseFaults(faults) }),
    ...(redirectUrls === undefined ? {} : { redirectUrls: checkRedirectUrls(redirectUrls) }),
  }
}

/** Applies a change completely or not at all. Throws the errors of `checkChange`. */
export function applyChange(context: ServiceContext, change: ServiceChange): void {
  const { tokenLifetime, faults, redirectUrls } = checkChange(change)
  if (tokenLifetime !== undefined) context.tokenLifetime = tokenLifetime
  if (faults !== undefined) context.faults = new Set(faults)
  if (redirectUrls !== undefined) context.redirectUrls = redirectUrls
  context.touch()
}
