import type { Integration, RefreshRule } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { retry } from '#shared/async/retry.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { TokenGrant } from '../oauth/grant.ts'
import type { Log, SecretBox } from '../platform/ports.ts'
import type { StoredToken, TokenFields } from './store.ts'
import type { Unstored } from './tokens.ts'
import { nextLabel, openToken, viewOf, type HeldToken } from './held-token.ts'

/** While a grant cannot be stored it is tried again this often, in milliseconds. */
const retryMs = 1000

/** Writes that the store takes in the order in which they are given. */
export interface TokenWriter {
  insert(fields: TokenFields): Promise<number>
  /** With `wipe` what it had before is gone from the files and from the records of runs too. */
  update(token: StoredToken, wipe: boolean): Promise<void>
  remove(id: number): Promise<void>
}

export interface VaultParts {
  readonly clock: Clock
  readonly secrets: SecretBox
  readonly log: Log
  readonly writer: TokenWriter
  readonly integrations: { view(id: number): Integration }
  readonly changed: (views: TokenView[]) => void
}

/** What a grant is sealed to. */
type Sealed = Pick<StoredToken, 'sealedAccess' | 'sealedRefresh'>

/**
 * The tokens with their values opened, in memory: no other room holds one in clear text. Memory is changed first and at once, so that the
 * store, which takes writes in order, follows it.
 */
export class TokenVault {
  readonly #parts: VaultParts
  readonly #isRefreshing: (id: number) => boolean
  readonly #held = new Map<number, HeldToken>()

  constructor(parts: VaultParts, isRefreshing: (id: number) => boolean) {
    this.#parts = parts
    this.#isRefreshing = isRefreshing
  }

  async open(tokens: readonly StoredToken[]): Promise<void> {
    const { secrets, log } = this.#parts
    for (const stored of tokens) this.#held.set(stored.id, await openToken(secrets, log, stored))
  }

  /** Opens again what could not be unsealed before. What of a token changes meanwhile is kept. */
  async reopen(): Promise<void> {
    const { secrets, log } = this.#parts
    for (const { stored } of this.all()) {
      const opened = await openToken(secrets, log, stored)
      const current = this.#held.get(stored.id)?.stored
      if (current?.sealedAccess === stored.sealedAccess)
        this.#held.set(stored.id, { ...opened, stored: current })
    }
    this.tell()
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
    if (!held) throw new AppError('not_found', `There is no token ${id}. It may have been deleted.`)
    return held
  }

  views(): TokenView[] {
    return [...this.#held.keys()].toSorted((a, b) => a - b).map((id) => this.view(id))
  }

  /** Throws `not_found`. */
  view(id: number): TokenView {
    const held = this.get(id)
    const { dueBefore } = this.ruleOf(held.stored)
    return viewOf(held, { dueBefore, refreshing: this.#isRefreshing(id) })
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

  /** Takes a new token. */
  async add(grant: TokenGrant, fields: TokenFields, unstored?: Unstored): Promise<TokenView> {
    const id = await this.#store(() => this.#parts.writer.insert(fields), unstored)
    const stored = { id, ...fields }
    this.#held.set(id, { stored, access: grant.token, refresh: grant.refreshToken })
    this.tell()
    return this.view(id)
  }

  /** Takes a token as it is from now on; resolves when that is on the disk. */
  async put(held: HeldToken, wipe = false, unstored?: Unstored): Promise<void> {
    const { id } = held.stored
    this.#held.set(id, held)
    this.tell()
    await this.#store(async () => {
      const current = this.#held.get(id)
      // What changed while it waited is written with it.
      if (current) await this.#parts.writer.update(current.stored, wipe)
    }, unstored)
  }

  async #store<T>(write: () => Promise<T>, unstored: Unstored | undefined): Promise<T> {
    if (!unstored) return write()
    let told = false
    return retry(write, {
      clock: this.#parts.clock,
      wait: () => retryMs,
      signal: unstored.signal,
      mayPass: (error) => error instanceof AppError && error.code === 'store_failed',
      waiting: (error) => {
        if (!told && error instanceof Error) unstored.waiting(error.message)
        told = true
      },
    })
  }

  /** Changes all but the values. */
  change({ stored, ...values }: HeldToken, change: Partial<StoredToken>): Promise<void> {
    return this.put({ ...values, stored: { ...stored, ...change } })
  }

  async remove(id: number): Promise<void> {
    this.get(id)
    await this.#parts.writer.remove(id)
    this.#held.delete(id)
    this.tell()
  }

  /** The store has deleted an integration, and its tokens with it. */
  dropOf(integrationId: number): void {
    for (const { stored } of this.all()) {
      if (stored.integrationId === integrationId) this.#held.delete(stored.id)
    }
    this.tell()
  }

  tell(): void {
    this.#parts.changed(this.views())
  }
}

/** What a grant says of its times; it came at `at` (ms). */
export function timesOf(
  { initiated, expires, expiresIn }: TokenGrant,
  at: number,
): Pick<StoredToken, 'initiated' | 'expires' | 'expiresIn' | 'obtainedAt'> {
  return { initiated, expires, expiresIn, obtainedAt: at }
}

/** The token with other values: the same row, one version on, in good standing. */
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
    standing: 'good',
  }
}
