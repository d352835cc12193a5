import type { Integration } from '#contract/integrations.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log, SecretBox } from '../../platform/ports.ts'
import { openSecret, secretView, type LoadedSecret } from '../../platform/secrets.ts'
import type { StoredIntegration } from './store.ts'

interface Entry {
  readonly stored: StoredIntegration
  readonly secret: LoadedSecret | null
}

/** No other object holds access secrets in clear text. */
export class IntegrationRegistry {
  readonly #box: SecretBox
  readonly #log: Log
  readonly #entries = new Map<number, Entry>()

  constructor(box: SecretBox, log: Log) {
    this.#box = box
    this.#log = log
  }

  /** A secret that cannot be decrypted must be entered again. */
  async put(stored: StoredIntegration): Promise<void> {
    const { sealedSecret } = stored
    const secret = sealedSecret
      ? await openSecret(
          this.#box,
          this.#log,
          `the access secret of integration ${stored.id}`,
          sealedSecret,
        )
      : null
    this.#entries.set(stored.id, { stored, secret })
  }

  remove(id: number): void {
    this.#entries.delete(id)
  }

  has(id: number): boolean {
    return this.#entries.has(id)
  }

  /** Throws `not_found`. */
  stored(id: number): StoredIntegration {
    return this.#get(id).stored
  }

  views(): Integration[] {
    return [...this.#entries.keys()].toSorted((a, b) => a - b).map((id) => this.view(id))
  }

  /** Throws `not_found`. */
  view(id: number): Integration {
    const { stored, secret } = this.#get(id)
    const { sealedSecret: _, redirectUrls, ...fields } = stored
    return { ...fields, redirectUrls: [...redirectUrls], accessSecret: secretView(secret) }
  }

  brandOf(id: number): string {
    return this.#entries.get(id)?.stored.brand ?? 'Service'
  }

  /** Throws `not_found` if none is set, and `secret_unavailable` if it cannot be decrypted. */
  accessSecret(id: number): string {
    const { secret, stored } = this.#get(id)
    if (!secret) {
      throw new AppError(
        'not_found',
        `The integration "${stored.name}" has no access secret. Enter one.`,
      )
    }
    if (secret.clear === null) {
      throw new AppError(
        'secret_unavailable',
        `The access secret of "${stored.name}" was encrypted with a key that is no longer available. Enter it again.`,
      )
    }
    return secret.clear
  }

  /** Null if none is set, or if it cannot be decrypted. */
  clearSecret(id: number): string | null {
    return this.#entries.get(id)?.secret?.clear ?? null
  }

  /** For records to mask. */
  clearSecrets(): string[] {
    return [...this.#entries.values()].flatMap(({ secret }) => secret?.clear ?? [])
  }

  #get(id: number): Entry {
    const entry = this.#entries.get(id)
    if (!entry) {
      throw new AppError('not_found', `Integration ${id} does not exist. It may have been deleted.`)
    }
    return entry
  }
}
