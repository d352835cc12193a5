import { randomBytes } from 'node:crypto'
import type { Endpoint, Header } from '#contract/models.ts'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/endpoint-rules.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log, SandboxTarget, SecretBox } from '../../platform/ports.ts'
import { openHeaders, openSecret, secretView, type LoadedSecret } from '../../platform/secrets.ts'
import type { StoredEndpoint, Which } from '../../deliveries/endpoints/store.ts'

type BrandOf = (integrationId: number) => string

interface Entry {
  readonly stored: StoredEndpoint
  readonly secrets: Partial<Record<Which, LoadedSecret>>
  readonly customHeaders: readonly Header[]
}

const order = ['current', 'previous'] as const

/** No other object holds endpoint secrets in clear text. */
export class EndpointRegistry {
  readonly #box: SecretBox
  readonly #log: Log
  readonly #entries = new Map<number, Entry>()
  /** Of before the last rotation or correction, to undo it. */
  readonly #replaced = new Map<number, StoredEndpoint['sealed']>()

  constructor(box: SecretBox, log: Log) {
    this.#box = box
    this.#log = log
  }

  /** A secret that cannot be decrypted must be entered again. */
  async put(stored: StoredEndpoint): Promise<void> {
    const secrets: Entry['secrets'] = {}
    for (const which of order) {
      const sealed = stored.sealed[which]
      if (!sealed) continue
      const what = `the ${which} secret of endpoint ${stored.id}`
      secrets[which] = await openSecret(this.#box, this.#log, what, sealed)
    }
    const what = `the custom headers of endpoint ${stored.id}`
    const customHeaders = await openHeaders(this.#box, this.#log, what, stored)
    this.#entries.set(stored.id, { stored, secrets, customHeaders })
  }

  remove(id: number): void {
    this.#entries.delete(id)
    this.#replaced.delete(id)
  }

  keepReplaced(id: number, sealed: StoredEndpoint['sealed']): void {
    this.#replaced.set(id, sealed)
  }

  /** Returns them. Undefined: there are none. */
  forgetReplaced(id: number): StoredEndpoint['sealed'] | undefined {
    const sealed = this.#replaced.get(id)
    this.#replaced.delete(id)
    return sealed
  }

  /** Throws `not_found`. */
  stored(id: number): StoredEndpoint {
    return this.#get(id).stored
  }

  views(): Endpoint[] {
    return [...this.#entries.keys()].map((id) => this.view(id))
  }

  view(id: number): Endpoint {
    const { stored, secrets, customHeaders } = this.#get(id)
    return {
      id: stored.id,
      integrationId: stored.integrationId,
      name: stored.name,
      slug: stored.slug,
      secret: secretView(secrets.current),
      previousSecret: secretView(secrets.previous),
      ...(stored.hadSecret ? { hadSecret: true as const } : {}),
      applicationId: stored.applicationId,
      customHeaders: [...customHeaders],
    }
  }

  /** The settings that deliveries are compared with; null if the endpoint was deleted. */
  settingsOf(id: number): Pick<StoredEndpoint, 'applicationId' | 'customHeaders'> | null {
    const entry = this.#entries.get(id)
    if (!entry) return null
    return { applicationId: entry.stored.applicationId, customHeaders: entry.customHeaders }
  }

  secretsOf(id: number | null): { name: string; secret: string }[] {
    const entry = id === null ? undefined : this.#entries.get(id)
    if (!entry) return []
    return order.flatMap((which) => {
      const clear = entry.secrets[which]?.clear
      return clear ? [{ name: which, secret: clear }] : []
    })
  }

  /** Throws `not_found`, or `secret_unavailable` if the secret cannot be decrypted. */
  reveal(id: number, which: Which): string {
    const secret = this.#get(id).secrets[which]
    if (!secret) throw new AppError('not_found', `This endpoint has no ${which} secret.`)
    if (secret.clear === null) throw unavailable(which)
    return secret.clear
  }

  routes(brandOf: BrandOf, endpointRules: EndpointRules): EndpointRoute[] {
    return [...this.#entries.values()].map(({ stored, customHeaders }) => ({
      id: stored.id,
      name: stored.name,
      path: `/hooks/${stored.slug}`,
      brand: brandOf(stored.integrationId),
      applicationId: stored.applicationId,
      customHeaders,
      secrets: this.secretsOf(stored.id),
      responses: endpointRules.responses.filter(
        (rule) => rule.enabled && rule.endpointId === stored.id,
      ),
      forwards: endpointRules.forwards.filter(
        (forward) => forward.enabled && forward.endpointId === stored.id,
      ),
    }))
  }

  /** For sandbox deliveries to this endpoint. Throws `not_found`. */
  sandboxTarget(id: number, origin: string, brandOf: BrandOf): SandboxTarget {
    const { stored, customHeaders } = this.#get(id)
    return {
      url: `${origin}/hooks/${stored.slug}`,
      secret: this.secretsOf(id).find(({ name }) => name === 'current')?.secret ?? null,
      brand: brandOf(stored.integrationId),
      applicationId: stored.applicationId,
      customHeaders,
    }
  }

  #get(id: number): Entry {
    const entry = this.#entries.get(id)
    if (!entry)
      throw new AppError('not_found', `Endpoint ${id} does not exist. It may have been deleted.`)
    return entry
  }
}

/** 256 random bits, in hex. */
export function newSecret(): string {
  return randomBytes(32).toString('hex')
}

function unavailable(which: Which): AppError {
  return new AppError(
    'secret_unavailable',
    `The ${which} secret was encrypted with a key that is no longer available. Enter it again.`,
  )
}

/** IDs in the store never get this large. */
const firstTemporaryId = 1_000_000_000_000

/** Stored response rules and forward targets of all endpoints, and temporary ones of this run. */
export class EndpointRules {
  #forwards: readonly ForwardTarget[]
  #responses: readonly ResponseRule[]
  #nextTemporary = firstTemporaryId
  uses: readonly RuleUse[] = []

  constructor(forwards: readonly ForwardTarget[], responses: readonly ResponseRule[]) {
    this.#forwards = forwards
    this.#responses = responses
  }

  get forwards(): readonly ForwardTarget[] {
    return this.#forwards
  }

  get responses(): readonly ResponseRule[] {
    return this.#responses
  }

  temporaryId(): number {
    this.#nextTemporary += 1
    return this.#nextTemporary
  }

  putForward(forward: ForwardTarget): void {
    const others = this.#forwards.filter(({ id }) => id !== forward.id)
    this.#forwards = [...others, forward].toSorted((a, b) => a.id - b.id)
  }

  removeForward(id: number): void {
    this.#forwards = this.#forwards.filter((forward) => forward.id !== id)
  }

  putResponses(endpointId: number, rules: readonly ResponseRule[]): void {
    const others = this.#responses.filter((rule) => rule.endpointId !== endpointId)
    this.#responses = [...others, ...rules]
  }

  /** Null: of all endpoints. */
  switchOff(endpointId: number | null): void {
    this.#responses = this.#responses.map((rule) =>
      (endpointId ?? rule.endpointId) === rule.endpointId ? { ...rule, enabled: false } : rule,
    )
  }

  removeEndpoint(endpointId: number): void {
    this.#forwards = this.#forwards.filter((forward) => forward.endpointId !== endpointId)
    this.#responses = this.#responses.filter((rule) => rule.endpointId !== endpointId)
  }
}
