import { maskPattern } from '#contract/masks.ts'
import { AppError } from '../../platform/errors.ts'
import type { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import type { TokenManager } from '../tokens/manager.ts'
import { originOf } from './target.ts'
import type { ApiRequest } from '#contract/api.ts'
import { Masker } from '../../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../../platform/masking/secret-fields.ts'

export interface KnownSecret {
  /** In its marker: `token_12`, `refresh_token_12`, `access_secret_3`. */
  readonly name: string
  readonly label: string
  readonly value: string
  /** Of its integration, to which alone it may be sent; null: none is set yet. */
  readonly origin: string | null
}

/** Secrets that are stored elsewhere and so are never copied into a record. */
export const storedSecretName = /^(?:(refresh_)?token|(access_secret))_(\d+)$/

export function knownSecrets({
  tokens,
  integrations,
}: {
  tokens: Pick<TokenManager, 'views' | 'clearValues'>
  integrations: IntegrationRegistry
}): KnownSecret[] {
  const views = integrations.views()
  const origins = new Map(views.map(({ id, baseUrl }) => [id, originOf(baseUrl)]))
  const owners = new Map(tokens.views().map(({ id, integrationId }) => [id, integrationId]))
  const tokenSecrets = tokens.clearValues().map(({ name, label, value }) => {
    const owner = owners.get(Number(storedSecretName.exec(name)?.[3])) ?? -1
    return { name, label, value, origin: origins.get(owner) ?? null }
  })
  const accessSecrets = views
    .filter(({ accessSecret }) => accessSecret.set && !accessSecret.unavailable)
    .map(({ id, name }) => ({
      name: `access_secret_${id}`,
      label: `Access secret of "${name}"`,
      value: integrations.accessSecret(id),
      origin: origins.get(id) ?? null,
    }))
  return [...tokenSecrets, ...accessSecrets]
}

/**
 * Replaces markers with their values. Unknown markers stay as text, except those that records create: their value was not stored, and the marker must
 * not be sent. Throws `bad_input` for these.
 */
export function fillIn(
  text: string,
  known: readonly KnownSecret[],
  write: (value: string) => string = (value) => value,
): string {
  // If a name occurs twice, the first one counts.
  const values = new Map(known.toReversed().map(({ name, value }) => [name, value]))
  return text.replaceAll(maskPattern, (marker, name: string) => {
    const value = values.get(name)
    if (value !== undefined) return write(value)
    if (!isRecordMarker(name)) return marker
    throw new AppError(
      'bad_input',
      `${marker} stands for a masked value that was not stored. Replace it with the value, or select a token.`,
    )
  })
}

/** Markers that records create: for values found in a record, or for tokens and access secrets. */
export function isRecordMarker(name: string): boolean {
  return /^(kept_.+|((refresh_)?token|access_secret)_\d+(_\d+)?)$/.test(name)
}

/** For storage: markers replace secrets, and are filled in again if the value is known. */
export function maskRequest(request: ApiRequest, masker: Masker): ApiRequest {
  return {
    integrationId: request.integrationId,
    tokenId: request.tokenId,
    method: request.method,
    path: maskQuery(masker, request.path),
    query: request.query.map(({ name, value, on }) => ({
      name: masker.mask(name),
      value: maskParameter(masker, name, value),
      on,
    })),
    headers: request.headers.map(({ name, value, on }) => {
      const [masked] = maskHeaders(masker, [[name.trim(), value]])
      return { name: masker.mask(name), value: masked?.[1] ?? '', on }
    }),
    body: maskSecretFields(masker, request.body),
  }
}

function maskParameter(masker: Masker, name: string, value: string): string {
  const written = `?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const masked = maskQuery(masker, written)
  if (masked === written) return masker.mask(value)
  return decodeURIComponent(masked.slice(masked.indexOf('=') + 1))
}

/** Masks known secrets, and secrets found in a record as `kept_token`: the prefix avoids confusion with a token created later. */
export class RecordMasker extends Masker {
  readonly #known = new Set<string>()

  constructor(known: readonly KnownSecret[]) {
    super()
    for (const { name, label, value } of known) this.#known.add(super.hold(name, label, value))
  }

  override hold(name: string, label: string, value: string, everywhere = true): string {
    return super.hold(`kept_${name}`, label, value, everywhere)
  }

  /** Tokens and access secrets are stored elsewhere. */
  isStoredElsewhere(name: string): boolean {
    return this.#known.has(name)
  }
}

/**
 * Reads a token or access secret by its name in a record from where it is stored: records contain no copy. `at`: when the record was created, in
 * milliseconds since the epoch. Throws `not_found` if the value has changed or was deleted since.
 */
export function storedSecretValue(
  { tokens, integrations }: { tokens: TokenManager; integrations: IntegrationRegistry },
  name: string,
  at: number,
): string {
  const [, refresh, accessSecret, digits] = storedSecretName.exec(name) ?? []
  const id = Number(digits)
  if (digits === undefined) return throwNotFound()
  if (accessSecret !== undefined) return integrations.accessSecret(id)
  const token = tokens.views().find((view) => view.id === id)
  if (!token || token.obtainedAt > at) return throwNotFound()
  return tokens.reveal(id, refresh === undefined ? 'access' : 'refresh')
}

function throwNotFound(): never {
  throw new AppError(
    'not_found',
    'This value is no longer stored. The token was refreshed, forgotten or deleted.',
  )
}
