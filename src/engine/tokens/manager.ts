import type { Run } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import type { TokenView } from '#contract/tokens.ts'
import type { TokenGrant } from '../oauth/grant.ts'
import type { StoredToken, TokenFields } from './store.ts'
import { refreshesAt, valueOf } from './held-token.ts'
import { applyResponse } from './apply-response.ts'
import { Refresher, type RefresherParts } from './refresher.ts'
import { SingleFlight } from '#shared/async/single-flight.ts'
import { continued, event, passed } from './timeline.ts'
import type { Renewal, Tokens, Unstored, UsableToken } from './tokens.ts'
import { renewed, timesOf, TokenVault, type VaultParts } from './vault.ts'

export interface TokenManagerParts extends VaultParts, RefresherParts {
  /** False: nothing is done by the clock. */
  readonly background: boolean
}

/** The clock is looked at this often at least, in milliseconds: a machine that slept wakes late, and long timers overflow. */
const longestWait = 60_000
/** A refresh that is under way at the end has this long to come in, in milliseconds. */
const patience = 5000

/** All that happens to tokens, from their grant to their end. */
export class TokenManager implements Tokens {
  readonly #parts: TokenManagerParts
  readonly #vault: TokenVault
  readonly #refresher: Refresher
  #stopTimer: () => void = () => undefined
  #closed = false

  constructor(parts: TokenManagerParts) {
    this.#parts = parts
    const flights: SingleFlight<number, Run> = new SingleFlight(() => this.#flew())
    this.#vault = new TokenVault(parts, (id) => flights.has(id))
    this.#refresher = new Refresher(parts, this.#vault, flights)
  }

  /** Takes the tokens as stored, adds what passed while nothing ran, and from now on follows the clock. */
  async open(tokens: readonly StoredToken[]): Promise<void> {
    await this.#vault.open(tokens)
    this.#look()
  }

  /** Opens the tokens again, which could not be opened before. */
  async reopen(): Promise<void> {
    await this.#vault.reopen()
    this.#look()
  }

  /** The computer was asleep: what fell due meanwhile is done now. */
  slept(): void {
    this.#look()
  }

  /** Waits for a refresh that is under way, for some seconds. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopTimer()
    await this.#refresher.close(patience)
  }

  views(): TokenView[] {
    return this.#vault.views()
  }

  view(id: number): TokenView {
    return this.#vault.view(id)
  }

  async keep(
    grant: TokenGrant,
    of: {
      integrationId: number
      label: string
      replaces: number | null
      runId: number
      findings: readonly Finding[]
      unstored?: Unstored
    },
  ): Promise<TokenView> {
    const sealed = await this.#vault.seal(grant)
    const at = this.#parts.clock.now()
    const findings = [...of.findings]
    const before = of.replaces === null ? undefined : this.#vault.find(of.replaces)
    // A token that was deleted while the user authorized again is no reason to lose the new one.
    if (before?.stored.integrationId !== of.integrationId) {
      const fields: TokenFields = {
        ...timesOf(grant, at),
        ...sealed,
        integrationId: of.integrationId,
        label: of.label || this.#vault.nextLabel(of.integrationId),
        version: 1,
        standing: 'good',
        findings,
        events: [event('issued', at, { runId: of.runId })],
      }
      const added = await this.#vault.add(grant, fields, of.unstored)
      this.#look()
      return this.view(added.id)
    }
    const stored: StoredToken = {
      ...renewed(before.stored, grant, sealed, at),
      label: of.label || before.stored.label,
      findings,
      events: continued(before.stored.events, event('replaced', at, { runId: of.runId })),
    }
    const held = { stored, access: grant.token, refresh: grant.refreshToken }
    await this.#vault.put(held, false, of.unstored)
    this.#look()
    return this.view(stored.id)
  }

  use(id: number): UsableToken {
    const held = this.#vault.get(id)
    const { integrationId, version, expires } = held.stored
    return { id, integrationId, value: valueOf(held, 'access'), version, expires }
  }

  async met(used: UsableToken, status: number, serverDate: number | null = null): Promise<void> {
    this.#look()
    const held = this.#vault.find(used.id)
    if (held?.stored.version !== used.version) return
    const now = this.#parts.clock.now()
    const { standing, events } = applyResponse(held.stored, { status, now, serverDate })
    if (standing === held.stored.standing && events.length === 0) return
    await this.#vault.change(held, {
      standing,
      events: continued(held.stored.events, ...events),
    })
  }

  renew(used: UsableToken, serverDate: number | null = null): Promise<Renewal> {
    return this.#refresher.renew(used, serverDate)
  }

  refresh(id: number): Promise<Run> {
    return this.#refresher.refresh(id)
  }

  async label(id: number, label: string): Promise<TokenView> {
    const held = this.#vault.get(id)
    const { integrationId } = held.stored
    await this.#vault.change(held, { label: label || this.#vault.nextLabel(integrationId) })
    return this.view(id)
  }

  reveal(id: number, which: 'access' | 'refresh'): string {
    return valueOf(this.#vault.get(id), which)
  }

  async forget(id: number): Promise<TokenView> {
    const { stored } = this.#vault.get(id)
    const again = stored.standing === 'forgotten'
    const forgotten: StoredToken = {
      ...stored,
      sealedAccess: null,
      sealedRefresh: null,
      standing: 'forgotten',
      events: again
        ? stored.events
        : continued(stored.events, event('forgotten', this.#parts.clock.now())),
    }
    await this.#vault.put({ stored: forgotten, access: null, refresh: null }, true)
    return this.view(id)
  }

  remove(id: number): Promise<void> {
    return this.#vault.remove(id)
  }

  clearValues(): { name: string; label: string; value: string }[] {
    return this.#vault
      .all()
      .flatMap(({ stored: { id, label }, access, refresh }) => [
        ...(access === null
          ? []
          : [{ name: `token_${id}`, label: `Access token "${label}"`, value: access }]),
        ...(refresh === null
          ? []
          : [{ name: `refresh_token_${id}`, label: `Refresh token "${label}"`, value: refresh }]),
      ])
  }

  integrationChanged(): void {
    if (this.#vault.all().length === 0) return
    this.#vault.tell()
    this.#look()
  }

  integrationRemoved(integrationId: number): void {
    this.#vault.dropOf(integrationId)
  }

  /** A refresh began or is over. */
  #flew(): void {
    this.#vault.tell()
    this.#look()
  }

  /** Records what has passed, refreshes what is due where that is allowed, and looks again when the next is to be. */
  #look(): void {
    const { clock, background, log } = this.#parts
    this.#stopTimer()
    if (this.#closed) return
    const now = clock.now()
    for (const held of this.#vault.all()) {
      const { stored } = held
      if (stored.standing !== 'good' && stored.standing !== 'suspect') continue
      const events = passed(stored, this.#vault.ruleOf(stored).dueBefore, now)
      if (events.length > 0) {
        this.#vault
          .change(held, { events: continued(stored.events, ...events) })
          .catch(
            (error: unknown) => void log.error(`token ${stored.id} could not be stored`, error),
          )
      }
    }
    if (!background) return
    // Only now, and of each as it is now: a refresh that begins looks again itself.
    for (const held of this.#vault.all()) this.#refresher.refreshWhenDue(held, now)
    this.#stopTimer()
    this.#stopTimer = clock.after(this.#wait(now), () => this.#look())
  }

  /** Milliseconds until something passes, or is to be refreshed. */
  #wait(now: number): number {
    const times = this.#vault.all().flatMap(({ stored }) => {
      if (stored.expires === null) return []
      const { dueBefore } = this.#vault.ruleOf(stored)
      const end = stored.expires * 1000
      return [end, end - dueBefore * 1000, refreshesAt(stored, dueBefore) ?? end]
    })
    return Math.min(longestWait, ...times.filter((at) => at > now).map((at) => at - now))
  }
}
