import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Endpoint } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import { currentBrand, keyringOf } from '../signature/background-diagnosis.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { EnginePorts } from '../platform/ports.ts'
import type { Store } from '../store/store.ts'
import { type EndpointRegistry, newSecret } from './registry.ts'
import type { StoredEndpoint, Which } from './store.ts'

export interface EndpointStorePorts {
  readonly ports: EnginePorts
  readonly bus: Bus
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  configureThreads(): Promise<void>
}

/** The service has a new secret: it becomes the current one, and the one in use until now the previous one. */
export async function rotateSecret(
  context: EndpointStorePorts,
  { id, secret = newSecret(), keepPrevious }: ParsedInput<'endpoints.rotateSecret'>,
): Promise<CallOutput<'endpoints.rotateSecret'>> {
  const current = await context.ports.secrets.seal(secret)
  const previous = keepPrevious ? await inUse(context, id, secret, ['current', 'previous']) : null
  return replaceSecrets(context, id, previous ? { current, previous } : { current })
}

/** A secret was wrong here: it is replaced, and the other one stays. */
export async function correctSecret(
  context: EndpointStorePorts,
  { id, which, secret, deliveryId }: ParsedInput<'endpoints.correctSecret'>,
): Promise<CallOutput<'endpoints.correctSecret'>> {
  if ((secret === undefined) === (deliveryId === undefined)) {
    throw new AppError('bad_input', 'Specify either a secret or the ID of a delivery.')
  }
  if (deliveryId !== undefined) return correctByDelivery(context, id, deliveryId)
  const corrected = await context.ports.secrets.seal(secret ?? '')
  return replaceSecrets(context, id, {
    ...context.registry.stored(id).sealed,
    [which]: corrected,
  })
}

/** The current secret may be right for other deliveries. Then it is kept, so that they stay valid. */
async function correctByDelivery(
  context: EndpointStorePorts,
  id: number,
  deliveryId: number,
): Promise<Endpoint> {
  // Identifiers and access secrets are mistakes of the sender: they do not become webhook secrets.
  const keyring = { ...keyringOf(context, id), access: [], identifiers: [] }
  const secret = await context.store.reader.call('findSecret', { id: deliveryId, keyring })
  if (secret === null) {
    throw new AppError(
      'not_found',
      'No known secret, and no variant of one, signed this delivery. Enter the secret of the dashboard.',
    )
  }
  const current = await context.ports.secrets.seal(secret)
  const previous = await inUse(context, id, secret, ['previous'])
  return replaceSecrets(context, id, previous ? { current, previous } : { current })
}

/** Sets the secrets of before the last rotation or correction. They are kept sealed, until Tabscope ends. */
export async function undoSecret(
  context: EndpointStorePorts,
  { id }: ParsedInput<'endpoints.undoSecret'>,
): Promise<CallOutput<'endpoints.undoSecret'>> {
  const before = context.registry.forgetReplaced(id)
  if (!before) {
    throw new AppError('not_found', 'The secret was not changed since Tabscope started.')
  }
  return writeSecrets(context, context.registry.stored(id), before)
}

/** For an endpoint that never had a secret, so that the sandbox's first deliveries are signed. */
export async function ensureSecret(context: EndpointStorePorts, id: number): Promise<void> {
  if (context.registry.stored(id).hadSecret) return
  await rotateSecret(context, { id, keepPrevious: false })
}

/**
 * The secret to keep beside a new one: the one that verified the newest deliveries, otherwise the first of `names` that is set. So a secret that was typed
 * wrong and never verified anything does not replace the real one.
 */
async function inUse(
  context: EndpointStorePorts,
  id: number,
  besides: string,
  names: readonly Which[],
): Promise<Uint8Array | undefined> {
  const { registry, store } = context
  const secrets = registry.secretsOf(id).filter(({ secret }) => secret !== besides)
  const keys = { secrets, brand: currentBrand(context, id) ?? '' }
  const proven = await store.reader.call('provenSecret', { endpointId: id, keys })
  const { sealed } = registry.stored(id)
  const kept = (['current', 'previous'] as const)
    .filter((name) => secrets.some((each) => each.name === name))
    .filter((name) => name === proven || (proven === null && names.includes(name)))
  return kept[0] && sealed[kept[0]]
}

async function replaceSecrets(
  context: EndpointStorePorts,
  id: number,
  sealed: StoredEndpoint['sealed'],
): Promise<Endpoint> {
  const before = context.registry.stored(id)
  const endpoint = await writeSecrets(context, before, sealed)
  context.registry.keepReplaced(id, before.sealed)
  return endpoint
}

export async function writeSecrets(
  context: EndpointStorePorts,
  before: StoredEndpoint,
  sealed: StoredEndpoint['sealed'],
): Promise<Endpoint> {
  await context.store.writer.call('writeSecrets', { id: before.id, sealed })
  const hadSecret = before.hadSecret || sealed.current !== undefined
  return changed(context, { ...before, hadSecret, sealed })
}

/** Applies a stored change: first in memory, then in the capture thread (from the next delivery on), then in the interface. */
export async function changed(
  context: EndpointStorePorts,
  stored: StoredEndpoint,
): Promise<Endpoint> {
  await context.registry.put(stored)
  await context.configureThreads()
  context.bus.push('endpoints.changed', context.registry.views())
  return context.registry.view(stored.id)
}
