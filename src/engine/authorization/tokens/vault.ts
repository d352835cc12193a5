import type { Integration, RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { retry } from '#shared/async/retry.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { TokenGrant } from '../oauth/token-response.ts'
import type { Log, SecretBox } from '../../platform/ports.ts'
import type { StoredToken, TokenFields } from './store.ts'
import type { TryRefresh, Unstored } from './tokens.ts'
import { nextLabel, openToken, throwTokenNotFound, viewOf, type HeldToken } from './held-token.ts'

const retryMs = 1000

/** Calls are processed in order. */
export interface TokenWriter {
  insert(fields: TokenFields): Promise<number>
  /** `wipe` also deletes the old values from the files and from the records of runs. */
  update(token: StoredToken, wipe: boolean): Promise<void>
  remove(id: number): Promise<void>
}

export interface TokenParts {
  readonly clock: Clock
  readonly secrets: SecretBox
  readonly log: Log
  readonly writer: TokenWriter
  readonly integrations: { view(id: number): Integration }
  readonly changed: (views: TokenView[]) => void
  readonly tryRefresh: TryRefresh
  /** The template of this integration returned a token at `at` (ms). */
  readonly proven: (integration: Integration, at: number) => Promise<void>
  readonly background: boolean
}

type Sealed = Pick<StoredToken, 'sealedAccess' | 'sealedRefresh'>

/** The only component with tokens in clear text. Memory changes first and synchronously; the store, which processes writes in order, follows. */
export class TokenVault {
  readonly #parts: TokenParts
  readonly #isRefreshing: (id: number) => boolean
  readonly #held = new Map<number, HeldToken>()

  constructor(parts: TokenParts, isRefreshing: (id: number) => boolean) {
    this.#parts = parts
    this.#isRefreshing = isRefreshing
  }

  async open(tokens: readonly StoredToken[]): Promise<void> {
    const { secrets, log } = this.#parts
    for (const stored of tokens) this.#held.set(stored.id, await openToken(secrets, log, stored))
  }

  /** Tries again to decrypt tokens. Keeps changes made to a token in the meantime. */
  async reopen(): Promise<void> {
    const { secrets, log } = this.#parts
    for (const { stored } of this.all()) {
      const opened = await openToken(secrets, log, stored)
      const current = this.#held.get(stored.id)?.stored
      if (current?.sealedAccess === stored.sealedAccess)
        this.#held.set(stored.id, { ...opened, stored: current })
    }
    this.push()
  }

  all(): HeldToken[] {
    return [...this.#held.values()]
  }

  find(id: number): HeldToken | undefined {
    return this.#held.get(id)
  }

  /** Throws `not_found`. */
  get(id: number): HeldToken {
    const held = this.#held.get(id)
    return held ?? throwTokenNotFound(id)
  }

  views(): TokenView[] {
    return [...this.#held.keys()].toSorted((a, b) => a - b).map((id) => this.view(id))
  }

  /** Throws `not_found`. */
  view(id: number): TokenView {
    const held = this.get(id)
    const { dueBeforeSeconds } = this.ruleOf(held.stored)
    return viewOf(held, { dueBeforeSeconds, refreshing: this.#isRefreshing(id) })
  }

  ruleOf({ integrationId }: Pick<StoredToken, 'integrationId'>): RefreshRule {
    return this.#parts.integrations.view(integrationId).refresh
  }

  nextLabel(integrationId: number): string {
    const siblings = this.all().filter(({ stored }) => stored.integrationId === integrationId)
    return nextLabel(siblings.map(({ stored }) => stored.label))
  }

  async seal(grant: TokenGrant): Promise<Sealed> {
    const { secrets } = this.#parts
    return {
      sealedAccess: await secrets.seal(grant.token),
      sealedRefresh: grant.refreshToken === null ? null : await secrets.seal(grant.refreshToken),
    }
  }

  async add(grant: TokenGrant, fields: TokenFields, unstored?: Unstored): Promise<TokenView> {
    const id = await this.#store(() => this.#parts.writer.insert(fields), unstored)
    const stored = { id, ...fields }
    this.#held.set(id, { stored, access: grant.token, refresh: grant.refreshToken })
    this.push()
    return this.view(id)
  }

  /** Resolves when it is on disk. */
  async put(held: HeldToken, wipe = false, unstored?: Unstored): Promise<void> {
    const { id } = held.stored
    this.#held.set(id, held)
    this.push()
    await this.#store(async () => {
      const current = this.#held.get(id)
      // Includes changes made while this waited.
      if (current) await this.#parts.writer.update(current.stored, wipe)
    }, unstored)
  }

  async #store<T>(write: () => Promise<T>, unstored: Unstored | undefined): Promise<T> {
    if (!unstored) return write()
    let reported = false
    return retry(write, {
      clock: this.#parts.clock,
      wait: () => retryMs,
      signal: unstored.signal,
      mayPass: (error) => error instanceof AppError && error.code === 'store_failed',
      waiting: (error) => {
        if (!reported && error instanceof Error) unstored.waiting(error.message)
        reported = true
      },
    })
  }

  change({ stored, ...values }: HeldToken, change: Partial<StoredToken>): Promise<void> {
    return this.put({ ...values, stored: { ...stored, ...change } })
  }

  async remove(id: number): Promise<void> {
    this.get(id)
    await this.#parts.writer.remove(id)
    this.#held.delete(id)
    this.push()
  }

  /** The store has already deleted the tokens with their integration. */
  dropOf(integrationId: number): void {
    for (const { stored } of this.all()) {
      if (stored.integrationId === integrationId) this.#held.delete(stored.id)
    }
    this.push()
  }

  push(): void {
    this.#parts.changed(this.views())
  }
}

/** `at`: when the grant was received (ms). */
export function timesOf(
  { initiated, expires, expiresIn }: TokenGrant,
  at: number,
): Pick<StoredToken, 'initiated' | 'expires' | 'expiresIn' | 'obtainedAt'> {
  return { initiated, expires, expiresIn, obtainedAt: at }
}

/** The same row, with new values, the next version and the status `good`. */
export function renewed(
  before: StoredToken,
  grant: TokenGrant,
  sealed: Sealed,
  at: number,
): StoredToken {
  return {
    ...before,
    ...timesOf(grant, at),
    ...sealed,
    version: before.version + 1,
    status: 'good',
  }
}
