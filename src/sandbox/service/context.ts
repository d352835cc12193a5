import { hasCredentials } from '#shared/text/address.ts'
import type { Clock } from '../clock.ts'
import { type Fault, parseFaults } from './faults.ts'
import type { Grants } from './grants.ts'
import { SandboxError } from '../errors.ts'

const maxUrls = 50
const maxLength = 2000

/**
 * That a redirect URL must be http or https without a fragment is a rule of the sandbox: the API documentation names no rule. URLs are stored exactly as
 * given. Throws `SandboxError` (`bad_redirect_url`, `too_many`).
 */
export function checkRedirectUrls(urls: readonly string[]): readonly string[] {
  if (urls.length > maxUrls)
    throw new SandboxError(
      'too_many',
      `The sandbox stores at most ${maxUrls} redirect URLs. Remove one first.`,
    )
  for (const url of urls) {
    const problem = validate(url)
    if (problem !== null) throw new SandboxError('bad_redirect_url', problem)
  }
  return [...new Set(urls)]
}

function validate(text: string): string | null {
  if (text === '') return 'Enter a redirect URL.'
  if (text.length > maxLength) return `Use a redirect URL of at most ${maxLength} characters.`
  if (!/^[\u0021-\u007e]+$/.test(text))
    return 'Percent-encode spaces and non-ASCII characters in the redirect URL.'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return 'Use a redirect URL like http://127.0.0.1:5000/callback or https://example.com/callback.'
  if (hasCredentials(text)) return 'Remove the user name and password from the redirect URL.'
  if (text.includes('#')) return 'Remove the fragment (#…) from the redirect URL.'
  return null
}

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
