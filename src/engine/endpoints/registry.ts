import { randomBytes } from 'node:crypto'
import type { Endpoint, Header, Integration, SecretView } from '#contract/models.ts'
import type { EndpointRoute } from '../capture/messages.ts'
import { AppError } from '../errors.ts'
import type { Log, SandboxTarget, SecretBox } from '../ports.ts'
import type { StoredEndpoint, Which } from '../store/endpoints.ts'

/** A secret in memory: opened, or stored but not to be opened here. */
type HeldSecret = { readonly sealed: Uint8Array; readonly clear: string | null }

interface Held {
  readonly stored: StoredEndpoint
  readonly secrets: Partial<Record<Which, HeldSecret>>
}

/** In the order in which a signature is tried. */
const order = ['current', 'previous'] as const

/** The endpoints with their secrets opened, in memory: the only room that holds a secret in clear text. */
export class EndpointRegistry {
  readonly #box: SecretBox
  readonly #log: Log
  readonly #held = new Map<number, Held>()

  constructor(box: SecretBox, log: Log) {
    this.#box = box
    this.#log = log
  }

  /** Takes an endpoint as stored, and opens its secrets. One that cannot be opened must be entered again. */
  async put(stored: StoredEndpoint): Promise<void> {
    const secrets: Held['secrets'] = {}
    for (const which of order) {
      const sealed = stored.sealed[which]
      if (sealed) secrets[which] = { sealed, clear: await this.#open(stored, which, sealed) }
    }
    this.#held.set(stored.id, { stored, secrets })
  }

  remove(id: number): void {
    this.#held.delete(id)
  }

  /** Throws `not_found`. */
  stored(id: number): StoredEndpoint {
    return this.#get(id).stored
  }

  views(): Endpoint[] {
    return [...this.#held.keys()].map((id) => this.view(id))
  }

  view(id: number): Endpoint {
    const { stored, secrets } = this.#get(id)
    return {
      id: stored.id,
      integrationId: stored.integrationId,
      name: stored.name,
      slug: stored.slug,
      secret: secretView(secrets.current),
      previousSecret: secretView(secrets.previous),
      applicationId: stored.applicationId,
      customHeaders: [...stored.customHeaders],
    }
  }

  /** The secrets that are set and could be opened, in the order in which they are tried. */
  secretsOf(id: number | null): { name: string; secret: string }[] {
    const held = id === null ? undefined : this.#held.get(id)
    if (!held) return []
    return order.flatMap((which) => {
      const clear = held.secrets[which]?.clear
      return clear ? [{ name: which, secret: clear }] : []
    })
  }

  /** Throws `not_found`, or `secret_unavailable` when it is stored but cannot be opened. */
  reveal(id: number, which: Which): string {
    const secret = this.#get(id).secrets[which]
    if (!secret) throw new AppError('not_found', `This endpoint has no ${which} secret.`)
    if (secret.clear === null) throw unavailable(which)
    return secret.clear
  }

  routes(integrations: readonly Integration[]): EndpointRoute[] {
    return [...this.#held.values()].map(({ stored }) => ({
      id: stored.id,
      name: stored.name,
      path: `/hooks/${stored.slug}`,
      brand: brandOf(integrations, stored.integrationId),
      secrets: this.secretsOf(stored.id),
    }))
  }

  /** Where and as whom the sandbox sends to this endpoint. Throws `not_found`. */
  sandboxTarget(id: number, origin: string, integrations: readonly Integration[]): SandboxTarget {
    const { stored } = this.#get(id)
    return {
      url: `${origin}/hooks/${stored.slug}`,
      secret: this.secretsOf(id).find(({ name }) => name === 'current')?.secret ?? null,
      brand: brandOf(integrations, stored.integrationId),
      applicationId: stored.applicationId,
      customHeaders: stored.customHeaders satisfies readonly Header[],
    }
  }

  #get(id: number): Held {
    const held = this.#held.get(id)
    if (!held)
      throw new AppError('not_found', `There is no endpoint ${id}. It may have been deleted.`)
    return held
  }

  async #open(stored: StoredEndpoint, which: Which, sealed: Uint8Array): Promise<string | null> {
    try {
      return await this.#box.unseal(sealed)
    } catch (error) {
      this.#log.error(`the ${which} secret of endpoint ${stored.id} cannot be unsealed`, error)
      return null
    }
  }
}

/** A new secret: 256 random bits, in hex. */
export function newSecret(): string {
  return randomBytes(32).toString('hex')
}

function brandOf(integrations: readonly Integration[], id: number): string {
  return integrations.find((integration) => integration.id === id)?.brand ?? 'Service'
}

function secretView(secret: HeldSecret | undefined): SecretView {
  if (!secret) return { set: false, ending: null, unavailable: false }
  if (secret.clear === null) return { set: true, ending: null, unavailable: true }
  // The end of a short secret would be most of it.
  const ending = secret.clear.length >= 12 ? secret.clear.slice(-4) : null
  return { set: true, ending, unavailable: false }
}

function unavailable(which: Which): AppError {
  return new AppError(
    'secret_unavailable',
    `The ${which} secret was sealed with a key that is not here any more. Enter it again.`,
  )
}
