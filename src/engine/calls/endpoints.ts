import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Endpoint } from '#contract/models.ts'
import type { Context } from '../context.ts'
import { newSecret } from '../endpoints/registry.ts'
import { sealHeaders } from '../secrets/held-secret.ts'
import type { StoredEndpoint } from '../store/endpoints.ts'

export async function create(
  context: Context,
  { integrationId, secret, customHeaders, ...named }: ParsedInput<'endpoints.create'>,
): Promise<CallOutput<'endpoints.create'>> {
  context.integrations.stored(integrationId)
  const fields = {
    ...named,
    ...(await sealHeaders(context.ports.secrets, customHeaders)),
  }
  const id = await context.store.writer.call('insertEndpoint', { integrationId, ...fields })
  const sealed = secret ? { current: await context.ports.secrets.seal(secret) } : {}
  await context.store.writer.call('writeSecrets', { id, sealed })
  return changed(context, { id, integrationId, ...fields, hadSecret: Boolean(secret), sealed })
}

export async function update(
  context: Context,
  { id, ...given }: ParsedInput<'endpoints.update'>,
): Promise<CallOutput<'endpoints.update'>> {
  const before = context.registry.stored(id)
  if (given.integrationId !== undefined) context.integrations.stored(given.integrationId)
  const fields = {
    integrationId: given.integrationId ?? before.integrationId,
    name: given.name ?? before.name,
    slug: given.slug ?? before.slug,
    applicationId: given.applicationId ?? before.applicationId,
    ...(given.customHeaders
      ? await sealHeaders(context.ports.secrets, given.customHeaders)
      : { customHeaders: before.customHeaders, sealedHeaders: before.sealedHeaders }),
  }
  await context.store.writer.call('updateEndpoint', { id, fields })
  return changed(context, { ...before, ...fields })
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'endpoints.remove'>,
): Promise<CallOutput<'endpoints.remove'>> {
  context.registry.stored(id)
  await context.store.writer.call('deleteEndpoint', id)
  context.registry.remove(id)
  context.answering.removeEndpoint(id)
  await context.configureThreads()
  context.bus.push('endpoints.changed', context.registry.views())
  context.bus.push('forwards.changed', [...context.answering.forwards])
  context.bus.push('responses.changed', [...context.answering.responses])
  return {}
}

export async function rotateSecret(
  context: Context,
  { id, secret, keepPrevious }: ParsedInput<'endpoints.rotateSecret'>,
): Promise<CallOutput<'endpoints.rotateSecret'>> {
  const before = context.registry.stored(id)
  const current = await context.ports.secrets.seal(secret ?? newSecret())
  const previous = keepPrevious ? before.sealed.current : undefined
  return setSecrets(context, before, previous ? { current, previous } : { current })
}

/** An endpoint that never had a secret gets one, so that the sandbox's first deliveries are signed. */
export async function ensureSecret(context: Context, id: number): Promise<void> {
  if (context.registry.stored(id).hadSecret) return
  await rotateSecret(context, { id, keepPrevious: false })
}

export async function clearSecret(
  context: Context,
  { id }: ParsedInput<'endpoints.clearSecret'>,
): Promise<CallOutput<'endpoints.clearSecret'>> {
  return setSecrets(context, context.registry.stored(id), {})
}

export async function revealSecret(
  context: Context,
  { id, which }: ParsedInput<'endpoints.revealSecret'>,
): Promise<CallOutput<'endpoints.revealSecret'>> {
  return { secret: context.registry.reveal(id, which) }
}

async function setSecrets(
  context: Context,
  before: StoredEndpoint,
  sealed: StoredEndpoint['sealed'],
): Promise<Endpoint> {
  await context.store.writer.call('writeSecrets', { id: before.id, sealed })
  const hadSecret = before.hadSecret || sealed.current !== undefined
  return changed(context, { ...before, hadSecret, sealed })
}

/** After the write: memory, then the capture thread, so that the next delivery meets it, then the interface. */
async function changed(context: Context, stored: StoredEndpoint): Promise<Endpoint> {
  await context.registry.put(stored)
  await context.configureThreads()
  context.bus.push('endpoints.changed', context.registry.views())
  return context.registry.view(stored.id)
}

/** Seals custom headers that an earlier version has stored in clear. Never throws: they stay as they are until the next start. */
export async function sealStoredHeaders({
  ports,
  registry,
  store,
}: Pick<Context, 'ports' | 'registry' | 'store'>): Promise<void> {
  for (const { id } of registry.views()) {
    const stored = registry.stored(id)
    if (stored.sealedHeaders !== null) continue
    try {
      const sealed = await sealHeaders(ports.secrets, stored.customHeaders)
      if (sealed.sealedHeaders === null) continue
      const fields = { ...stored, ...sealed }
      await store.writer.call('updateEndpoint', { id, fields })
      await registry.put(fields)
    } catch (error) {
      ports.log.error(`the custom headers of endpoint ${id} cannot be sealed`, error)
    }
  }
}
