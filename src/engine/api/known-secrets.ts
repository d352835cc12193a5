import { maskPattern } from '#contract/masks.ts'
import { AppError } from '../errors.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { originOf } from './target.ts'

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
      `${marker} stands for a value that is not kept here. Write the value in its place, or choose a token.`,
    )
  })
}

/** Whether a marker of this name is made by records: for what one has found out (`record-masker.ts`), or for a secret that is held here, or was. */
export function isOfRecords(name: string): boolean {
  return /^(kept_.+|((refresh_)?token|access_secret)_\d+(_\d+)?)$/.test(name)
}
