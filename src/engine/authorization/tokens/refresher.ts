import type { Run, RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import type { TokenGrant } from '../oauth/token-response.ts'
import { obstacleTo, refreshesAt, valueOf, type HeldToken } from './held-token.ts'
import { isExpired } from './apply-response.ts'
import type { SingleFlight } from '#shared/async/single-flight.ts'
import { retryAfterOf } from '../../platform/http/retry-after.ts'
import { appended, event } from './timeline.ts'
import type { RefreshOutcome, Renewal, TryRefresh, UsableToken } from './tokens.ts'
import { renewed, type TokenParts, type TokenVault } from './vault.ts'

/** Before an automatic retry if the service could not be reached. Doubles each time, up to an hour. */
const firstRetryMs = 60_000
const maxRetryMs = 3_600_000
/** A longer `Retry-After` is probably wrong. */
const maxRetryAfterMs = 24 * 3_600_000

/** The service did not reject the refresh token, so the refresh is retried automatically. */
const postponing: ReadonlySet<string> = new Set([
  'token_unreachable',
  'token_rate_limited',
] satisfies RunFailureCode[])

/** Refreshes manually, for a call that got 401, and automatically; one refresh at a time for each token. */
export class Refresher {
  /** Tokens whose service could not be reached: time of the next automatic retry (ms since the epoch), and the delay (ms). */
  readonly #unreached = new Map<number, { until: number; delay: number }>()
  readonly #parts: TokenParts
  readonly #vault: TokenVault
  readonly #flights: SingleFlight<number, Run>
  readonly #ending = new AbortController()

  constructor(parts: TokenParts, vault: TokenVault, flights: SingleFlight<number, Run>) {
    this.#parts = parts
    this.#vault = vault
    this.#flights = flights
  }

  /** For the user, whatever was tried before. Throws `not_found`. */
  async refresh(id: number): Promise<Run> {
    this.#vault.get(id)
    return this.#refreshOnce(id)
  }

  async renew(used: UsableToken): Promise<Renewal> {
    const newer = this.#newer(used)
    if (newer) return newer
    if (!this.#flights.has(used.id)) {
      const reason = this.#obstacle(used.id)
      if (reason !== null) return { token: null, reason }
    }
    try {
      const run = await this.#refreshOnce(used.id)
      return this.#newer(used) ?? { token: null, reason: describeFailure(run) }
    } catch (error) {
      return { token: null, reason: this.#describeError(used.id, error) }
    }
  }

  /** After a failure response, the same version is not retried. */
  refreshWhenDue({ stored, refresh }: HeldToken, now: number): void {
    const rule = this.#vault.ruleOf(stored)
    const at = refreshesAt(stored, rule.dueBeforeSeconds)
    if (at === null || now < Math.max(at, this.#unreached.get(stored.id)?.until ?? at)) return
    if (refresh === null || this.#flights.has(stored.id)) return
    if (this.#ending.signal.aborted || obstacleTo(stored, rule) !== null) return
    this.#refreshOnce(stored.id).catch((error: unknown) => this.#describeError(stored.id, error))
  }

  /** Waits for refreshes, whose response may contain the only valid token. Cancels them after `timeout` ms, and waits as long again for their records. */
  async close(timeout: number): Promise<void> {
    const { clock } = this.#parts
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let stop = clock.after(timeout, () => {
      this.#ending.abort()
      stop = clock.after(timeout, resolve)
    })
    await Promise.race([this.#flights.landed(), over])
    stop()
    this.#ending.abort()
  }

  #obstacle(id: number): string | null {
    const { stored, refresh } = this.#vault.get(id)
    const obstacle = obstacleTo(stored, this.#vault.ruleOf(stored))
    if (obstacle !== null) return obstacle
    if (refresh === null)
      return 'The refresh token cannot be decrypted on this machine. Authorize again.'
    if (isExpired(stored, this.#parts.clock.now())) return null
    return 'The token has not expired, so a refresh would not fix the 401. Authorize again.'
  }

  /** The current token if it is newer than `used`, or the reason if it is unusable. Null: `used` is still current. */
  #newer({ id, version }: UsableToken): Renewal | null {
    const held = this.#vault.find(id)
    if (!held) return { token: null, reason: 'The token was deleted. Select another token.' }
    const { stored, access } = held
    if (stored.version === version) return null
    if (stored.status !== 'good' || access === null) {
      return { token: null, reason: 'The newer token is not usable either. Authorize again.' }
    }
    const { integrationId, expires } = stored
    return { token: { id, integrationId, value: access, version: stored.version, expires } }
  }

  #refreshOnce(id: number): Promise<Run> {
    return this.#flights.join(id, async () => {
      const held = this.#vault.get(id)
      const { stored } = held
      const integration = this.#parts.integrations.view(stored.integrationId)
      let run: Run
      try {
        run = await this.#parts.tryRefresh(
          {
            tokenId: id,
            integration,
            refreshToken: refreshTokenOf(held),
            signal: this.#ending.signal,
          },
          (grant, findings, runId, waiting) =>
            this.#store(id, stored.version, grant, { findings, runId, waiting }),
        )
      } catch (error) {
        await this.#recordFailure(id, stored.version, {
          detail: 'The refresh could not be started.',
        })
        throw error
      }
      if (run.failure && postponing.has(run.failure.code)) {
        await this.#recordUnreached(id, stored.version, run)
      } else if (run.failure) {
        await this.#recordFailure(id, stored.version, {
          detail: run.failure.message,
          runId: run.id,
        })
      } else {
        this.#unreached.delete(id)
        // The refresh succeeded even if this cannot be recorded.
        await this.#parts
          .proven(integration, this.#parts.clock.now())
          .catch((error: unknown) => this.#describeError(id, error))
      }
      return run
    })
  }

  async #store(
    id: number,
    version: number,
    grant: TokenGrant,
    of: { findings: readonly Finding[]; runId: number; waiting: (reason: string) => void },
  ): Promise<RefreshOutcome> {
    const sealed = await this.#vault.seal(grant)
    const held = this.#vault.find(id)
    if (!isCurrent(held, version)) return 'discarded'
    const at = this.#parts.clock.now()
    const stored = {
      ...renewed(held.stored, grant, sealed, at),
      // The API documentation does not promise a new refresh token. Without one, the old one is kept.
      sealedRefresh: sealed.sealedRefresh ?? held.stored.sealedRefresh,
      findings: [...of.findings],
      events: appended(held.stored.events, event('refreshed', at, { runId: of.runId })),
    }
    const refresh = grant.refreshToken ?? held.refresh
    const { waiting } = of
    const unstored = { signal: this.#ending.signal, waiting }
    await this.#vault.put({ stored, access: grant.token, refresh }, false, unstored)
    return 'stored'
  }

  async #recordFailure(
    id: number,
    version: number,
    more: { detail: string; runId?: number },
  ): Promise<void> {
    const held = this.#vault.find(id)
    if (!isCurrent(held, version)) return
    const failed = event('refresh_failed', this.#parts.clock.now(), more)
    await this.#vault.change(held, { events: appended(held.stored.events, failed) })
  }

  /** For example when a computer wakes up without a network: retry automatically, with a growing delay, and not before a `Retry-After`. */
  async #recordUnreached(
    id: number,
    version: number,
    { id: runId, failure, steps }: Run,
  ): Promise<void> {
    const held = this.#vault.find(id)
    if (!isCurrent(held, version)) return
    const now = this.#parts.clock.now()
    const delay = Math.min(maxRetryMs, (this.#unreached.get(id)?.delay ?? firstRetryMs / 2) * 2)
    const response = steps.findLast((step) => step.response !== null)?.response
    const asked = (response ? retryAfterOf(response, now)?.ms : null) ?? 0
    const until = now + Math.max(delay, Math.min(asked, maxRetryAfterMs))
    this.#unreached.set(id, { until, delay })
    // A night without a network is one event, not hundreds.
    if (held.stored.events.at(-1)?.kind === 'refresh_unreached') return
    const more = { runId, ...(failure ? { detail: failure.message } : {}) }
    const events = appended(held.stored.events, event('refresh_unreached', now, more))
    await this.#vault.change(held, { events })
  }

  #describeError(id: number, error: unknown): string {
    if (error instanceof AppError) return error.message
    const logId = this.#parts.log.error(`the refresh of token ${id} failed`, error)
    return `The refresh failed because of an error in Tabscope. See the log entry ${logId}.`
  }
}

function refreshTokenOf(held: HeldToken): Parameters<TryRefresh>[0]['refreshToken'] {
  try {
    return { value: valueOf(held, 'refresh') }
  } catch (error) {
    if (error instanceof AppError) return { value: null, reason: error.message }
    throw error
  }
}

function isCurrent(held: HeldToken | undefined, version: number): held is HeldToken {
  return held?.stored.version === version && held.stored.status !== 'forgotten'
}

function describeFailure({ failure }: Run): string {
  if (!failure) return 'The refresh returned a token that was not accepted. Authorize again.'
  return `The refresh failed. ${failure.message} ${failure.remedy}`
}
