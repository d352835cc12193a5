import type { Run } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import type { Finding } from '#contract/models.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { TokenGrant } from '../oauth/grant.ts'
import type { Log } from '../platform/ports.ts'
import { obstacleTo, refreshesAt, valueOf, type HeldToken } from './held-token.ts'
import { isOver } from './apply-response.ts'
import type { SingleFlight } from '#shared/async/single-flight.ts'
import { continued, event } from './timeline.ts'
import type { Renewal, UsableToken } from './tokens.ts'
import { renewed, type TokenVault } from './vault.ts'

/** `passed_over`: the token was replaced, forgotten or deleted meanwhile. */
export type RefreshOutcome = 'taken' | 'passed_over'

/** After a try that brought no answer the clock waits so long, and each time twice as long, up to an hour; in milliseconds. */
const firstPause = 60_000
const longestPause = 3_600_000

/** One try of the refresh template, recorded as a run. Its grant goes to `take`, which says what became of it. */
export type TryRefresh = (
  of: {
    tokenId: number
    integration: Integration
    /** Null where there is none to try; `why` is a sentence. */
    refreshToken: { value: string } | { value: null; why: string }
    signal: AbortSignal
  },
  take: (
    grant: TokenGrant,
    findings: readonly Finding[],
    runId: number,
    waiting: (reason: string) => void,
  ) => Promise<RefreshOutcome>,
) => Promise<Run>

export interface RefresherParts {
  readonly clock: Clock
  readonly log: Log
  readonly integrations: { view(id: number): Integration }
  readonly tryRefresh: TryRefresh
  /** The integration's template, as it was then, has brought a token at `at` (ms). */
  readonly proven: (integration: Integration, at: number) => Promise<void>
}

/** Brings tokens for tokens: by hand, for a call that met 401, and by the clock; one refresh at a time for each token. */
export class Refresher {
  /** Tokens whose last tries brought no answer: when the clock may try again (ms since the epoch), and how long it waited (ms). */
  readonly #unreached = new Map<number, { until: number; pause: number }>()
  readonly #parts: RefresherParts
  readonly #vault: TokenVault
  readonly #flights: SingleFlight<number, Run>
  readonly #ending = new AbortController()

  constructor(parts: RefresherParts, vault: TokenVault, flights: SingleFlight<number, Run>) {
    this.#parts = parts
    this.#vault = vault
    this.#flights = flights
  }

  /** By the user's wish, whatever was tried before. Throws `not_found`. */
  async refresh(id: number): Promise<Run> {
    this.#vault.get(id)
    return this.#fly(id)
  }

  /** For a call that met 401: see `Tokens.renew`. */
  async renew(used: UsableToken, serverDate: number | null): Promise<Renewal> {
    const newer = this.#newer(used)
    if (newer) return newer
    if (!this.#flights.has(used.id)) {
      const why = this.#whyNot(used.id, serverDate)
      if (why !== null) return { token: null, why }
    }
    try {
      const run = await this.#fly(used.id)
      return this.#newer(used) ?? { token: null, why: wordsOf(run) }
    } catch (error) {
      return { token: null, why: this.#wordsOfError(used.id, error) }
    }
  }

  /** By the clock. One that the service answered with a failure is not tried again for this version. */
  refreshWhenDue({ stored, refresh }: HeldToken, now: number): void {
    const rule = this.#vault.ruleOf(stored)
    const at = refreshesAt(stored, rule.dueBefore)
    if (at === null || now < Math.max(at, this.#unreached.get(stored.id)?.until ?? at)) return
    if (refresh === null || this.#flights.has(stored.id)) return
    if (this.#ending.signal.aborted || obstacleTo(stored, rule) !== null) return
    this.#fly(stored.id).catch((error: unknown) => this.#wordsOfError(stored.id, error))
  }

  /**
   * Waits for what is under way: what it brings may be the only token left. After `patience` milliseconds it is broken off, and has as long
   * again to be recorded.
   */
  async close(patience: number): Promise<void> {
    const { clock } = this.#parts
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let stop = clock.after(patience, () => {
      this.#ending.abort()
      stop = clock.after(patience, resolve)
    })
    await Promise.race([this.#flights.landed(), over])
    stop()
    this.#ending.abort()
  }

  #whyNot(id: number, serverDate: number | null): string | null {
    const { stored, refresh } = this.#vault.get(id)
    const obstacle = obstacleTo(stored, this.#vault.ruleOf(stored))
    if (obstacle !== null) return obstacle
    if (refresh === null)
      return 'The refresh token cannot be unsealed on this machine. Authorize again.'
    if (isOver(stored, { now: this.#parts.clock.now(), serverDate })) return null
    return 'The token has not expired, so a refresh does not help against a 401. Authorize again.'
  }

  /** The token as it is now, when it is newer than the one that was used; else why there is none. Null: it is the same. */
  #newer({ id, version }: UsableToken): Renewal | null {
    const held = this.#vault.find(id)
    if (!held) return { token: null, why: 'The token was deleted meanwhile. Choose another.' }
    const { stored, access } = held
    if (stored.version === version) return null
    if (stored.standing !== 'good' || access === null) {
      return { token: null, why: 'The newer token is of no use either. Authorize again.' }
    }
    const { integrationId, expires } = stored
    return { token: { id, integrationId, value: access, version: stored.version, expires } }
  }

  /** One refresh for all that ask at once. */
  #fly(id: number): Promise<Run> {
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
            this.#take(id, stored.version, grant, { findings, runId, waiting }),
        )
      } catch (error) {
        await this.#failed(id, stored.version, { detail: 'The refresh could not be tried.' })
        throw error
      }
      if (run.failure?.code === 'token_unreachable') {
        await this.#wasUnreached(id, stored.version, run)
      } else if (run.failure) {
        await this.#failed(id, stored.version, { detail: run.failure.message, runId: run.id })
      } else {
        this.#unreached.delete(id)
        // The token is there, whether or not that can be noted.
        await this.#parts
          .proven(integration, this.#parts.clock.now())
          .catch((error: unknown) => this.#wordsOfError(id, error))
      }
      return run
    })
  }

  async #take(
    id: number,
    version: number,
    grant: TokenGrant,
    of: { findings: readonly Finding[]; runId: number; waiting: (reason: string) => void },
  ): Promise<RefreshOutcome> {
    const sealed = await this.#vault.seal(grant)
    const held = this.#vault.find(id)
    if (!isStill(held, version)) return 'passed_over'
    const at = this.#parts.clock.now()
    const stored = {
      ...renewed(held.stored, grant, sealed, at),
      // The document promises no new refresh token: without one the old one stays.
      sealedRefresh: sealed.sealedRefresh ?? held.stored.sealedRefresh,
      findings: [...of.findings],
      events: continued(held.stored.events, event('refreshed', at, { runId: of.runId })),
    }
    const refresh = grant.refreshToken ?? held.refresh
    const { waiting } = of
    const unstored = { signal: this.#ending.signal, waiting }
    await this.#vault.put({ stored, access: grant.token, refresh }, false, unstored)
    return 'taken'
  }

  async #failed(
    id: number,
    version: number,
    more: { detail: string; runId?: number },
  ): Promise<void> {
    const held = this.#vault.find(id)
    if (!isStill(held, version)) return
    const failed = event('refresh_failed', this.#parts.clock.now(), more)
    await this.#vault.change(held, { events: continued(held.stored.events, failed) })
  }

  /** Nothing was refused, and a computer that wakes has no network for a moment: the clock tries again, ever more rarely. */
  async #wasUnreached(id: number, version: number, { id: runId, failure }: Run): Promise<void> {
    const held = this.#vault.find(id)
    if (!isStill(held, version)) return
    const now = this.#parts.clock.now()
    const pause = Math.min(longestPause, (this.#unreached.get(id)?.pause ?? firstPause / 2) * 2)
    this.#unreached.set(id, { until: now + pause, pause })
    // A night without network is one event, not hundreds.
    if (held.stored.events.at(-1)?.kind === 'refresh_unreached') return
    const more = { runId, ...(failure ? { detail: failure.message } : {}) }
    const events = continued(held.stored.events, event('refresh_unreached', now, more))
    await this.#vault.change(held, { events })
  }

  #wordsOfError(id: number, error: unknown): string {
    if (error instanceof AppError) return error.message
    const logId = this.#parts.log.error(`the refresh of token ${id} failed`, error)
    return `The refresh failed in Tabscope itself. See the log entry ${logId}.`
  }
}

function refreshTokenOf(held: HeldToken): Parameters<TryRefresh>[0]['refreshToken'] {
  try {
    return { value: valueOf(held, 'refresh') }
  } catch (error) {
    if (error instanceof AppError) return { value: null, why: error.message }
    throw error
  }
}

function isStill(held: HeldToken | undefined, version: number): held is HeldToken {
  return held?.stored.version === version && held.stored.standing !== 'forgotten'
}

function wordsOf({ failure }: Run): string {
  if (!failure) return 'The refresh returned a token that was not accepted. Authorize again.'
  return `The refresh failed. ${failure.message} ${failure.remedy}`
}
