import { maskPattern } from '#contract/masks.ts'
import { AppError } from '../platform/errors.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { originOf } from './target.ts'
import type { ApiRequest } from '#contract/api.ts'
import { Masker } from '../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../platform/masking/secret-fields.ts'

/** A secret that Tabscope holds, and where it may go. */
export interface KnownSecret {
  /** In its marker: `token_12`, `refresh_token_12`, `access_secret_3`. */
  readonly name: string
  readonly label: string
  readonly value: string
  /** The origin of its integration; null: it has none yet. */
  readonly origin: string | null
}

/** The names of what lives here, and so is never copied into a record. */
export const livingName = /^(?:(refresh_)?token|(access_secret))_(\d+)$/

/** Every token and access secret there is, in clear text. */
export function knownSecrets({
  tokens,
  integrations,
}: {
  tokens: Pick<Tokens, 'views' | 'clearValues'>
  integrations: IntegrationRegistry
}): KnownSecret[] {
  const views = integrations.views()
  const origins = new Map(views.map(({ id, baseUrl }) => [id, originOf(baseUrl)]))
  const owners = new Map(tokens.views().map(({ id, integrationId }) => [id, integrationId]))
  const ofTokens = tokens.clearValues().map(({ name, label, value }) => {
    const owner = owners.get(Number(livingName.exec(name)?.[3])) ?? -1
    return { name, label, value, origin: origins.get(owner) ?? null }
  })
  const ofIntegrations = views
    .filter(({ accessSecret }) => accessSecret.set && !accessSecret.unavailable)
    .map(({ id, name }) => ({
      name: `access_secret_${id}`,
      label: `Access secret of "${name}"`,
      value: integrations.accessSecret(id),
      origin: origins.get(id) ?? null,
    }))
  return [...ofTokens, ...ofIntegrations]
}

/**
 * Puts the values in the place of their markers. A marker that no secret goes by is left, as text like any other, unless it is one of those
 * that records make: its value was not kept, and the marker itself must not be sent. Throws `bad_input`.
 */
export function fillIn(
  text: string,
  known: readonly KnownSecret[],
  write: (value: string) => string = (value) => value,
): string {
  // The first of a name is the one that counts.
  const values = new Map(known.toReversed().map(({ name, value }) => [name, value]))
  return text.replaceAll(maskPattern, (marker, name: string) => {
    const value = values.get(name)
    if (value !== undefined) return write(value)
    if (!isOfRecords(name)) return marker
    throw new AppError(
      'bad_input',
      `${marker} stands for a value that was not stored. Replace it with the value, or select a token.`,
    )
  })
}

/** Whether a marker of this name is made by records: for what one has found out (`record-masker.ts`), or for a secret that is held here, or was. */
export function isOfRecords(name: string): boolean {
  return /^(kept_.+|((refresh_)?token|access_secret)_\d+(_\d+)?)$/.test(name)
}

/** The request as the user wrote it, to be stored: what is a secret in it is a marker, which is filled in again where it is known. */
export function maskRequest(request: ApiRequest, masker: Masker): ApiRequest {
  return {
    integrationId: request.integrationId,
    tokenId: request.tokenId,
    method: request.method,
    path: maskQuery(masker, request.path),
    query: request.query.map(({ name, value, on }) => ({
      name: masker.mask(name),
      value: parameterOf(masker, name, value),
      on,
    })),
    headers: request.headers.map(({ name, value, on }) => {
      const [masked] = maskHeaders(masker, [[name.trim(), value]])
      return { name: masker.mask(name), value: masked?.[1] ?? '', on }
    }),
    body: maskSecretFields(masker, request.body),
  }
}

/** The value of a parameter, judged by its name as it would be in an address. */
function parameterOf(masker: Masker, name: string, value: string): string {
  const written = `?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const masked = maskQuery(masker, written)
  if (masked === written) return masker.mask(value)
  return decodeURIComponent(masked.slice(masked.indexOf('=') + 1))
}

/**
 * Holds back what is known, and what a record finds out. The latter gets names of its own (`kept_token`), so that no marker is ever taken for
 * that of a token which comes later.
 */
export class RecordMasker extends Masker {
  readonly #known = new Set<string>()

  constructor(known: readonly KnownSecret[]) {
    super()
    for (const { name, label, value } of known) this.#known.add(super.hold(name, label, value))
  }

  override hold(name: string, label: string, value: string, everywhere = true): string {
    return super.hold(`kept_${name}`, label, value, everywhere)
  }

  /** Whether the name is that of a token or an access secret, which live elsewhere. */
  lives(name: string): boolean {
    return this.#known.has(name)
  }
}

/**
 * The value of a token or an access secret by its name in a record, from where it lives: no record has a copy. `at`: when the record was made,
 * in milliseconds since the epoch. Throws `not_found` when the value is another one by now, or gone.
 */
export function livingSecret(
  { tokens, integrations }: { tokens: Tokens; integrations: IntegrationRegistry },
  name: string,
  at: number,
): string {
  const [, refresh, accessSecret, digits] = livingName.exec(name) ?? []
  const id = Number(digits)
  if (digits === undefined) return gone()
  if (accessSecret !== undefined) return integrations.accessSecret(id)
  const token = tokens.views().find((view) => view.id === id)
  if (!token || token.obtainedAt > at) return gone()
  return tokens.reveal(id, refresh === undefined ? 'access' : 'refresh')
}

function gone(): never {
  throw new AppError(
    'not_found',
    'This value is no longer stored. The token was refreshed, forgotten or deleted since.',
  )
}
