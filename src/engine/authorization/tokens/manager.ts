import type { Run } from '#contract/authorization.ts'
import type { TokenView } from '#contract/tokens.ts'
import { maskedForms, type TokenGrant } from '../oauth/token-response.ts'
import type { StoredToken, TokenFields } from './store.ts'
import { refreshesAt, valueOf } from './held-token.ts'
import { applyResponse } from './apply-response.ts'
import { Refresher } from './refresher.ts'
import { SingleFlight } from '#shared/async/single-flight.ts'
import { appended, event, passedMilestones } from './timeline.ts'
import type { GrantedTo, Renewal, UsableToken } from './tokens.ts'
import { renewed, timesOf, TokenVault, type TokenParts } from './vault.ts'

/** Between checks: timers run late after sleep, and long ones overflow. */
const maxWaitMs = 60_000
/** How long `close` waits for a refresh in progress. */
const closeTimeoutMs = 5000

/** The only component that keeps tokens in clear text. */
export class TokenManager {
  readonly #parts: TokenParts
  readonly #vault: TokenVault
  readonly #refresher: Refresher
  #stopTimer: () => void = () => undefined
  #closed = false

  constructor(parts: TokenParts) {
    this.#parts = parts
    const flights: SingleFlight<number, Run> = new SingleFlight(() => this.#refreshingChanged())
    this.#vault = new TokenVault(parts, (id) => flights.has(id))
    this.#refresher = new Refresher(parts, this.#vault, flights)
  }

  /** Records milestones that passed while Tabscope was not running, and starts the timer. */
  async open(tokens: readonly StoredToken[]): Promise<void> {
    await this.#vault.open(tokens)
    this.#check()
  }

  /** Tries again to decrypt tokens that could not be decrypted before. */
  async reopen(): Promise<void> {
    await this.#vault.reopen()
    this.#check()
  }

  /** Handles what became due while the computer slept. */
  slept(): void {
    this.#check()
  }

  /** Waits a few seconds for a refresh in progress. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopTimer()
    await this.#refresher.close(closeTimeoutMs)
  }

  views(): TokenView[] {
    return this.#vault.views()
  }

  /** Throws `not_found`. */
  view(id: number): TokenView {
    return this.#vault.view(id)
  }

  /** Seals and stores the grant of a run, as a new token or in place of `replaces`. */
  async keep(grant: TokenGrant, of: GrantedTo): Promise<TokenView> {
    const sealed = await this.#vault.seal(grant)
    const at = this.#parts.clock.now()
    const findings = [...of.findings]
    const replaced = of.replaces === null ? undefined : this.#vault.find(of.replaces)
    // If the token was deleted while the user authorized again, the new one is stored as another token.
    if (replaced?.stored.integrationId !== of.integrationId) {
      const fields: TokenFields = {
        ...timesOf(grant, at),
        ...sealed,
        integrationId: of.integrationId,
        label: of.label || this.#vault.nextLabel(of.integrationId),
        version: 1,
        status: 'good',
        findings,
        events: [event('issued', at, { runId: of.runId })],
      }
      const added = await this.#vault.add(grant, fields, of.unstored)
      this.#check()
      return this.view(added.id)
    }
    const stored: StoredToken = {
      ...renewed(replaced.stored, grant, sealed, at),
      label: of.label || replaced.stored.label,
      findings,
      events: appended(replaced.stored.events, event('replaced', at, { runId: of.runId })),
    }
    const held = { stored, access: grant.token, refresh: grant.refreshToken }
    await this.#vault.put(held, false, of.unstored)
    this.#check()
    return this.view(stored.id)
  }

  /** Throws `not_found`, or `token_unusable` if it was forgotten or cannot be decrypted. A token that the service rejected is still returned. */
  use(id: number): UsableToken {
    const held = this.#vault.get(id)
    const { integrationId, version, expires } = held.stored
    return { id, integrationId, value: valueOf(held, 'access'), version, expires }
  }

  /**
   * Records the response to a call with this version of the token: 401 and 403 change the token's status, 2xx clears an earlier refusal. Ignores
   * older versions.
   */
  async recordResponse(used: UsableToken, responseStatus: number): Promise<void> {
    this.#check()
    const held = this.#vault.find(used.id)
    if (held?.stored.version !== used.version) return
    const now = this.#parts.clock.now()
    const { status, events } = applyResponse(held.stored, { status: responseStatus, now })
    if (status === held.stored.status && events.length === 0) return
    await this.#vault.change(held, {
      status,
      events: appended(held.stored.events, ...events),
    })
  }

  /**
   * For a call that got 401 after the token expired: returns a token newer than `used`. Simultaneous calls share one refresh. Null with a sentence if
   * automatic refresh is not possible (not tested, turned off, no refresh token) or failed.
   */
  renew(used: UsableToken): Promise<Renewal> {
    return this.#refresher.renew(used)
  }

  /** Tries the refresh template once, or joins a refresh in progress. Any failure, such as a missing refresh token, is a failed run. Throws `not_found`. */
  refresh(id: number): Promise<Run> {
    return this.#refresher.refresh(id)
  }

  /** An empty label becomes the next "Token n". Throws `not_found`. */
  async label(id: number, label: string): Promise<TokenView> {
    const held = this.#vault.get(id)
    const { integrationId } = held.stored
    await this.#vault.change(held, { label: label || this.#vault.nextLabel(integrationId) })
    return this.view(id)
  }

  /** Throws `not_found`, or `token_unusable` if the value is not available. */
  reveal(id: number, which: 'access' | 'refresh'): string {
    return valueOf(this.#vault.get(id), which)
  }

  /** Deletes the values, including their bytes in the store's files. The timeline stays. Throws `not_found`. */
  async forget(id: number): Promise<TokenView> {
    const { stored } = this.#vault.get(id)
    const alreadyForgotten = stored.status === 'forgotten'
    const forgotten: StoredToken = {
      ...stored,
      sealedAccess: null,
      sealedRefresh: null,
      status: 'forgotten',
      events: alreadyForgotten
        ? stored.events
        : appended(stored.events, event('forgotten', this.#parts.clock.now())),
    }
    await this.#vault.put({ stored: forgotten, access: null, refresh: null }, true)
    return this.view(id)
  }

  /** Also deletes the timeline. Throws `not_found`. */
  remove(id: number): Promise<void> {
    return this.#vault.remove(id)
  }

  /** Also without white space at their ends, under the same name. */
  clearValues(): { name: string; label: string; value: string }[] {
    return this.#vault.all().flatMap(({ stored: { id, label }, access, refresh }) => [
      ...maskedForms(access ?? '').map((value) => ({
        name: `token_${id}`,
        label: `Access token "${label}"`,
        value,
      })),
      ...maskedForms(refresh ?? '').map((value) => ({
        name: `refresh_token_${id}`,
        label: `Refresh token "${label}"`,
        value,
      })),
    ])
  }

  /** Checks again which tokens are due and may be refreshed automatically. */
  integrationChanged(): void {
    if (this.#vault.all().length === 0) return
    this.#vault.push()
    this.#check()
  }

  /** The integration was deleted with its tokens. */
  integrationRemoved(integrationId: number): void {
    this.#vault.dropOf(integrationId)
  }

  #refreshingChanged(): void {
    this.#vault.push()
    this.#check()
  }

  #check(): void {
    const { clock, background, log } = this.#parts
    this.#stopTimer()
    if (this.#closed) return
    const now = clock.now()
    for (const held of this.#vault.all()) {
      const { stored } = held
      if (stored.status !== 'good' && stored.status !== 'suspect') continue
      const events = passedMilestones(stored, this.#vault.ruleOf(stored).dueBeforeSeconds, now)
      if (events.length > 0) {
        this.#vault
          .change(held, { events: appended(stored.events, ...events) })
          .catch((error: unknown) => void log.error(`token ${stored.id} cannot be stored`, error))
      }
    }
    if (!background) return
    // A refresh that starts calls `#check` itself, so this loop needs the values after the first one.
    for (const held of this.#vault.all()) this.#refresher.refreshWhenDue(held, now)
    this.#stopTimer()
    this.#stopTimer = clock.after(this.#wait(now), () => this.#check())
  }

  #wait(now: number): number {
    const times = this.#vault.all().flatMap(({ stored }) => {
      if (stored.expires === null) return []
      const { dueBeforeSeconds } = this.#vault.ruleOf(stored)
      const end = stored.expires * 1000
      return [end, end - dueBeforeSeconds * 1000, refreshesAt(stored, dueBeforeSeconds) ?? end]
    })
    return Math.min(maxWaitMs, ...times.filter((at) => at > now).map((at) => at - now))
  }
}
